import type { Definitions } from "../evaluation/definition.ts";
import type { EngineOptions, HeldDefinitions } from "../evaluation/live-definitions.ts";
import { ConnectionError, createConnection, type Outgoing, toConnectionError } from "./connection.ts";
import { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
import type { DefinitionSourceOptions, KnownDefinitions } from "./definition-source.ts";
import type { DefinitionStorage } from "./definition-storage.ts";
import { readOption, requireDuration } from "./option.ts";

/** What definitions are loaded with. */
export interface LoaderParts<E extends HeldDefinitions> {
  createEngine: (definitions: Definitions, options: EngineOptions) => E;
  /** What to ask the server for, in place of the definitions; it may have announced a version of them. */
  ask?: (announced?: string) => Omit<Outgoing, "signal"> & { path: string };
  /** Reads the answer to that, as text or as the JSON it is. @throws where it is not one */
  parse?: (body: unknown) => Definitions;
}

/** Of the options of a source, those that every loader has. */
export interface LoaderOptions extends Omit<DefinitionSourceOptions, "bootstrap" | "streaming" | "stored"> {
  /** For `parse` to read. */
  bootstrap?: unknown;
  stored?: Pick<DefinitionStorage, "save"> & Partial<DefinitionStorage>;
}

/** Definitions behind an engine that answers from them. When they are fetched is for others to say. */
export interface Loader<E extends HeldDefinitions> {
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  isReady: boolean;
  /** What the server is asked with whether they have changed. */
  etag: string | undefined;
  /** Milliseconds since the epoch until which they count as fresh. */
  expiresAt: number;
  /** Answers from these from now on. */
  take(known: KnownDefinitions): void;
  /** Fetches once. @throws ConnectionError where that fails, and the signal's reason once it aborts */
  load(signal: AbortSignal, announced?: string): Promise<void>;
}

/** Creates a loader; it asks nothing by itself. @throws OptionError where an option is not of its kind */
export function createLoader<E extends HeldDefinitions>(parts: LoaderParts<E>, options: LoaderOptions): Loader<E> {
  const { cacheTtlMs = 300_000, bootstrap, stored, now = Date.now } = options;
  const { parse = parseDefinitions } = parts;
  requireDuration(cacheTtlMs, "cacheTtlMs");
  const connect = createConnection(options);
  const known =
    bootstrap === undefined
      ? NO_DEFINITIONS
      : readOption("bootstrap", "an answer of the server", () => parse(bootstrap));

  async function ask(signal: AbortSignal, announced?: string): Promise<void> {
    const { path, headers, ...request } = parts.ask?.(announced) ?? { path: "/openfeature/flags", headers: {} };
    if (loader.etag !== undefined) headers["if-none-match"] = loader.etag;
    const answer = await connect(path, { ...request, headers, signal });
    // It may have been closed between the last byte and here.
    signal.throwIfAborted();
    const isSame = answer.status === 304 && loader.etag !== undefined;
    if (!isSame && answer.status !== 200) throw toConnectionError(answer);
    const definitions = isSame ? undefined : parse(answer.text);
    loader.expiresAt = now() + cacheTtlMs;
    if (!definitions) return;
    // Only a body that is taken over may be spared the next time.
    loader.take({ definitions, etag: answer.headers.get("etag") ?? undefined });
    stored?.save(answer.text, loader.etag);
  }

  const loader: Loader<E> = {
    engine: parts.createEngine(known, { now }),
    isReady: bootstrap !== undefined,
    etag: undefined,
    expiresAt: 0,
    take({ definitions, etag }) {
      loader.etag = etag;
      loader.isReady = true;
      loader.engine.update(definitions);
    },
    async load(signal, announced) {
      try {
        await ask(signal, announced);
      } catch (cause) {
        signal.throwIfAborted();
        throw toLoadError(cause);
      }
    },
  };
  return loader;
}

function toLoadError(cause: unknown): ConnectionError {
  if (cause instanceof ConnectionError) return cause;
  return new ConnectionError(`Definitions were not taken over: ${cause}`, 0, undefined, { cause });
}
