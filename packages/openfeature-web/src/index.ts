export { ConnectionError, type ItemStorage, OptionError, type TrackingEvent } from "@assay/core/definitions";
export type { ProviderLogger, ProviderOptions, ReasonMode, TrackingOptions } from "@assay/core/provider";
export type { RemoteAnswers } from "./answers.ts";
export { AssayWebProvider } from "./local.ts";
export type { AssayWebProviderOptions } from "./option.ts";
