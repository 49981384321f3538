import { createLocalCore } from "./local-core.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { WebProvider } from "./provider.ts";

/**
 * The OpenFeature provider for browsers. With `evaluation: "local"` a program is fetched once and kept fresh in the
 * background; the page evaluates flags with it, synchronously for any context. With `"remote"` the server evaluates
 * them for each context. Reasons and metadata are those of `AssayServerProvider`. Evaluations of flags that an
 * experiment runs on are recorded as exposures.
 * @example
 * await OpenFeature.setProviderAndWait(new AssayWebProvider({ apiKey: "asy_…" }), { targetingKey: "user-123" });
 */
export class AssayWebProvider extends WebProvider {
  /** @throws OptionError if an option is missing or invalid */
  constructor(options: AssayWebProviderOptions) {
    super(options, createLocalCore, options?.evaluation === "remote");
  }
}
