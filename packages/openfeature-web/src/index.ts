export type { ProviderLogger, ProviderOptions, ReasonMode, TrackingOptions } from "@assay/sdk";
export { ConnectionError, type ItemStorage, OptionError, type TrackingEvent } from "@assay/sdk";
export type { RemoteAnswers } from "./answer-format.ts";
export { AssayWebProvider } from "./local.ts";
export type { AssayWebProviderOptions } from "./option.ts";
