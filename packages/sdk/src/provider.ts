import type { EvaluationContext, JsonValue } from "@assay/core";
import type { ConnectionError } from "./connection.ts";
import type { EventQueue } from "./event-queue.ts";
import { createExposures } from "./exposure.ts";
import type { ProviderEngine } from "./format.ts";
import type { Poller, PollerListeners } from "./poller.ts";
import {
  checkProviderOptions,
  type OutageOptions,
  type ProviderOptions,
  toTrackingOptions,
} from "./provider-option.ts";
import { createResolve, type ErrorCodes, type ProviderState, type Resolution, type ValueKind } from "./resolution.ts";
import { createTimer } from "./timer.ts";
import { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";

/** The source of a provider's flags: a poller, or an engine in the same process. */
export type FlagSource = Pick<Poller<never, ProviderEngine>, "engine" | "isReady" | "failure" | "freshness" | "close">;

/** Events of a source for its provider. */
export interface FlagSourceListeners extends Required<Pick<PollerListeners, "onError" | "onRecover">> {
  /** Called with the keys of the flags whose results may have changed. */
  onChange(flags: string[]): void;
}

/**
 * Emits an event of the SDK: exactly the flags whose answers may have changed; stale answers, once per outage; fresh
 * answers again, or for the first time after opening had failed.
 */
export type Emit<Code> = (
  event: "ConfigurationChanged" | "Stale" | "Ready" | "Error",
  details: { flagsChanged?: string[]; message?: string; errorCode?: Code },
) => void;

/**
 * The part of a provider that does not depend on an OpenFeature SDK: evaluation, exposures, tracking, events, closing.
 */
export interface ProviderCore<Code> {
  /** Evaluates one flag; never throws. */
  resolve<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
  ): Resolution<T, Code>;
  /** Returns whether {@link expose} has work to do. If not, an SDK need not call hooks. */
  exposes(): boolean;
  /** Records a completed evaluation as an exposure if an experiment runs on the flag; never throws. */
  expose(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
  /** Queues the event of a `track` call; never throws. */
  track(name: string, context: EvaluationContext, details?: TrackDetails): void;
  /** Sends tracked events and closes the source of flags, which can be opened again. */
  close(): Promise<void>;
}

/**
 * Creates the core of a provider over a source of flags, which the caller opens, and a queue of events. Its `report`
 * repeats a failure of the source: as stale flags, or as an error if there are no flags or the outage is a long one.
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError if an option is invalid
 */
export function createProviderCore<Code, S extends FlagSource>(
  createSource: (listeners: FlagSourceListeners) => S,
  queue: Pick<EventQueue, "push" | "drop" | "close">,
  options: ProviderOptions & OutageOptions & { storage?: unknown },
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): ProviderCore<Code> & { source: S; report(failure: ConnectionError): void } {
  checkProviderOptions(options);
  const { logger, errorAfterMs } = options;
  const tracking = toTrackingOptions(options.tracking);
  const timer = createTimer();
  // The event of the current outage, if there were flags before.
  let outage: "Stale" | "Error" | undefined;

  function endOutage(): void {
    timer.clear();
    outage = undefined;
  }

  /** Emits a failure. It is not fatal while there are flags, because the SDK would no longer ask the provider. */
  function report({ message, fatal }: ConnectionError): void {
    const { isReady } = source;
    if (isReady && outage !== "Error") emit("Stale", { message });
    else emit("Error", { message, errorCode: fatal && !isReady ? codes.PROVIDER_FATAL : codes.GENERAL });
  }

  const source = createSource({
    onChange(flagsChanged) {
      // The first definitions are not a change.
      if (source.isReady && flagsChanged.length > 0) emit("ConfigurationChanged", { flagsChanged });
    },
    onError(error) {
      if (!source.failure) logger?.warn(`Fetching failed: ${error.message}`);
      // Before the first definitions, opening reports the error.
      if (!source.isReady || outage) return;
      outage = "Stale";
      report(error);
      if (errorAfterMs === undefined) return;
      timer.set(errorAfterMs, () => {
        outage = "Error";
        report(error);
      });
    },
    onRecover() {
      const message = "Definitions are fresh";
      logger?.info(message);
      endOutage();
      emit("Ready", { message });
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
    report,
    resolve: (flagKey, defaultValue, context, kind) => resolve(flagKey, defaultValue, context, kind, state()),
    exposes: () => !!exposures?.isNeeded,
    expose(flagKey, variant, context) {
      try {
        exposures?.record(flagKey, variant, context);
      } catch (error) {
        logger?.warn("Exposure failed", error);
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
      endOutage();
      await queue.close();
    },
  };
}
