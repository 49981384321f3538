// Internals for our own providers and edge handlers; they may change in any release.

export { createTimer } from "./delay.ts";
export type { KnownDefinitions, Loadable, LoadingParts } from "./loader.ts";
export { checkOptions, FUNCTION, type Kind, oneOf, readOption, requireDuration, requireOption } from "./option.ts";
export { programParts } from "./program-parts.ts";
export { toTrackingOptions } from "./provider-option.ts";
export { createSession, type ProviderEngine, type Supply, type SupplyListeners, type Tell } from "./session.ts";
export {
  createSourceWith,
  type Freshness,
  type Source,
  type SourceListeners,
  type SourceParts,
} from "./source.ts";
