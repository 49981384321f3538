export { createExposures, EXPOSURE, type ExposureOptions, type Exposures } from "./exposure.ts";
export { createFlagSet, type FlagInTest, type FlagSet } from "./flag-set.ts";
export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  RemoteProviderOptions,
  TrackingOptions,
} from "./option.ts";
export { toTrackingOptions } from "./option.ts";
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
export { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";
