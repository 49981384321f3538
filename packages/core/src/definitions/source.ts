import type { HeldDefinitions } from "../evaluation/live-definitions.ts";
import type { Follower, followChanges } from "./change-stream.ts";
import { type ConnectionError, createExchange } from "./connection.ts";
import type { DefinitionSource, SourceListeners } from "./definition-source.ts";
import { backOff, createTimer } from "./delay.ts";
import { createLoader, type LoaderOptions, type LoaderParts } from "./loader.ts";
import { requireOption } from "./option.ts";

const RETRY_REJECTED_AFTER = 60_000;

/** What a definition source is put together from; what is not needed stays out of a bundle. */
export interface SourceParts<E extends HeldDefinitions> extends LoaderParts<E> {
  /** Called once there are definitions, where `streaming` is on; without it that does nothing. */
  followChanges?: typeof followChanges;
}

/**
 * `createDefinitionSource` over another engine, and without streaming where that is never wanted.
 * @throws OptionError where an option is not of its kind.
 */
export function createSourceWith<E extends HeldDefinitions>(
  parts: SourceParts<E>,
  options: LoaderOptions & { streaming?: boolean },
  listeners: Omit<SourceListeners, "onChange"> = {},
): DefinitionSource<E> {
  const { cacheTtlMs = 300_000, streaming = false, stored, now = Date.now } = options;
  requireOption(typeof streaming === "boolean", "streaming", "true or false");
  const loader = createLoader(parts, options);
  const timer = createTimer();
  let failures = 0;
  // Set between `open` and `close`; aborting it ends the stream that was begun in between.
  let session: AbortController | undefined;
  // The session that follows the server's announcements.
  let following: AbortController | undefined;
  // The request under way, and what ends it.
  let underWay: Promise<void> | undefined;
  let asking: AbortController | undefined;
  // What the request that is next has to bring.
  let announced: string | undefined;
  // Nobody should ask before this.
  let notBefore = 0;

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

  async function run(signal: AbortSignal): Promise<void> {
    timer.clear();
    try {
      const version = announced;
      announced = undefined;
      await loader.load(signal, version);
    } catch (cause) {
      signal.throwIfAborted();
      const error = cause as ConnectionError;
      failures++;
      notBefore = now() + (error.fatal ? RETRY_REJECTED_AFTER : (error.retryAfter ?? 0) * 1_000);
      // A rejected key may be accepted again (a gateway's mistake), but nobody should be asked often.
      if (!error.fatal) timer.set(backOff(failures, error.retryAfter), refreshQuietly);
      else if (loader.isReady) timer.set(Math.max(cacheTtlMs, RETRY_REJECTED_AFTER), refreshQuietly);
      listeners.onError?.(error);
      throw error;
    }
    if (cacheTtlMs > 0 && Number.isFinite(cacheTtlMs)) timer.set(cacheTtlMs, refreshQuietly);
    if (streaming && session && session !== following) {
      following = session;
      parts.followChanges?.(toFollower(), session.signal);
    }
    if (failures > 0) {
      failures = 0;
      listeners.onRecover?.();
    }
  }

  /** Answers from what was stored, unless the server was quicker after all. */
  async function restore(error: ConnectionError): Promise<void> {
    const { signal } = session ?? {};
    const definitions = error.fatal ? undefined : await stored?.load?.();
    if (loader.isReady || signal?.aborted) return;
    if (definitions === undefined) throw error;
    loader.take({ definitions });
  }

  /** Failures have been told to the listener; closing is none. */
  function refreshQuietly(): void {
    refresh().catch(() => {});
  }

  /** What a stream follows for; of other answers than definitions it knows no version. */
  function toFollower(): Follower {
    return {
      version: () => (parts.ask ? undefined : loader.etag?.replace(/^(W\/)?"|"$/g, "")),
      async refresh(version) {
        // It may have left before the change, which only a version can tell.
        if (parts.ask) await underWay?.catch(() => {});
        announced = version;
        if (session && failures === 0) await refresh().catch(() => {});
      },
      tools: { exchange: createExchange(options), createTimer, backOff },
    };
  }

  return {
    engine: loader.engine,
    get isReady() {
      return loader.isReady;
    },
    freshness() {
      if (now() < loader.expiresAt) return "CACHED";
      // After a failure the back-off decides when to ask again, not the number of evaluations.
      if (session && underWay === undefined && failures === 0) refreshQuietly();
      return "STATIC";
    },
    async open(known) {
      session ??= new AbortController();
      if (known && !loader.isReady) loader.take(known);
      if (loader.isReady) refreshQuietly();
      else await refresh().catch(restore);
    },
    refresh,
    revalidate() {
      if (session && now() >= notBefore) refreshQuietly();
    },
    async restart(known) {
      drop();
      loader.etag = undefined;
      loader.expiresAt = 0;
      if (known) loader.take(known);
      const fetching = refresh();
      const current = asking;
      try {
        await fetching;
      } catch (error) {
        if (asking === current) loader.isReady = known !== undefined;
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
