export { createExposures, EXPOSURE, type ExposureOptions, type Exposures } from "./exposure.ts";
export { createFlagSet, type FlagInTest, type FlagSet } from "./flag-set.ts";
export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  RemoteProviderOptions,
  TrackingOptions,
} from "./option.ts";
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
export { createProviderSession, createSessionOver, type ProviderSession } from "./session.ts";
export {
  createRemoteSupply,
  type Dropped,
  type ProviderEngine,
  type ProviderListeners,
  type RemoteSupply,
  type StoredSource,
  type Supply,
} from "./supply.ts";
export { type TrackDetails, toTrackingEvent } from "./tracking-event.ts";
