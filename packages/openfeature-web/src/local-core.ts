import { createPageEngine } from "@assay/core/page";
import type { ErrorCodes } from "@assay/sdk";
import { checkOptions, type Emit, oneOf, programFormat } from "@assay/sdk/internal";
import type { RemoteAnswers } from "./answer-format.ts";
import type { AssayWebProviderOptions } from "./option.ts";
import { createPageCore, type WebProviderCore } from "./page-core.ts";

/**
 * Creates the core of a provider that evaluates flags in the page, or with `evaluation: "remote"` on the server.
 * @throws OptionError if an option is missing or invalid
 */
export function createLocalCore<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): WebProviderCore<Code> {
  checkOptions(options, { evaluation: oneOf("local", "remote") });
  if (options.evaluation === "remote") return createLaterCore(options, codes, emit);
  return createPageCore(options, codes, emit, { ...programFormat, createEngine: createPageEngine });
}

/**
 * Creates the core with `evaluation: "remote"`, whose code is loaded when it is opened. Until then it has no flags, and
 * keeps the events of `track`.
 */
function createLaterCore<Code>(
  options: AssayWebProviderOptions,
  codes: ErrorCodes<Code>,
  emit: Emit<Code>,
): WebProviderCore<Code> {
  checkOptions(options, { bootstrap: ["a bulk evaluation", (value) => (value as RemoteAnswers).flags.every(Boolean)] });
  const core: WebProviderCore<Code> = createLocalCore(
    { ...options, bootstrap: undefined, evaluation: "local" },
    codes,
    emit,
  );
  const { close } = core;
  let loading: Promise<void> | undefined;
  let domain: string | undefined;

  async function load(): Promise<void> {
    try {
      const { createRemoteCore } = await import("./remote-core.ts");
      Object.assign(core, createRemoteCore(options, codes, emit));
      // Sends what was tracked so far.
      await close();
    } catch (error) {
      loading = undefined;
      throw error;
    }
  }

  core.open = async (context, name = domain) => {
    domain = name;
    loading ??= load();
    await loading;
    // The other core's.
    await core.open(context, name);
  };
  core.changeContext = core.open;
  core.close = async () => {
    await loading?.catch(() => {});
    await (loading ? core.close() : close());
  };
  return core;
}
