import type { Definitions } from "../evaluation/definition.ts";
import type { EngineOptions, HeldDefinitions } from "../evaluation/live-definitions.ts";
import type { Follower, followChanges } from "./change-stream.ts";
import { ConnectionError, createConnection, createExchange, type Outgoing, toConnectionError } from "./connection.ts";
import { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
import type {
  DefinitionSource,
  DefinitionSourceOptions,
  KnownDefinitions,
  SourceListeners,
} from "./definition-source.ts";
import { backOff, createTimer } from "./delay.ts";
import { readOption, requireDuration, requireOption } from "./option.ts";

const RETRY_REJECTED_AFTER = 60_000;

/** What a definition source is put together from; what is not needed stays out of a bundle. */
export interface SourceParts<E extends HeldDefinitions> {
  createEngine: (definitions: Definitions, options: EngineOptions) => E;
  /** Called once there are definitions, where `streaming` is on; without it that does nothing. */
  followChanges?: typeof followChanges;
  /** What to ask the server for, in place of the definitions. */
  ask?: () => Omit<Outgoing, "signal"> & { path: string };
  /** Reads the answer to that, as text or as the JSON it is. @throws where it is not one */
  parse?: (body: unknown) => Definitions;
}

/**
 * `createDefinitionSource` over another engine, and without streaming where that is never wanted.
 * @throws OptionError where an option is not of its kind.
 */
export function createSourceWith<E extends HeldDefinitions>(
  parts: SourceParts<E>,
  options: Omit<DefinitionSourceOptions, "bootstrap"> & { bootstrap?: unknown },
  listeners: Omit<SourceListeners, "onChange"> = {},
): DefinitionSource<E> {
  const { cacheTtlMs = 300_000, streaming = false, bootstrap, stored, now = Date.now } = options;
  const { parse = parseDefinitions } = parts;
  requireDuration(cacheTtlMs, "cacheTtlMs");
  requireOption(typeof streaming === "boolean", "streaming", "true or false");
  const connect = createConnection(options);
  const known =
    bootstrap === undefined
      ? NO_DEFINITIONS
      : readOption("bootstrap", "an answer of the server", () => parse(bootstrap));
  const engine = parts.createEngine(known, { now });
  const timer = createTimer();
  let isReady = bootstrap !== undefined;
  let expiresAt = 0;
  let etag: string | undefined;
  let failures = 0;
  // Set between `open` and `close`; aborting it ends the stream that was begun in between.
  let session: AbortController | undefined;
  // The session that follows the server's announcements.
  let following: AbortController | undefined;
  // The request under way, and what ends it.
  let underWay: Promise<void> | undefined;
  let asking: AbortController | undefined;
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
    if (cacheTtlMs > 0 && Number.isFinite(cacheTtlMs)) timer.set(cacheTtlMs, refreshQuietly);
    if (streaming && session && session !== following) {
      following = session;
      parts.followChanges?.(follower, session.signal);
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

  const follower: Follower = {
    version: () => (parts.ask ? undefined : etag?.replace(/^(W\/)?"|"$/g, "")),
    async refresh() {
      if (session && failures === 0) await refresh().catch(() => {});
    },
    tools: { exchange: createExchange(options), createTimer, backOff },
  };

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
      expiresAt = 0;
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
