import { type Connection, type ConnectionOptions, createConnection } from "../definitions/connection.ts";
import { createEventQueue } from "../definitions/event-queue.ts";
import type { Loadable } from "../definitions/loader.ts";
import type { Source, SourceListeners } from "../definitions/source.ts";
import type { Outline } from "../program/outline.ts";
import { checkProviderOptions, type ProviderOptions, toTrackingOptions } from "./option.ts";
import type { ErrorCodes } from "./resolution.ts";
import { createSession, type ProviderEngine, type Session } from "./session.ts";

/**
 * Tells the SDK, by an event of that name: the flags whose answers may have changed, exactly; that answers are stale,
 * once however long it lasts; that they are fresh again, or there for the first time after `open` had failed.
 */
export type Tell<Code> = (
  event: "ConfigurationChanged" | "Stale" | "Ready" | "Error",
  details: { flagsChanged?: string[]; message?: string; errorCode?: Code },
) => void;

/** What a provider over HTTP needs of an engine. */
export interface RemoteEngine<D extends Outline> extends Pick<ProviderEngine, "evaluate" | "assign">, Loadable<D> {}

/** What a source tells the session over it. */
export interface RemoteListeners extends Required<Pick<SourceListeners, "onError" | "onRecover">> {
  /** The answers of these flags may have changed. */
  onChange(flags: string[]): void;
}

/** The session of a provider over HTTP. */
export interface RemoteSession<Code, D, E> extends Session<Code> {
  source: Source<D, E>;
  /** Sends what waits by a request that outlives the page. */
  flushBeforeUnload(): void;
  /** Sends what was tracked and stops fetching. The source may be opened again after that. */
  close(): Promise<void>;
}

/**
 * Creates the session of a provider over HTTP; its source is opened by whoever has it.
 * @throws OptionError where an option is missing or not of its kind.
 */
export function createRemoteSession<Code, D extends Outline, E extends RemoteEngine<D>>(
  createSource: (listeners: RemoteListeners, connection: Connection) => Source<D, E>,
  options: ProviderOptions & ConnectionOptions & { storage?: unknown; now?: () => number },
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): RemoteSession<Code, D, E> {
  checkProviderOptions(options);
  const { logger } = options;
  const tracking = toTrackingOptions(options.tracking);
  const connection = createConnection(options);
  let isStale = false;
  const source = createSource(
    {
      onChange(flagsChanged) {
        // The first definitions are no change.
        if (source.isReady && flagsChanged.length > 0) tell("ConfigurationChanged", { flagsChanged });
      },
      onError({ message }) {
        if (!source.failure) logger?.warn(`Definitions could not be fetched: ${message}`);
        // Before the first definitions `open` tells it.
        if (!source.isReady || isStale) return;
        isStale = true;
        tell("Stale", { message });
      },
      onRecover() {
        const message = "Definitions are fresh again";
        logger?.info(message);
        isStale = false;
        tell("Ready", { message });
      },
    },
    connection,
  );
  const { engine } = source;
  const queue = createEventQueue({ ...options, ...tracking }, connection, "tracking.");

  function state() {
    const { failure, isReady } = source;
    if (!isReady) return failure?.fatal ? "FATAL" : "NOT_READY";
    const freshness = source.freshness();
    return freshness === "STATIC" && failure ? "STALE" : freshness;
  }

  return {
    ...createSession({ engine, state, send: tracking && queue.push, drop: queue.drop }, options, codes),
    source,
    flushBeforeUnload: queue.flushBeforeUnload,
    async close() {
      source.close();
      isStale = false;
      await queue.close();
    },
  };
}
