import type { Program } from "@assay/core";
import type { ItemStorage, PollerOptions, ProviderOptions } from "@assay/sdk";
import type { RemoteAnswers } from "./answer-format.ts";

export interface AssayWebProviderOptions extends ProviderOptions, PollerOptions {
  /**
   * `local`: a program of the flags that a CLIENT key may read is fetched once, and evaluates them in the page.
   * `remote`: the server evaluates all flags for each context, and only their values reach the page.
   * @default "local"
   */
  evaluation?: "local" | "remote";
  /**
   * Answers until the server has responded: the result of `toProgram` of `@assay/core`, or with `remote` the answer to a
   * bulk evaluation.
   */
  bootstrap?: Program | RemoteAnswers;
  /**
   * Keeps the last good response, for fast and offline starts; false keeps nothing.
   * @default localStorage, if available
   */
  storage?: ItemStorage | false;
}
