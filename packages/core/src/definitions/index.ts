export { type Connection, ConnectionError, type ConnectionOptions, createConnection } from "./connection.ts";
export { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
export {
  createDefinitionSource,
  type DefinitionSource,
  type DefinitionSourceListeners,
  type DefinitionSourceOptions,
} from "./definition-source.ts";
export { createDefinitionStorage, type DefinitionStorage, type ItemStorage } from "./definition-storage.ts";
export { createEventQueue, type EventQueue, type EventQueueOptions, type TrackingEvent } from "./event-queue.ts";
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
export {
  createSourceWith,
  type Freshness,
  type Source,
  type SourceListeners,
  type SourceOptions,
  type SourceParts,
} from "./source.ts";
