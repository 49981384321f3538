export type { ItemStorage } from "./cache.ts";
export { type Connection, ConnectionError, type ConnectionOptions, createConnection } from "./connection.ts";
export type { EventQueueOptions, TrackingEvent } from "./event-box.ts";
export { createEventQueue, type EventQueue } from "./event-queue.ts";
export type { ExposureOptions } from "./exposure.ts";
export { createFlagSet, type FlagInTest, type FlagSet } from "./flag-set.ts";
export { OptionError } from "./option.ts";
export type { PollerOptions } from "./poller.ts";
export type { ProviderCore } from "./provider.ts";
export type {
  EmbeddedProviderOptions,
  OutageOptions,
  ProviderLogger,
  ProviderOptions,
  RemoteProviderOptions,
  TrackingOptions,
} from "./provider-option.ts";
export { type PushAllOptions, pushAll } from "./push-all.ts";
export type { ErrorCodes, ProviderErrorCode, ReasonMode, Resolution, ValueKind } from "./resolution.ts";
export { createServerProviderCore, type ServerProviderCore } from "./server-provider.ts";
export type { TrackDetails } from "./tracking-event.ts";
