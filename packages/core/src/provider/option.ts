import type { DefinitionSourceOptions } from "../definitions/definition-source.ts";
import type { ItemStorage } from "../definitions/definition-storage.ts";
import type { EventQueueOptions, TrackingEvent } from "../definitions/event-queue.ts";
import { requireKinds, requireOneOf, requireOption } from "../definitions/option.ts";
import type { Engine } from "../evaluation/engine.ts";
import type { ReasonMode } from "./resolution.ts";

/** What a provider tells about its own work; OpenFeature's `Logger` and `console` are ones. */
export interface ProviderLogger {
  info(...message: unknown[]): void;
  warn(...message: unknown[]): void;
}

/** Options of tracking: exposures, and the events of `track`. */
export interface TrackingOptions
  extends Pick<EventQueueOptions, "capacity" | "batchSize" | "flushIntervalMs" | "onDrop"> {
  /**
   * Whether evaluations of flags that an ACTIVE experiment runs on are recorded, once for each user and variant.
   * @default true
   */
  exposures?: boolean;
  /**
   * Exposures remembered, so that each is recorded once.
   * @default 100000
   */
  exposureCapacity?: number;
  /**
   * Attributes of the context that go into exposures, for breakdowns of results.
   * @default none
   */
  attributes?: readonly string[];
}

/** Options of every provider. */
export interface ProviderOptions {
  /**
   * Which reasons to report; the metadata has both kinds.
   * @default "specification"
   */
  reasons?: ReasonMode;
  /**
   * False sends nothing: no exposures, and `track` does nothing.
   * @default true
   */
  tracking?: boolean | TrackingOptions;
  /** Shown as `flagSetId` in the metadata, for telemetry. @default what the server says */
  flagSetId?: string;
  /** Hears of lost connections, lost events and a storage that fails. @default silence */
  logger?: ProviderLogger;
}

/** Options of a provider that fetches its definitions over HTTP. */
export interface RemoteProviderOptions extends ProviderOptions, Omit<DefinitionSourceOptions, "stored"> {
  /** Keeps the last good definitions, so that a start succeeds while the server is away. */
  storage?: ItemStorage;
}

/** Options of a provider over an engine in the same process: no HTTP, no timers. */
export interface EmbeddedProviderOptions extends ProviderOptions {
  engine: Engine;
  /** Takes exposures and the events of `track`; without it nothing is recorded. May return a promise. */
  track?: (event: TrackingEvent) => unknown;
}

/** Checks the options that no other part does. @throws OptionError */
export function checkProviderOptions(options: ProviderOptions & { storage?: unknown }): void {
  const { tracking, logger, storage } = options;
  requireOneOf(options, "reasons", "specification", "evaluation");
  requireKinds(options, { "a string": ["flagSetId"] });
  requireMethods(logger, "logger", "info", "warn");
  requireMethods(storage, "storage", "getItem", "setItem");
  const isGood = tracking === undefined || typeof tracking === "boolean" || Object(tracking) === tracking;
  requireOption(isGood, "tracking", "true, false or options");
  const kinds = {
    "true or false": ["exposures"],
    "a whole number above 0": ["exposureCapacity"],
    "a list of names": ["attributes"],
  };
  requireKinds(toTrackingOptions(tracking) ?? {}, kinds, "tracking.");
}

/** The options of tracking; undefined where it is off. */
export function toTrackingOptions(tracking: ProviderOptions["tracking"] = true): TrackingOptions | undefined {
  return tracking === true ? {} : tracking || undefined;
}

function requireMethods(value: unknown, option: string, ...names: [string, string]): void {
  const methods = Object(value) as Record<string, unknown>;
  const areThere = value === undefined || names.every((name) => typeof methods[name] === "function");
  requireOption(areThere, option, `an object with ${names.join(" and ")}`);
}
