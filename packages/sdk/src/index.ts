export { type Connection, ConnectionError, type ConnectionOptions, createConnection } from "./connection.ts";
export type { DefinitionSourceOptions } from "./definition-source.ts";
export type { ItemStorage } from "./definition-storage.ts";
export { createEventQueue, type EventQueue, type EventQueueOptions, type TrackingEvent } from "./event-queue.ts";
export type { ExposureOptions } from "./exposure.ts";
export { createFlagSet, type FlagInTest, type FlagSet } from "./flag-set.ts";
export type { LoaderOptions } from "./loader.ts";
export { OptionError } from "./option.ts";
export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  RemoteProviderOptions,
  TrackingOptions,
} from "./provider-option.ts";
export { createProviderSession, type ProviderSession } from "./provider-session.ts";
export type { ErrorCodes, ProviderErrorCode, ReasonMode, Resolution, ValueKind } from "./resolution.ts";
export type { Session } from "./session.ts";
export type { SourceOptions } from "./source.ts";
export type { TrackDetails } from "./tracking-event.ts";
