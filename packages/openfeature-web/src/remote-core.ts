import type { EvaluationContext } from "@assay/core";
import type { ErrorCodes } from "@assay/sdk";
import type { Emit } from "@assay/sdk/internal";
import { createAnswerFormat } from "./answer-format.ts";
import { hash } from "./hash.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { createPageCore, type WebProviderCore } from "./page-core.ts";

/**
 * Creates the core of a provider whose flags the server evaluates, for one context at a time.
 * @throws OptionError if an option is missing or invalid
 */
export function createRemoteCore<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): WebProviderCore<Code> {
  let context: EvaluationContext = {};
  const format = createAnswerFormat(() => context);
  // Only the hash of a context is stored.
  const toUnit = () => hash(JSON.stringify(Object.entries(context).sort()));
  const core = createPageCore(options, codes, emit, format, "remote", toUnit);

  // The SDK considers a provider ready when any of its promises resolves, so all resolve with the newest.
  let newest: Promise<void>;

  async function settle(work: Promise<void>): Promise<void> {
    newest = work;
    for (let settled: typeof newest | undefined; settled !== newest; await settled.catch(() => {})) settled = newest;
    await newest;
  }

  return {
    ...core,
    open(first, domain) {
      context = first;
      return settle(core.open(first, domain));
    },
    changeContext(next) {
      context = next;
      return settle(core.restore(core.source.restart)).finally(core.changeContext);
    },
  };
}
