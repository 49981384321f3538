import type { Outline } from "@assay/core";
import { type ConnectionError, createConnection } from "./connection.ts";
import { backOff, createTimer, readRetryAfter } from "./delay.ts";
import {
  createLoaderWith,
  type KnownDefinitions,
  type Loadable,
  type LoaderOptions,
  type LoadingParts,
} from "./loader.ts";
import { checkOptions, SWITCH } from "./option.ts";
import type { Follower, followChanges } from "./stream.ts";

const RETRY_REJECTED_AFTER = 60_000;

/** The parts of a source; unused parts stay out of a bundle. */
export interface SourceParts<D extends Outline, E extends Loadable<D>> extends LoadingParts<D, E> {
  /** Called once there are definitions and `streaming` is on; if absent, `streaming` has no effect. */
  followChanges?: typeof followChanges | undefined;
}

/** Options of a source, for any kind of content. */
export interface SourceOptions extends LoaderOptions {
  /**
   * Receives changes at once, over a stream of server-sent events, instead of with the next fetch. The open connection
   * keeps a Node process alive until `close`.
   * @default false
   */
  streaming?: boolean;
}

/** `CACHED` while the definitions are fresh, `STATIC` once they have expired and are being fetched again. */
export type Freshness = "CACHED" | "STATIC";

/** Events of a source's fetching. */
export interface SourceListeners<D = never> {
  /** These have just been replaced; on the first replacement, the source is not ready yet. */
  onReplace?(before: D): void;
  /** Fetching failed; the current definitions stay in use. `error.fatal`: the key was rejected. */
  onError?(error: ConnectionError): void;
  /** Fetching works again, or for the first time after `open` had failed. */
  onRecover?(): void;
}

/** Definitions fetched from the server and kept fresh, behind an engine that answers from them. */
export interface Source<D, E> {
  /** Answers from the newest good definitions; the same object for the lifetime of the source. */
  readonly engine: E;
  /** Whether there are definitions to answer from. */
  readonly isReady: boolean;
  /** Why the last fetch failed; undefined if it succeeded. During a listener's call: why the previous one failed. */
  readonly failure: ConnectionError | undefined;
  /** Whether they are fresh; if not, starts fetching them. */
  freshness(): Freshness;
  /** Answers from these from now on. */
  take(known: KnownDefinitions<D>): void;
  /**
   * Starts fetching; resolves once there are definitions, with `bootstrap` at once. May be called again after `close`.
   * If the first fetch fails, fetching continues in the background, unless the error is fatal.
   * @param known definitions to use, as expired ones, if there are none yet
   * @throws ConnectionError if the first fetch fails
   */
  open(known?: KnownDefinitions<D>): Promise<void>;
  /**
   * Fetches now; concurrent calls share one request.
   * @throws ConnectionError if that fails
   */
  refresh(): Promise<void>;
  /** Fetches in the background, unless the server has requested a delay, or has rejected the key. */
  revalidate(): void;
  /**
   * Opens again for a different request: answers to the earlier request are discarded. The current definitions are
   * served until there are new ones, or fetching has failed.
   * @throws ConnectionError as `open` does.
   */
  restart(known?: KnownDefinitions<D>): Promise<void>;
  /** Stops fetching and cancels the current request; the engine keeps answering. */
  close(): void;
}

/** Creates a source; inert until `open`. @throws OptionError if an option is invalid */
export function createSourceWith<D extends Outline, E extends Loadable<D>>(
  parts: SourceParts<D, E>,
  options: SourceOptions,
  listeners: SourceListeners<D> = {},
  connection = createConnection(options),
): Source<D, E> {
  const { cacheTtlMs = 300_000, streaming, now = Date.now } = options;
  checkOptions(options, { streaming: SWITCH });
  const loader = createLoaderWith(parts, options, connection, listeners.onReplace);
  const timer = createTimer();
  let failures = 0;
  let isOpen = false;
  // Stops following the server's announcements.
  let stream: AbortController | undefined;
  // The current request, and its abort controller.
  let underWay: Promise<void> | undefined;
  let asking: AbortController | undefined;
  // The requirement for the next request.
  let announced: string | undefined;
  // The current definitions answer a different request.
  let isForeign = false;
  // Not before this time.
  let notBefore = 0;

  function refresh(): Promise<void> {
    if (!underWay) {
      asking = new AbortController();
      const { signal } = asking;
      underWay = run(signal).finally(() => {
        if (!signal.aborted) underWay = undefined;
      });
    }
    return underWay;
  }

  /** The listener has received the failures; closing is not a failure. */
  function refreshQuietly(): Promise<void> {
    return refresh().catch(() => {});
  }

  function drop(): void {
    timer.clear();
    asking?.abort();
    underWay = undefined;
  }

  async function run(signal: AbortSignal): Promise<void> {
    timer.clear();
    try {
      const version = announced;
      announced = undefined;
      await loader.load(signal, version);
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause as ConnectionError;
      const { fatal, retryAfter = 0 } = error;
      failures++;
      notBefore = now() + (fatal ? RETRY_REJECTED_AFTER : retryAfter * 1_000);
      // A rejected key may be accepted again (a gateway's mistake), but retries should be rare.
      if (!fatal) timer.set(backOff(failures, retryAfter), refreshQuietly);
      else if (loader.isReady) timer.set(Math.max(cacheTtlMs, RETRY_REJECTED_AFTER), refreshQuietly);
      if (isForeign) loader.isReady = false;
      listeners.onError?.(error);
      source.failure = error;
      throw error;
    }
    isForeign = false;
    if (cacheTtlMs > 0) timer.set(cacheTtlMs, refreshQuietly);
    if (streaming && isOpen && !stream) {
      stream = new AbortController();
      parts.followChanges?.(follower, stream.signal);
    }
    if (failures > 0) {
      succeed();
      listeners.onRecover?.();
    }
  }

  function succeed(): void {
    failures = 0;
    source.failure = undefined;
  }

  /** The source as its stream uses it. The version is only known if answers are versioned. */
  const follower: Follower = {
    version: () => (parts.isVersioned ? /"([^".]*)/.exec(loader.etag ?? "")?.[1] : undefined),
    async refresh(version) {
      // The request may have left before the change; only a version proves that it did not.
      if (!parts.isVersioned) await underWay?.catch(() => {});
      announced = version;
      if (isOpen && failures === 0) await refreshQuietly();
    },
    tools: { exchange: connection.exchange, createTimer, backOff, readRetryAfter },
  };

  const source: Source<D, E> & { failure: ConnectionError | undefined } = Object.assign(loader, {
    failure: undefined as ConnectionError | undefined,
    refresh,
    freshness(): Freshness {
      if (now() < loader.expiresAt) return "CACHED";
      // After a failure the back-off decides when to retry, not the number of evaluations.
      if (isOpen && !underWay && failures === 0) void refreshQuietly();
      return "STATIC";
    },
    async open(known?: KnownDefinitions<D>) {
      isOpen = true;
      if (known && (isForeign || !loader.isReady)) {
        isForeign = false;
        loader.take(known);
      }
      if (isForeign || !loader.isReady) return refresh();
      void refreshQuietly();
    },
    revalidate() {
      if (isOpen && now() >= notBefore) void refreshQuietly();
    },
    restart(known?: KnownDefinitions<D>) {
      drop();
      isForeign = true;
      loader.etag = undefined;
      loader.expiresAt = 0;
      return source.open(known);
    },
    close() {
      drop();
      isOpen = false;
      stream?.abort();
      stream = undefined;
      succeed();
    },
  });
  return source;
}
