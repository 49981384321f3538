export { type Connection, ConnectionError, type ConnectionOptions, createConnection } from "./connection.ts";
export { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
export {
  createDefinitionSource,
  type DefinitionSource,
  type DefinitionSourceListeners,
  type DefinitionSourceOptions,
} from "./definition-source.ts";
export { createDefinitionStorage, type DefinitionStorage, type ItemStorage } from "./definition-storage.ts";
export { createTimer } from "./delay.ts";
export { createEventQueue, type EventQueue, type EventQueueOptions, type TrackingEvent } from "./event-queue.ts";
export { createExposures, EXPOSURE, type ExposureOptions, type Exposures } from "./exposure.ts";
export { createFlagSet, type FlagInTest, type FlagSet } from "./flag-set.ts";
export type { KnownDefinitions, Loadable, LoaderOptions, LoadingParts } from "./loader.ts";
export {
  checkOptions,
  FUNCTION,
  type Kind,
  OptionError,
  oneOf,
  readOption,
  requireDuration,
  requireOption,
} from "./option.ts";
export { programParts } from "./program-parts.ts";
export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  RemoteProviderOptions,
  TrackingOptions,
} from "./provider-option.ts";
export { toTrackingOptions } from "./provider-option.ts";
export { createProviderSession, type ProviderSession } from "./provider-session.ts";
export {
  createResolve,
  type ErrorCodes,
  type ProviderErrorCode,
  type ProviderState,
  type ReasonMode,
  type Resolution,
  type Resolve,
  type ResolveOptions,
  type ValueKind,
} from "./resolution.ts";
export {
  createSession,
  type ProviderEngine,
  type Session,
  type Supply,
  type SupplyListeners,
  type Tell,
} from "./session.ts";
export {
  createSourceWith,
  type Freshness,
  type Source,
  type SourceListeners,
  type SourceOptions,
  type SourceParts,
} from "./source.ts";
export { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";
