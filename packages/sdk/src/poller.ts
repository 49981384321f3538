import type { Cache, CacheEntry } from "./cache.ts";
import { type ConnectionError, type ConnectionOptions, createConnection } from "./connection.ts";
import { fetchFlags } from "./fetcher.ts";
import type { Format, ProviderOutline, UpdatableEngine } from "./format.ts";
import { checkOptions, DURATION, readOption, SWITCH } from "./option.ts";
import { MAX_BACKOFF_MS, readRetryAfter, retryDelay } from "./retry.ts";
import type { Follower, followChanges } from "./stream.ts";
import { createTimer } from "./timer.ts";

/** Options of a poller, for every format. */
export interface PollerOptions extends ConnectionOptions {
  /**
   * Milliseconds for which fetched definitions are fresh. Expired definitions are served while they are fetched again.
   * @default 300000
   */
  cacheTtlMs?: number;
  /** Definitions to serve, as expired, until the server has responded; in the poller's format. */
  bootstrap?: unknown;
  /** Milliseconds since the epoch. @default Date.now */
  now?: () => number;
  /**
   * Receives changes immediately over server-sent events instead of with the next fetch. The open connection keeps a
   * Node process alive until `close`.
   * @default false
   */
  streaming?: boolean;
}

/** The parts of a poller. Bundles leave out unused parts. */
export interface PollerParts<D extends ProviderOutline, E extends UpdatableEngine<D>> extends Format<D, E> {
  /**
   * Follows announced changes if `streaming` is on. Called once there are definitions; without it, `streaming` has no
   * effect.
   */
  followChanges?: typeof followChanges | undefined;
}

/** `CACHED` while the definitions are fresh, `STATIC` once they have expired and are being fetched again. */
export type Freshness = "CACHED" | "STATIC";

/** Events of a poller. */
export interface PollerListeners<D = never> {
  /** Called after definitions were replaced, with the previous ones. On the first call the poller is not ready yet. */
  onReplace?(before: D): void;
  /** Called when fetching failed; the current definitions stay in use. `error.fatal`: the server rejected the key. */
  onError?(error: ConnectionError): void;
  /** Called when fetching works again, or for the first time after `open` failed. */
  onRecover?(): void;
}

/** Definitions fetched from the server and kept fresh by a timer and a stream, behind an engine. */
export interface Poller<D, E> {
  /** The engine over the newest valid definitions; the same object for the lifetime of the poller. */
  readonly engine: E;
  /** Whether there are definitions to evaluate. */
  readonly isReady: boolean;
  /** The error of the last fetch; undefined if it succeeded. During a listener's call: that of the fetch before. */
  readonly failure: ConnectionError | undefined;
  /** Returns whether the definitions are fresh. If they are not, starts fetching them. */
  freshness(): Freshness;
  /** Replaces the definitions. */
  replace(entry: CacheEntry<D>): void;
  /**
   * Starts fetching; resolves once there are definitions, with `bootstrap` at once. May be called again after `close`.
   * If the first fetch fails, fetching continues in the background, unless the error is fatal.
   * @param cached definitions to use, as expired ones, if there are none yet
   * @throws ConnectionError if the first fetch fails
   */
  open(cached?: CacheEntry<D>): Promise<void>;
  /**
   * Fetches now; concurrent calls share one request.
   * @throws ConnectionError if that fails
   */
  refresh(): Promise<void>;
  /** Fetches in the background, unless the server requested a delay or rejected the key. */
  revalidate(): void;
  /**
   * Opens again for a different request: responses to the earlier request are discarded. The current definitions are
   * served until there are new ones, or fetching has failed.
   * @throws ConnectionError as `open` does.
   */
  restart(cached?: CacheEntry<D>): Promise<void>;
  /** Stops fetching and cancels the current request. The engine still evaluates. */
  close(): void;
}

/**
 * Creates a poller. It does nothing until `open`.
 * @throws OptionError if an option is invalid
 */
export function createPoller<D extends ProviderOutline, E extends UpdatableEngine<D>>(
  parts: PollerParts<D, E>,
  options: PollerOptions & { cache?: Pick<Cache<D>, "save"> | undefined },
  listeners: PollerListeners<D> = {},
  connection = createConnection(options),
): Poller<D, E> {
  const { cacheTtlMs = 300_000, bootstrap, streaming, now = Date.now, cache } = options;
  checkOptions(options, { cacheTtlMs: DURATION, streaming: SWITCH });
  let isReady = bootstrap !== undefined;
  const initial = isReady ? readOption("bootstrap", parts.bootstrap, () => parts.parse(bootstrap)) : parts.empty;
  const engine = parts.createEngine(initial, { now });
  const timer = createTimer();
  // The ETag for the next conditional request.
  let etag: string | null | undefined;
  // Milliseconds since the epoch until which the definitions count as fresh.
  let expiresAt = 0;
  let failures = 0;
  let isOpen = false;
  // Stops following the server's announcements.
  let stream: AbortController | undefined;
  // The current request, and its abort controller.
  let inFlight: Promise<void> | undefined;
  let request: AbortController | undefined;
  // The version that the next request must ask for.
  let announced: string | undefined;
  // The current definitions answer a different request.
  let isForeign = false;
  // Milliseconds since the epoch before which the server does not want a request.
  let notBefore = 0;

  function refresh(): Promise<void> {
    if (!inFlight) {
      request = new AbortController();
      const { signal } = request;
      inFlight = run(signal).finally(() => {
        if (!signal.aborted) inFlight = undefined;
      });
    }
    return inFlight;
  }

  /** The listener has received the failures; closing is not a failure. */
  function refreshQuietly(): Promise<void> {
    return refresh().catch(() => {});
  }

  function cancel(): void {
    timer.clear();
    request?.abort();
    inFlight = undefined;
  }

  function replace(entry: CacheEntry<D>): void {
    const before = engine.definitions;
    engine.update(entry.definitions);
    listeners.onReplace?.(before);
    etag = entry.etag;
    isReady = true;
  }

  function renew(): void {
    expiresAt = now() + cacheTtlMs;
  }

  async function run(signal: AbortSignal): Promise<void> {
    timer.clear();
    try {
      const version = announced;
      announced = undefined;
      const onNew = (definitions: D, etag: string | null, body: string) => {
        renew();
        replace({ definitions, etag });
        cache?.save(parts.redact?.(body) ?? body, etag);
      };
      await fetchFlags(connection, parts, etag, onNew, signal, version);
      renew();
    } catch (cause) {
      if (signal.aborted) throw cause;
      const error = cause as ConnectionError;
      const { fatal, retryAfter = 0 } = error;
      failures++;
      notBefore = now() + (fatal ? MAX_BACKOFF_MS : retryAfter * 1_000);
      // A rejected key may be accepted again (a gateway's mistake), but retries should be rare.
      if (!fatal) timer.set(retryDelay(failures, retryAfter), refreshQuietly);
      else if (isReady) timer.set(Math.max(cacheTtlMs, MAX_BACKOFF_MS), refreshQuietly);
      if (isForeign) isReady = false;
      listeners.onError?.(error);
      poller.failure = error;
      throw error;
    }
    isForeign = false;
    if (cacheTtlMs > 0) timer.set(cacheTtlMs, refreshQuietly);
    if (streaming && isOpen && !stream) {
      stream = new AbortController();
      parts.followChanges?.(follower, stream.signal);
    }
    if (failures > 0) {
      clearFailures();
      listeners.onRecover?.();
    }
  }

  function clearFailures(): void {
    failures = 0;
    poller.failure = undefined;
  }

  /** The poller as its stream uses it. Its version is unknown if ETags are opaque. */
  const follower: Follower = {
    version: () => (parts.opaqueEtag ? undefined : /"([^".]*)/.exec(etag ?? "")?.[1]),
    async refresh(version) {
      // The request may have left before the change; only a version proves that it did not.
      if (parts.opaqueEtag) await inFlight?.catch(() => {});
      announced = version;
      if (isOpen && failures === 0) await refreshQuietly();
    },
    fetch: connection.fetch,
    createTimer,
    retryDelay,
    readRetryAfter,
  };

  const poller: Poller<D, E> & { failure: ConnectionError | undefined } = {
    engine,
    get isReady() {
      return isReady;
    },
    failure: undefined,
    refresh,
    replace,
    freshness() {
      if (now() < expiresAt) return "CACHED";
      // After a failure the back-off decides when to retry, not the number of evaluations.
      if (isOpen && !inFlight && failures === 0) void refreshQuietly();
      return "STATIC";
    },
    async open(cached) {
      isOpen = true;
      if (cached && (isForeign || !isReady)) {
        isForeign = false;
        replace(cached);
      }
      if (isForeign || !isReady) return refresh();
      void refreshQuietly();
    },
    revalidate() {
      if (isOpen && now() >= notBefore) void refreshQuietly();
    },
    restart(cached) {
      cancel();
      isForeign = true;
      etag = null;
      expiresAt = 0;
      return poller.open(cached);
    },
    close() {
      cancel();
      isOpen = false;
      stream?.abort();
      stream = undefined;
      clearFailures();
    },
  };
  return poller;
}
