import type { Program } from "@assay/core";
import type { ItemStorage, OutageOptions, PollerOptions, ProviderOptions } from "@assay/sdk";
import type { RemoteAnswers } from "./answer-format.ts";

export interface AssayWebProviderOptions extends ProviderOptions, OutageOptions, PollerOptions {
  /**
   * Where flags are evaluated. `local`: in the page, with a program of the flags that a CLIENT key may read, fetched
   * once. `remote`: on the server, for each context; only values reach the page.
   * @default "local"
   */
  evaluation?: "local" | "remote";
  /**
   * The flags to serve until the server has responded: the result of `toProgram` of `@assay/core`, or for `remote` the
   * response to a bulk evaluation.
   */
  bootstrap?: Program | RemoteAnswers;
  /**
   * A storage for the last good response, for fast and offline starts; false for none.
   * @default localStorage, if available
   */
  storage?: ItemStorage | false;
}
