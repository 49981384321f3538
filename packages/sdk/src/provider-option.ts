import type { Definitions, ReadonlyEngine } from "@assay/core";
import type { ItemStorage } from "./cache.ts";
import type { EventQueueOptions, TrackingEvent } from "./event-box.ts";
import type { ExposureOptions } from "./exposure.ts";
import { COUNT, checkOptions, DURATION, type Kind, oneOf, SWITCH, TEXT, withMethods } from "./option.ts";
import type { PollerOptions } from "./poller.ts";
import type { ReasonMode } from "./resolution.ts";

/** A logger of the provider's background work. OpenFeature's `Logger` and `console` fit. */
export interface ProviderLogger {
  info(...message: unknown[]): void;
  warn(...message: unknown[]): void;
}

/** The options of tracking, for exposures and for events of `track`. */
export interface TrackingOptions
  extends ExposureOptions,
    Pick<EventQueueOptions, "capacity" | "batchSize" | "flushIntervalMs" | "onDrop"> {
  /**
   * Whether to record an exposure when a flag with an ACTIVE experiment is evaluated, once for each user and variant.
   * @default true
   */
  exposures?: boolean;
}

/** Options of every provider. */
export interface ProviderOptions {
  /**
   * The reasons to report. The metadata contains both kinds.
   * @default "specification"
   */
  reasons?: ReasonMode;
  /**
   * Whether and how to send events. False sends neither exposures nor events of `track`.
   * @default true
   */
  tracking?: boolean | TrackingOptions;
  /**
   * The `flagSetId` in the metadata, for telemetry.
   * @default that of the server
   */
  flagSetId?: string;
  /**
   * Receives messages about lost connections, lost events and errors of the storage.
   * @default no logging
   */
  logger?: ProviderLogger;
}

/** Options of a provider that fetches its flags. */
export interface OutageOptions {
  /**
   * Milliseconds of an outage after which the provider emits PROVIDER_ERROR, after its PROVIDER_STALE: its status is
   * then ERROR instead of STALE. It still evaluates flags, and is READY once the server responds.
   * @default never
   */
  errorAfterMs?: number;
}

/** Options of a provider that fetches its definitions over HTTP. */
export interface RemoteProviderOptions extends ProviderOptions, OutageOptions, PollerOptions {
  /** Definitions to serve, as expired, until the server has responded. */
  bootstrap?: Definitions;
  /** A storage for the last good definitions, so that the provider starts while the server is unreachable. */
  storage?: ItemStorage;
}

/** The options of a provider over an engine in the same process, without HTTP and timers. */
export interface EmbeddedProviderOptions extends ProviderOptions {
  engine: ReadonlyEngine;
  /** Receives exposures and the events of `track`; without it, nothing is recorded. May return a promise. */
  track?: (event: TrackingEvent) => unknown;
}

const OPTIONS: Record<string, Kind> = {
  reasons: /* @__PURE__ */ oneOf("specification", "evaluation"),
  flagSetId: TEXT,
  errorAfterMs: DURATION,
  logger: /* @__PURE__ */ withMethods("info", "warn"),
  storage: /* @__PURE__ */ withMethods("getItem", "setItem"),
  tracking: ["a boolean or options", (value) => typeof value === "boolean" || Object(value) === value],
};

const TRACKING_OPTIONS: Record<string, Kind> = {
  exposures: SWITCH,
  exposureCapacity: COUNT,
  attributes: ["a list of names", (value) => Array.isArray(value) && value.every((name) => typeof name === "string")],
};

/** Checks the options that no other part checks. @throws OptionError */
export function checkProviderOptions(options: ProviderOptions & { storage?: unknown }): void {
  checkOptions(options, OPTIONS);
  checkOptions(toTrackingOptions(options.tracking) ?? {}, TRACKING_OPTIONS, "tracking.");
}

/** Returns the options of tracking; undefined if it is off. */
export function toTrackingOptions(tracking: ProviderOptions["tracking"] = true): TrackingOptions | undefined {
  return tracking === true ? {} : tracking || undefined;
}
