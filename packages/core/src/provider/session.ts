import type { JsonValue } from "../evaluation/definition.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import { createExposures } from "./exposure.ts";
import {
  checkProviderOptions,
  type EmbeddedProviderOptions,
  type ProviderOptions,
  type RemoteProviderOptions,
  toTrackingOptions,
} from "./option.ts";
import { createResolve, type ErrorCodes, type Resolution, type ValueKind } from "./resolution.ts";
import {
  createEmbeddedSupply,
  createRemoteSupply,
  createStoredSource,
  type Dropped,
  type ProviderListeners,
  type Supply,
} from "./supply.ts";
import { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";

/** Everything a provider does that is not the SDK's: evaluate, record, track, begin and end. */
export interface ProviderSession<Code> {
  /** Answers for one flag; never throws. */
  resolve<T extends JsonValue>(
    flagKey: string,
    defaultValue: T,
    context: EvaluationContext,
    kind: ValueKind,
  ): Resolution<T, Code>;
  /** Whether {@link expose} has anything to do now; while it has not, an SDK need not call hooks. */
  readonly exposes: boolean;
  /** Records an evaluation that the SDK has completed, where it is an exposure; never throws. */
  expose(flagKey: string, variant: string | undefined, context: EvaluationContext): void;
  /** Queues the event of a `track` call; never throws. */
  track(name: string, context: EvaluationContext, details?: TrackDetails): void;
  /** Resolves once there is something to answer from. @throws ConnectionError; `fatal` where the key was rejected */
  open(): Promise<void>;
  /** Sends what was tracked, finishes writing, stops fetching. May be opened again after that. */
  close(): Promise<void>;
}

/**
 * Creates what a provider of either OpenFeature SDK is made of.
 *
 * @param codes the SDK's own error codes by their names: its `ErrorCode`
 * @throws OptionError where an option is missing or not of its kind.
 */
export function createProviderSession<Code>(
  given: RemoteProviderOptions | EmbeddedProviderOptions,
  codes: ErrorCodes<Code>,
  listeners: ProviderListeners,
): ProviderSession<Code> {
  const options: RemoteProviderOptions | EmbeddedProviderOptions = Object(given);
  return createSessionOver(
    (dropped, told) =>
      "engine" in options
        ? createEmbeddedSupply(options, dropped)
        : createRemoteSupply((heard) => createStoredSource(options, heard), options, dropped, told),
    options,
    codes,
    listeners,
  );
}

/**
 * {@link createProviderSession} over another supply.
 *
 * @throws OptionError where an option is missing or not of its kind.
 */
export function createSessionOver<Code>(
  createSupply: (dropped: Dropped, listeners: ProviderListeners) => Supply,
  options: ProviderOptions & { storage?: unknown },
  codes: ErrorCodes<Code>,
  listeners: ProviderListeners,
): ProviderSession<Code> {
  checkProviderOptions(options);
  const { logger, flagSetId, reasons } = options;
  const tracking = toTrackingOptions(options.tracking);
  const dropped: Dropped = (count, reason) => {
    logger?.warn(`${count} events were lost: ${reason.message}`);
    tracking?.onDrop?.(count, reason);
  };
  let unsubscribe: (() => void) | undefined;

  /** From here on a change is one; the first definitions are none. */
  function subscribe(): void {
    unsubscribe ??= supply.engine.onChange(({ flags }) => {
      if (flags.length > 0) listeners.onChange(flags);
    });
  }

  const supply = createSupply(dropped, {
    ...listeners,
    onReady(message) {
      subscribe();
      listeners.onReady(message);
    },
  });
  const { engine, send } = supply;
  const resolve = createResolve(engine, { codes, reasons, flagSetId });
  const exposures =
    send && tracking?.exposures !== false
      ? createExposures(engine, send, { attributes: tracking?.attributes, capacity: tracking?.exposureCapacity })
      : undefined;

  return {
    resolve: (flagKey, defaultValue, context, kind) => resolve(flagKey, defaultValue, context, kind, supply.state()),
    get exposes() {
      return exposures?.isNeeded ?? false;
    },
    expose(flagKey, variant, context) {
      try {
        exposures?.record(flagKey, variant, context);
      } catch (error) {
        logger?.warn("An exposure could not be recorded", error);
      }
    },
    track(name, context, details) {
      if (!send) return;
      const event = toTrackingEvent(name, context, details);
      if (event) send(event);
      else dropped(1, new Error(`Event ${JSON.stringify(name)} has no targeting key`));
    },
    async open() {
      await supply.open();
      subscribe();
    },
    async close() {
      unsubscribe?.();
      unsubscribe = undefined;
      await supply.close();
    },
  };
}
