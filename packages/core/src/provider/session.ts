import { fingerprint } from "../bucketing/bucket.ts";
import { type ConnectionError, OptionError } from "../definitions/connection.ts";
import { createDefinitionStorage } from "../definitions/definition-storage.ts";
import { createEventQueue, type TrackingEvent } from "../definitions/event-queue.ts";
import { createDefinitionSource } from "../definitions/source.ts";
import type { JsonValue } from "../evaluation/definition.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import { createExposures } from "./exposure.ts";
import {
  checkProviderOptions,
  type EmbeddedProviderOptions,
  type RemoteProviderOptions,
  toTrackingOptions,
} from "./option.ts";
import {
  createResolve,
  type ProviderErrorCode,
  type ProviderState,
  type Resolution,
  type ValueKind,
} from "./resolution.ts";
import { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";

/** What a provider is to tell the SDK; each maps to the event of that name. */
export interface ProviderListeners {
  /** PROVIDER_CONFIGURATION_CHANGED, with exactly the flags whose answers may have changed. */
  onChange(flagsChanged: string[]): void;
  /** PROVIDER_STALE, once however long it lasts. */
  onStale(message: string): void;
  /** PROVIDER_READY: definitions are fresh again, or there for the first time after `open` had failed. */
  onReady(message: string): void;
}

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

/** Where answers come from and events go to; the two ways a provider can be made. */
interface Supply {
  engine: Engine;
  state(): ProviderState;
  /** Undefined where nothing is to be recorded. */
  send: ((event: TrackingEvent) => boolean) | undefined;
  open(): Promise<void>;
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
  codes: { readonly [Name in ProviderErrorCode]: Code },
  listeners: ProviderListeners,
): ProviderSession<Code> {
  const options: RemoteProviderOptions | EmbeddedProviderOptions = Object(given);
  checkProviderOptions(options);
  const { logger, flagSetId, reasons } = options;
  const tracking = toTrackingOptions(options.tracking);
  const dropped = (count: number, reason: Error) => {
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

  const supply =
    "engine" in options
      ? createEmbeddedSupply(options, dropped)
      : createRemoteSupply(options, dropped, {
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

type Dropped = (count: number, reason: Error) => void;

function createEmbeddedSupply({ engine, track, tracking }: EmbeddedProviderOptions, dropped: Dropped): Supply {
  if (typeof engine?.evaluate !== "function") throw new OptionError("engine", "an engine of @assay/core");
  const fail = (error: unknown) => dropped(1, error instanceof Error ? error : new Error(String(error)));
  const send = (event: TrackingEvent): boolean => {
    try {
      const sent: unknown = track?.(event);
      if (sent instanceof Promise) sent.catch(fail);
    } catch (error) {
      fail(error);
    }
    return true;
  };
  return {
    engine,
    state: () => "CACHED",
    send: track && tracking !== false ? send : undefined,
    async open() {},
    async close() {},
  };
}

function createRemoteSupply(options: RemoteProviderOptions, onDrop: Dropped, listeners: ProviderListeners): Supply {
  const { storage, logger, apiKey, baseUrl } = options;
  // Another key may see other flags, so it keeps them elsewhere; the name tells nothing of the key.
  const item = `assay:definitions:${fingerprint(`${baseUrl} ${apiKey}`, "storage")}`;
  const stored =
    storage &&
    createDefinitionStorage(storage, item, (error) => logger?.warn("The storage of definitions failed", error));
  let failure: ConnectionError | undefined;
  let isStale = false;
  const source = createDefinitionSource(
    { ...options, stored },
    {
      onError(error) {
        if (!failure) logger?.warn(`Definitions could not be fetched: ${error.message}`);
        failure = error;
        // Before the first definitions `open` tells it.
        if (!source.isReady || isStale) return;
        isStale = true;
        listeners.onStale(error.message);
      },
      onRecover() {
        logger?.info("Definitions are fresh again");
        failure = undefined;
        isStale = false;
        listeners.onReady("Definitions are fresh again");
      },
    },
  );
  const tracking = toTrackingOptions(options.tracking);
  const queue = createEventQueue({ ...options, ...tracking, onDrop });
  return {
    engine: source.engine,
    state() {
      if (!source.isReady) return failure?.fatal ? "FATAL" : "NOT_READY";
      const freshness = source.freshness();
      return freshness === "STATIC" && failure ? "STALE" : freshness;
    },
    send: tracking && queue.push,
    open: () => source.open(),
    async close() {
      source.close();
      failure = undefined;
      isStale = false;
      await Promise.all([queue.close(), stored?.idle()]);
    },
  };
}
