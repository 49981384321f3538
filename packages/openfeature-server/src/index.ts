export { ConnectionError, type ItemStorage, OptionError, type TrackingEvent } from "@assay/core/definitions";
export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  ReasonMode,
  RemoteProviderOptions,
  TrackingOptions,
} from "@assay/core/provider";
export { AssayServerProvider, type AssayServerProviderOptions } from "./provider.ts";
