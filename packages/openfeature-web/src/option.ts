import type { Program } from "@assay/core";
import type { DefinitionSourceOptions, ItemStorage, ProviderOptions } from "@assay/sdk";
import type { RemoteAnswers } from "./answers.ts";

export interface AssayWebProviderOptions
  extends ProviderOptions,
    Omit<DefinitionSourceOptions, "bootstrap" | "stored"> {
  /**
   * `local`: a program of the flags that a CLIENT key may read is fetched once, and evaluates them in the page. `remote`:
   * the server evaluates all flags for each context, and nothing but their values reaches the page.
   * @default "local"
   */
  evaluation?: "local" | "remote";
  /** Answers until the server has: what `toProgram` of `@assay/core` makes of definitions, or with `remote` the answer to a
   * bulk evaluation. */
  bootstrap?: Program | RemoteAnswers;
  /**
   * Keeps the last good answer, for a start that is fast and one that is offline; false keeps nothing.
   * @default localStorage, where there is one
   */
  storage?: ItemStorage | false;
}
