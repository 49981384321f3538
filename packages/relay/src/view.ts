import { createHash } from "node:crypto";
import { createEngine, type Definitions, type DefinitionsChange, type Engine, type Program } from "@assay/core";
import { createProgramMaker } from "@assay/core/server";
import { type Connection, type ConnectionError, createConnection } from "@assay/sdk";
import { createCache, createPoller, definitionFormat, parseDefinitions } from "@assay/sdk/internal";
import { followChanges } from "@assay/sdk/stream";
import type { Directory } from "./ground/directory.ts";
import type { Settings } from "./ground/option.ts";

/** What one kind of API key sees: the definitions of the upstream, kept fresh and on the disk. */
export interface View {
  readonly engine: Engine;
  /** The version of the definitions, as the upstream announces it; undefined without definitions. */
  readonly version: string | undefined;
  /** Time of the last response of the upstream with these definitions, in milliseconds since 1970; null without one. */
  readonly confirmedAt: number | null;
  /** The status of the last failed request, 0 without a response; null if the last request succeeded. */
  readonly failure: number | null;
  /** The definitions, or their program, as JSON with their ETag. */
  document(isProgram: boolean): { text: string; etag: string };
  /** Whether a CLIENT or SERVER key with this view may ask for a flag. */
  mayAsk(flagKey: string): boolean;
  /** Calls the listener after each new version, with the flags and experiments whose results may differ. */
  onChange(listener: (version: string, change: DefinitionsChange) => void): void;
  /** Fetches the definitions in the background. */
  refresh(): void;
  /**
   * Starts with the definitions of the upstream, or with those on the disk if it does not respond.
   * @throws ConnectionError if the upstream refuses the key, or there are no definitions
   */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The parts of a view that depend on the kind of key. */
export interface ViewInput {
  apiKey: string;
  /** Name of the file. */
  file: string;
  /** Whether to follow the stream of the upstream. */
  streaming: boolean;
}

/** Creates a view. It does nothing until `open`. */
export function createView(settings: Settings, directory: Directory, input: ViewInput): View {
  const { upstream, timeout, fetch, now, pollMs, logger } = settings;
  const { apiKey, file, streaming } = input;
  const options = { apiKey, baseUrl: upstream, timeout, fetch, now, streaming, cacheTtlMs: pollMs };
  const connection = createConnection(options);
  const listeners: ((version: string, change: DefinitionsChange) => void)[] = [];
  const documents = new WeakMap<object, { text: string; hash: string }>();
  const maker = createProgramMaker();
  const programs = new WeakMap<Definitions, Program>();
  let version: string | undefined;
  let confirmedAt: number | null = null;
  let failure: number | null = null;
  let pending: DefinitionsChange | undefined;

  const disk = createCache(
    {
      getItem: () => directory.read(file),
      setItem: (_key, value) => directory.replace(file, value),
    },
    // Another key or server may have other flags.
    () => [file, hashOf(`${upstream} ${apiKey}`)],
    parseDefinitions,
    (error) => logger.warn(`The definitions cannot be kept on the disk: ${(error as Error).message}`),
  );

  const observed: Connection = {
    ...connection,
    async request(...request) {
      const response = await connection.request(...request);
      if (response.status === 200 || response.status === 304) confirmedAt = now();
      return response;
    },
  };

  function setVersion(etag: string | null | undefined): void {
    const before = version;
    version = /"([^".]*)/.exec(etag ?? "")?.[1] ?? hashOf(textOf(poller.engine.definitions).text);
    const change = pending ?? { flags: [], experiments: [] };
    pending = undefined;
    if (version !== before) for (const listener of listeners) listener(version, change);
  }

  const poller = createPoller<Definitions, Engine>(
    { ...definitionFormat, createEngine, followChanges },
    {
      ...options,
      cache: {
        save(body, etag) {
          setVersion(etag);
          disk.save(body, etag);
        },
      },
    },
    {
      onError(error: ConnectionError) {
        if (failure === null) logger.warn(`The relay serves what it has: ${error.message}`);
        failure = error.status;
      },
      onRecover() {
        failure = null;
      },
    },
    observed,
  );
  poller.engine.onChange((change) => {
    pending = change;
  });

  function textOf(document: object): { text: string; hash: string } {
    let known = documents.get(document);
    if (!known) {
      const text = JSON.stringify(document);
      known = { text, hash: hashOf(text) };
      documents.set(document, known);
    }
    return known;
  }

  function programOf(definitions: Definitions): Program {
    const program = programs.get(definitions) ?? maker.make(definitions);
    programs.set(definitions, program);
    return program;
  }

  /** Definitions are replaced, never changed. */
  const hidden = new WeakMap<Definitions, Set<string>>();

  return {
    engine: poller.engine,
    get version() {
      return version;
    },
    get confirmedAt() {
      return confirmedAt;
    },
    get failure() {
      return failure;
    },
    document(isProgram) {
      const { definitions } = poller.engine;
      if (!isProgram) return { text: textOf(definitions).text, etag: `"${version}"` };
      const { text, hash } = textOf(programOf(definitions));
      return { text, etag: `W/"${version}.${hash.slice(0, 8)}"` };
    },
    mayAsk(flagKey) {
      const { definitions } = poller.engine;
      let keys = hidden.get(definitions);
      if (!keys) {
        keys = new Set(definitions.flags.filter(({ client_side }) => client_side === false).map(({ key }) => key));
        hidden.set(definitions, keys);
      }
      return !keys.has(flagKey);
    },
    onChange: (listener) => void listeners.push(listener),
    refresh: () => poller.revalidate(),
    async open() {
      try {
        await poller.open();
      } catch (error) {
        const kept = (error as ConnectionError).fatal ? undefined : await disk.load();
        if (poller.isReady) return;
        if (!kept) throw error;
        poller.replace(kept);
        setVersion(kept.etag);
      }
      // From now on, the relay can start without its upstream.
      await disk.idle();
    },
    async close() {
      poller.close();
      await disk.idle();
    },
  };
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}
