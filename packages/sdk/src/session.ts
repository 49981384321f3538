import type { Engine, EvaluationContext, JsonValue, Outline } from "@assay/core";
import type { ConnectionError } from "./connection.ts";
import type { EventQueue } from "./event-queue.ts";
import { createExposures } from "./exposure.ts";
import { checkProviderOptions, type ProviderOptions, toTrackingOptions } from "./provider-option.ts";
import { createResolve, type ErrorCodes, type ProviderState, type Resolution, type ValueKind } from "./resolution.ts";
import type { Freshness, SourceListeners } from "./source.ts";
import { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";

/** The parts of an engine that a provider uses. */
export interface ProviderEngine extends Pick<Engine, "evaluate" | "assign"> {
  readonly definitions: Outline;
}

/** The supply of answers: a source over HTTP, or an engine in the same process. */
export interface Supply {
  readonly engine: ProviderEngine;
  /** Whether there are definitions to answer from. */
  readonly isReady: boolean;
  /** Why the definitions are not fresh; undefined if they are. */
  readonly failure: ConnectionError | undefined;
  freshness(): Freshness;
  close(): void;
}

/** Events of a supply for its session. */
export interface SupplyListeners extends Required<Pick<SourceListeners, "onError" | "onRecover">> {
  /** The answers of these flags may have changed. */
  onChange(flags: string[]): void;
}

/**
 * Emits an event of the SDK: exactly the flags whose answers may have changed; stale answers, once per outage; fresh
 * answers again, or for the first time after opening had failed.
 */
export type Tell<Code> = (
  event: "ConfigurationChanged" | "Stale" | "Ready" | "Error",
  details: { flagsChanged?: string[]; message?: string; errorCode?: Code },
) => void;

/** The work of a provider that is independent of the SDK: evaluate, record, track, emit events, and close. */
export interface Session<Code, S> {
  /** The owner of the session opens it. */
  source: S;
  /** Answers for one flag; never throws. */
  resolve<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
  ): Resolution<T, Code>;
  /** Whether {@link expose} has work to do now; if not, an SDK need not call hooks. */
  exposes(): boolean;
  /** Records a completed evaluation, if it is an exposure; never throws. */
  expose(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
  /** Queues the event of a `track` call; never throws. */
  track(name: string, context: EvaluationContext, details?: TrackDetails): void;
  /** Sends tracked events, and closes the source, which may be opened again. */
  close(): Promise<void>;
}

/**
 * Creates a session over a supply and a queue of events.
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError if an option is invalid
 */
export function createSession<Code, S extends Supply>(
  createSource: (listeners: SupplyListeners) => S,
  queue: Pick<EventQueue, "push" | "drop" | "close">,
  options: ProviderOptions & { storage?: unknown },
  codes: ErrorCodes<Code>,
  tell: Tell<Code>,
): Session<Code, S> {
  checkProviderOptions(options);
  const { logger } = options;
  const tracking = toTrackingOptions(options.tracking);
  let isStale = false;
  const source = createSource({
    onChange(flagsChanged) {
      // The first definitions are not a change.
      if (source.isReady && flagsChanged.length > 0) tell("ConfigurationChanged", { flagsChanged });
    },
    onError({ message }) {
      if (!source.failure) logger?.warn(`Fetching definitions failed: ${message}`);
      // Before the first definitions, opening reports the error.
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
  });
  const { engine } = source;
  const resolve = createResolve(engine, { ...options, codes });
  const exposures =
    tracking && tracking.exposures !== false ? createExposures(engine, queue.push, tracking) : undefined;

  function state(): ProviderState {
    const { failure } = source;
    if (!source.isReady) return failure?.fatal ? "FATAL" : "NOT_READY";
    const freshness = source.freshness();
    return freshness === "STATIC" && failure ? "STALE" : freshness;
  }

  return {
    source,
    resolve: (flagKey, defaultValue, context, kind) => resolve(flagKey, defaultValue, context, kind, state()),
    exposes: () => exposures?.isNeeded ?? false,
    expose(flagKey, variant, context) {
      try {
        exposures?.record(flagKey, variant, context);
      } catch (error) {
        logger?.warn("Recording an exposure failed", error);
      }
    },
    track(name, context, details) {
      if (!tracking) return;
      const event = toTrackingEvent(name, context, details);
      if (event) queue.push(event);
      else queue.drop(1, `Event ${JSON.stringify(name)} has no targeting key`);
    },
    async close() {
      source.close();
      isStale = false;
      await queue.close();
    },
  };
}
