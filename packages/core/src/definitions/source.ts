import type { Definitions } from "../evaluation/definition.ts";
import { createEngine, type Engine } from "../evaluation/engine.ts";
import type { DefinitionsChange, EngineOptions, HeldDefinitions } from "../evaluation/live-definitions.ts";
import { createChangeStream } from "./change-stream.ts";
import {
  ConnectionError,
  type ConnectionOptions,
  createConnection,
  OptionError,
  type Outgoing,
  readOption,
  toConnectionError,
} from "./connection.ts";
import { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
import type { DefinitionStorage } from "./definition-storage.ts";
import { backOff, createTimer } from "./delay.ts";

const RETRY_REJECTED_AFTER = 60_000;
/** How often to look again for definitions that were announced, in case another node of the server answered. */
const LOOK_AGAIN = 5;
const LOOK_AGAIN_AFTER = 250;

export interface DefinitionSourceOptions extends ConnectionOptions {
  /**
   * Milliseconds for which fetched definitions count as fresh; then they are served on while they are fetched anew.
   * @default 300000
   */
  cacheTtlMs?: number;
  /**
   * Hears of changes at once, over a stream of server-sent events, instead of with the next fetch. The open connection
   * keeps a Node process alive until `close`.
   * @default false
   */
  streaming?: boolean;
  /** Definitions to answer from, as expired ones, until the server has answered. */
  bootstrap?: Definitions;
  /** Keeps the last good definitions, to answer from, as expired ones, where the first fetch fails. */
  stored?: DefinitionStorage;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
}

/** `CACHED` while the definitions are fresh, `STATIC` once they have expired and are being fetched anew. */
export type Freshness = "CACHED" | "STATIC";

export interface SourceListeners {
  /** Definitions have changed; names exactly the flags and experiments concerned. */
  onChange?(change: DefinitionsChange): void;
  /** Fetching failed; what was served before is served on. `error.fatal`: the key was rejected. */
  onError?(error: ConnectionError): void;
  /** Fetching works again, or for the first time after `open` had failed. */
  onRecover?(): void;
}

/** Definitions from an earlier answer. */
export interface KnownDefinitions {
  definitions: Definitions;
  etag?: string | undefined;
}

/** Definitions fetched from the server and kept fresh, behind an engine that answers from them. */
export interface DefinitionSource<E extends HeldDefinitions = Engine> {
  /** Answers from the newest good definitions; the same object for as long as the source lives. */
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  readonly isReady: boolean;
  /** Whether they are fresh; where they are not, starts fetching them. */
  freshness(): Freshness;
  /**
   * Starts fetching; resolves once there are definitions, which with `bootstrap` is at once. May be called again
   * after `close`. Where the first fetch fails, fetching goes on in the background, unless the error is fatal.
   * @param known to answer from, as expired ones, where there are none yet
   * @throws ConnectionError where the first fetch fails, and nothing good is stored.
   */
  open(known?: KnownDefinitions): Promise<void>;
  /**
   * Fetches now; calls that come while one is under way share it.
   * @throws ConnectionError where that fails.
   */
  refresh(): Promise<void>;
  /** Fetches in the background, unless the server has asked to wait, or has rejected the key. */
  revalidate(): void;
  /**
   * Fetches anew, because something else is to be asked: an answer to what was asked before is never taken over. Until
   * then `known`, else what there is, is served on; where fetching fails, `known`, else nothing.
   * @throws ConnectionError where that fails.
   */
  restart(known?: KnownDefinitions): Promise<void>;
  /** Stops fetching and drops what is under way; the engine goes on answering. */
  close(): void;
}

/**
 * Creates a definition source; inert until `open`.
 * @example
 * const source = createDefinitionSource({ apiKey: "asy_…" });
 * await source.open();
 * source.engine.evaluate("new-checkout", { targetingKey: "user-123" }, false).value;
 * @throws OptionError where an option is not of its kind.
 */
export function createDefinitionSource(
  options: DefinitionSourceOptions,
  listeners: SourceListeners = {},
): DefinitionSource {
  const source = createSourceWith({ createEngine, createChangeStream }, options, listeners);
  if (listeners.onChange) source.engine.onChange(listeners.onChange);
  return source;
}

/** What a definition source is put together from; what is not needed stays out of a bundle. */
export interface SourceParts<E extends HeldDefinitions> {
  createEngine: (definitions: Definitions, options: EngineOptions) => E;
  /** Without it `streaming` does nothing. */
  createChangeStream?: typeof createChangeStream;
  /** What to ask the server for, in place of the definitions. */
  ask?: () => Omit<Outgoing, "signal"> & { path: string };
  /** Reads the answer to that, as text or as the JSON it is. @throws where it is not one */
  parse?: (body: unknown) => Definitions;
}

/**
 * {@link createDefinitionSource} over another engine, and without streaming where that is never wanted.
 * @throws OptionError where an option is not of its kind.
 */
export function createSourceWith<E extends HeldDefinitions>(
  parts: SourceParts<E>,
  options: Omit<DefinitionSourceOptions, "bootstrap"> & { bootstrap?: unknown },
  listeners: Omit<SourceListeners, "onChange"> = {},
): DefinitionSource<E> {
  const { cacheTtlMs = 300_000, streaming = false, bootstrap, stored, now = Date.now } = options;
  const { parse = parseDefinitions } = parts;
  if (typeof cacheTtlMs !== "number" || !(cacheTtlMs >= 0)) throw new OptionError("cacheTtlMs", "a number of ms");
  if (typeof streaming !== "boolean") throw new OptionError("streaming", "true or false");
  const connect = createConnection(options);
  const known =
    bootstrap === undefined
      ? NO_DEFINITIONS
      : readOption("bootstrap", "an answer of the server", () => parse(bootstrap));
  const engine = parts.createEngine(known, { now });
  const timer = createTimer();
  let isReady = bootstrap !== undefined;
  let expiresAt = Number.NEGATIVE_INFINITY;
  let etag: string | undefined;
  let failures = 0;
  // The version that the server has announced, and how often it was looked for.
  let announced: string | undefined;
  let looked = 0;
  // The session that is listening.
  let listening: AbortController | undefined;
  // Set between `open` and `close`; aborting it ends the stream that was begun in between.
  let session: AbortController | undefined;
  // The request under way, and what ends it.
  let underWay: Promise<void> | undefined;
  let asking: AbortController | undefined;
  // Nobody should ask before this.
  let notBefore = Number.NEGATIVE_INFINITY;

  function refresh(): Promise<void> {
    session ??= new AbortController();
    if (underWay) return underWay;
    const current = new AbortController();
    asking = current;
    underWay = run(current.signal).finally(() => {
      if (asking === current) underWay = undefined;
    });
    return underWay;
  }

  function drop(): void {
    timer.clear();
    asking?.abort();
    underWay = undefined;
  }

  function take({ definitions, etag: tag }: KnownDefinitions): void {
    etag = tag;
    isReady = true;
    engine.update(definitions);
  }

  async function run(signal: AbortSignal): Promise<void> {
    timer.clear();
    try {
      await load(signal);
    } catch (cause) {
      signal.throwIfAborted();
      const error = toError(cause);
      failures++;
      notBefore = now() + (error.fatal ? RETRY_REJECTED_AFTER : (error.retryAfter ?? 0) * 1_000);
      // A rejected key may be accepted again (a gateway's mistake), but nobody should be asked often.
      if (!error.fatal) timer.set(backOff(failures, error.retryAfter), refreshQuietly);
      else if (isReady) timer.set(Math.max(cacheTtlMs, RETRY_REJECTED_AFTER), refreshQuietly);
      listeners.onError?.(error);
      throw error;
    }
    if (cacheTtlMs > 0 && cacheTtlMs < Number.POSITIVE_INFINITY) timer.set(cacheTtlMs, refreshQuietly);
    if (announced !== undefined && announced !== version() && looked < LOOK_AGAIN) {
      timer.set(LOOK_AGAIN_AFTER * 2 ** looked++, refreshQuietly);
    }
    if (listening !== session && session) {
      listening = session;
      stream?.listen(session.signal);
    }
    if (failures > 0) {
      failures = 0;
      listeners.onRecover?.();
    }
  }

  async function load(signal: AbortSignal): Promise<void> {
    const { path, headers, ...request } = parts.ask?.() ?? { path: "/openfeature/flags", headers: {} };
    if (etag !== undefined) headers["if-none-match"] = etag;
    const answer = await connect(path, { ...request, headers, signal });
    // It may have been closed between the last byte and here.
    signal.throwIfAborted();
    if (answer.status === 304 && etag !== undefined) {
      expiresAt = now() + cacheTtlMs;
      return;
    }
    if (answer.status !== 200) throw toConnectionError(answer);
    const definitions = parse(answer.text);
    expiresAt = now() + cacheTtlMs;
    // Only a body that is taken over may be spared the next time.
    take({ definitions, etag: answer.headers.get("etag") ?? undefined });
    stored?.save(answer.text, etag);
  }

  /** Answers from what was stored, unless the server was quicker after all. */
  async function restore(error: ConnectionError): Promise<void> {
    const { signal } = session ?? {};
    const definitions = error.fatal ? undefined : await stored?.load();
    if (isReady || signal?.aborted) return;
    if (definitions === undefined) throw error;
    take({ definitions });
  }

  /** Failures have been told to the listener; closing is none. */
  function refreshQuietly(): void {
    refresh().catch(() => {});
  }

  /** The ETag of what there is, as the stream writes it; of other answers than definitions it knows none. */
  function version(): string | undefined {
    return parts.ask ? undefined : etag?.replace(/^(W\/)?"|"$/g, "");
  }

  const hear = (newest: string | undefined) => {
    announced = parts.ask ? undefined : newest;
    looked = 0;
    // What is under way may have left before the change; `run` looks again if so.
    if (session && failures === 0) refreshQuietly();
  };
  const stream = options.streaming ? parts.createChangeStream?.(options, version, hear) : undefined;

  return {
    engine,
    get isReady() {
      return isReady;
    },
    freshness() {
      if (now() < expiresAt) return "CACHED";
      // After a failure the back-off decides when to ask again, not the number of evaluations.
      if (session && underWay === undefined && failures === 0) refreshQuietly();
      return "STATIC";
    },
    async open(known) {
      session ??= new AbortController();
      if (known && !isReady) take(known);
      if (isReady) refreshQuietly();
      else await refresh().catch(restore);
    },
    refresh,
    revalidate() {
      if (session && now() >= notBefore) refreshQuietly();
    },
    async restart(known) {
      drop();
      etag = undefined;
      expiresAt = Number.NEGATIVE_INFINITY;
      if (known) take(known);
      const fetching = refresh();
      const current = asking;
      try {
        await fetching;
      } catch (error) {
        if (asking === current) isReady = known !== undefined;
        throw error;
      }
    },
    close() {
      drop();
      session?.abort();
      session = undefined;
      failures = 0;
    },
  };
}

function toError(cause: unknown): ConnectionError {
  if (cause instanceof ConnectionError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`Definitions were not taken over: ${message}`, 0, undefined, { cause });
}
