import type { Definitions } from "../evaluation/definition.ts";
import { createEngine, type Engine } from "../evaluation/engine.ts";
import type { DefinitionsChange, EngineOptions, LiveDefinitions } from "../evaluation/live-definitions.ts";
import { createChangeStream } from "./change-stream.ts";
import {
  ConnectionError,
  type ConnectionOptions,
  createConnection,
  OptionError,
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

/** Definitions fetched from the server and kept fresh, behind an engine that answers from them. */
export interface DefinitionSource<E extends LiveDefinitions = Engine> {
  /** Answers from the newest good definitions; the same object for as long as the source lives. */
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  readonly isReady: boolean;
  /** Whether they are fresh; where they are not, starts fetching them. */
  freshness(): Freshness;
  /**
   * Starts fetching; resolves once there are definitions, which with `bootstrap` is at once. May be called again
   * after `close`. Where the first fetch fails, fetching goes on in the background, unless the error is fatal.
   * @throws ConnectionError where the first fetch fails, and nothing good is stored.
   */
  open(): Promise<void>;
  /**
   * Fetches now; calls that come while one is under way share it.
   * @throws ConnectionError where that fails.
   */
  refresh(): Promise<void>;
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
  return createSourceWith({ createEngine, createChangeStream }, options, listeners);
}

/** What a definition source is put together from; what is not needed stays out of a bundle. */
export interface SourceParts<E extends LiveDefinitions> {
  createEngine: (definitions: Definitions, options: EngineOptions) => E;
  /** Without it `streaming` does nothing. */
  createChangeStream?: typeof createChangeStream;
}

/**
 * {@link createDefinitionSource} over another engine, and without streaming where that is never wanted.
 * @throws OptionError where an option is not of its kind.
 */
export function createSourceWith<E extends LiveDefinitions>(
  parts: SourceParts<E>,
  options: DefinitionSourceOptions,
  listeners: SourceListeners = {},
): DefinitionSource<E> {
  const { cacheTtlMs = 300_000, bootstrap, stored, now = Date.now } = options;
  if (typeof cacheTtlMs !== "number" || !(cacheTtlMs >= 0)) throw new OptionError("cacheTtlMs", "a number of ms");
  const connect = createConnection(options);
  const engine = parts.createEngine(bootstrap ?? NO_DEFINITIONS, { now });
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
  // Set between `open` and `close`; aborting it ends whatever was begun in between.
  let session: AbortController | undefined;
  let underWay: Promise<void> | undefined;

  function refresh(): Promise<void> {
    session ??= new AbortController();
    const current = session;
    underWay ??= run(current.signal).finally(() => {
      if (session === current) underWay = undefined;
    });
    return underWay;
  }

  async function run(signal: AbortSignal): Promise<void> {
    timer.clear();
    try {
      await load(signal);
    } catch (cause) {
      signal.throwIfAborted();
      const error = toError(cause);
      failures++;
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
    const headers: Record<string, string> = etag === undefined ? {} : { "if-none-match": etag };
    const answer = await connect("/openfeature/flags", { headers, signal });
    // It may have been closed between the last byte and here.
    signal.throwIfAborted();
    if (answer.status === 304) {
      expiresAt = now() + cacheTtlMs;
      return;
    }
    if (answer.status !== 200) throw toConnectionError(answer);
    const definitions = parseDefinitions(answer.text);
    // Only a body that is taken over may be spared the next time.
    etag = answer.headers.get("etag") ?? undefined;
    expiresAt = now() + cacheTtlMs;
    isReady = true;
    engine.update(definitions);
    stored?.save(answer.text);
  }

  /** Answers from what was stored, unless the server was quicker after all. */
  async function restore(error: ConnectionError): Promise<void> {
    const { signal } = session ?? {};
    const definitions = error.fatal ? undefined : await stored?.load();
    if (isReady || signal?.aborted) return;
    if (definitions === undefined) throw error;
    isReady = true;
    engine.update(definitions);
  }

  /** Failures have been told to the listener; closing is none. */
  function refreshQuietly(): void {
    refresh().catch(() => {});
  }

  /** The ETag of what there is, as the stream writes it. */
  function version(): string | undefined {
    return etag?.replace(/^(W\/)?"|"$/g, "");
  }

  const hear = (newest: string | undefined) => {
    announced = newest;
    looked = 0;
    // What is under way may have left before the change; `run` looks again if so.
    if (session && failures === 0) refreshQuietly();
  };
  const stream = options.streaming ? parts.createChangeStream?.(options, version, hear) : undefined;

  if (listeners.onChange) engine.onChange(listeners.onChange);

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
    async open() {
      session ??= new AbortController();
      if (isReady) refreshQuietly();
      else await refresh().catch(restore);
    },
    refresh,
    close() {
      timer.clear();
      session?.abort();
      session = undefined;
      underWay = undefined;
      failures = 0;
    },
  };
}

function toError(cause: unknown): ConnectionError {
  if (cause instanceof ConnectionError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  return new ConnectionError(`Definitions were not taken over: ${message}`, 0, undefined, { cause });
}
