export { type ChangeStream, createChangeStream } from "./change-stream.ts";
export { ConnectionError, type ConnectionOptions, OptionError } from "./connection.ts";
export { parseDefinitions } from "./definition-body.ts";
export { createDefinitionStorage, type DefinitionStorage, type ItemStorage } from "./definition-storage.ts";
export { createEventQueue, type EventQueue, type EventQueueOptions, type TrackingEvent } from "./event-queue.ts";
export {
  createDefinitionSource,
  createSourceWith,
  type DefinitionSource,
  type DefinitionSourceOptions,
  type Freshness,
  type KnownDefinitions,
  type SourceListeners,
  type SourceParts,
} from "./source.ts";
