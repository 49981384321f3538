export { ConnectionError, OptionError, type TrackingEvent } from "@assay/core/definitions";
export {
  AssayServerProvider,
  type AssayServerProviderOptions,
  type EmbeddedOptions,
  type RemoteOptions,
} from "./provider.ts";
