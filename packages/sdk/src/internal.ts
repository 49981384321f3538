// Internals for our own providers and edge handlers; they may change in any release.

export { type Cache, type CacheEntry, createCache } from "./cache.ts";
export { definitionFormat, parseDefinitions } from "./definition-format.ts";
export { createEventBox, type EventBox } from "./event-box.ts";
export { createEventId } from "./event-id.ts";
export { fetchFlags } from "./fetcher.ts";
export type { Format, ProviderEngine, ProviderOutline, UpdatableEngine } from "./format.ts";
export { fromOfrepAnswer, type OfrepAnswer, type OfrepMetadata, toOfrepAnswer } from "./ofrep.ts";
export {
  COUNT,
  checkOptions,
  DURATION,
  FUNCTION,
  type Kind,
  oneOf,
  readOption,
  TEXT,
} from "./option.ts";
export { createPoller, type Freshness, type Poller, type PollerListeners, type PollerParts } from "./poller.ts";
export { programFormat } from "./program-format.ts";
export {
  createProviderCore,
  type Emit,
  type FlagSource,
  type FlagSourceListeners,
} from "./provider.ts";
export { toTrackingOptions } from "./provider-option.ts";
export { backOff, retryDelay } from "./retry.ts";
export { createTimer } from "./timer.ts";
