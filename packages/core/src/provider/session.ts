import type { TrackingEvent } from "../definitions/event-queue.ts";
import type { JsonValue } from "../evaluation/definition.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import type { Outline } from "../program/outline.ts";
import { createExposures } from "./exposure.ts";
import { type ProviderOptions, toTrackingOptions } from "./option.ts";
import { createResolve, type ErrorCodes, type ProviderState, type Resolution, type ValueKind } from "./resolution.ts";
import { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";

/** What a provider needs of an engine. */
export interface ProviderEngine extends Pick<Engine, "evaluate" | "assign"> {
  readonly definitions: Outline;
}

/** Where answers come from and events go to. */
export interface Supply {
  engine: ProviderEngine;
  state(): ProviderState;
  /** Undefined where nothing is to be recorded. */
  send: ((event: TrackingEvent) => boolean) | undefined;
  /** Hears of events that were lost. */
  drop(count: number, reason: unknown): void;
}

/** Everything a provider does with each call that is not the SDK's: evaluate, record, track. */
export interface Session<Code> {
  /** Answers for one flag; never throws. */
  resolve<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
  ): Resolution<T, Code>;
  /** Whether {@link expose} has anything to do now; while it has not, an SDK need not call hooks. */
  exposes(): boolean;
  /** Records an evaluation that the SDK has completed, where it is an exposure; never throws. */
  expose(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
  /** Queues the event of a `track` call; never throws. */
  track(name: string, context: EvaluationContext, details?: TrackDetails): void;
}

/** Creates a session over a supply. @param codes the SDK's own error codes by their names: its `ErrorCode` */
export function createSession<Code>(
  { engine, state, send, drop }: Supply,
  options: ProviderOptions,
  codes: ErrorCodes<Code>,
): Session<Code> {
  const { exposures, ...tracking } = toTrackingOptions(options.tracking) ?? {};
  const resolve = createResolve(engine, { ...options, codes });
  const recorder = send && exposures !== false ? createExposures(engine, send, tracking) : undefined;

  return {
    resolve: (flagKey, defaultValue, context, kind) => resolve(flagKey, defaultValue, context, kind, state()),
    exposes: () => recorder?.isNeeded ?? false,
    expose(flagKey, variant, context) {
      try {
        recorder?.record(flagKey, variant, context);
      } catch (error) {
        options.logger?.warn("An exposure could not be recorded", error);
      }
    },
    track(name, context, details) {
      const event = send && toTrackingEvent(name, context, details);
      if (event) send(event);
      else if (send) drop(1, `Event ${JSON.stringify(name)} has no targeting key`);
    },
  };
}
