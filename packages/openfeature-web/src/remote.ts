import type { AssayWebProviderOptions } from "./option.ts";
import { WebProvider } from "./provider.ts";
import { createRemoteCore } from "./remote-core.ts";

export type { ProviderLogger, ProviderOptions, ReasonMode, TrackingOptions } from "@assay/sdk";
export { ConnectionError, type ItemStorage, OptionError, type TrackingEvent } from "@assay/sdk";
export type { RemoteAnswers } from "./answer-format.ts";
export type { AssayWebProviderOptions } from "./option.ts";

/**
 * The provider of the main entry, limited to `evaluation: "remote"`. It has two thirds of the size, because it contains
 * no evaluator.
 */
export class AssayWebProvider extends WebProvider {
  /** @throws OptionError if an option is missing or invalid */
  constructor(options: Omit<AssayWebProviderOptions, "evaluation">) {
    super(options, createRemoteCore, true);
  }
}
