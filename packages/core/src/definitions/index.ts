export { ConnectionError, type ConnectionOptions } from "./connection.ts";
export { NO_DEFINITIONS, parseDefinitions } from "./definition-body.ts";
export {
  createDefinitionSource,
  type DefinitionSource,
  type DefinitionSourceOptions,
  type Freshness,
  type KnownDefinitions,
  type SourceListeners,
} from "./definition-source.ts";
export { createDefinitionStorage, type DefinitionStorage, type ItemStorage } from "./definition-storage.ts";
export { createEventQueue, type EventQueue, type EventQueueOptions, type TrackingEvent } from "./event-queue.ts";
export { createLoader, type Loader, type LoaderOptions, type LoaderParts } from "./loader.ts";
export { OptionError, requireDuration, requireOption } from "./option.ts";
export { createSourceWith, type SourceParts } from "./source.ts";
