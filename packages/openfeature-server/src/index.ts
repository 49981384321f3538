export type {
  EmbeddedProviderOptions,
  ProviderLogger,
  ProviderOptions,
  ReasonMode,
  RemoteProviderOptions,
  TrackingOptions,
} from "@assay/sdk";
export { ConnectionError, type ItemStorage, OptionError, type TrackingEvent } from "@assay/sdk";
export { AssayServerProvider, type AssayServerProviderOptions } from "./provider.ts";
