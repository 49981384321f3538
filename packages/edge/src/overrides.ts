import type { EvaluationResult, Outline } from "@assay/core";
import { createOverrideReader, forcedArm, forceFlag, type OverrideOptions } from "@assay/core/overrides";

/** The overrides that a request's token sets. */
export interface Forced {
  /** Returns the result of a flag with overrides applied. */
  flag(program: Outline, flagKey: string, result: EvaluationResult): EvaluationResult;
  /** Returns the key of an experiment's forced arm; undefined if none is forced. */
  arm(experiment: Outline["experiments"][number]): string | undefined;
}

/** The reader of override tokens. It is an option, so that bundles without it stay smaller. */
export interface EdgeOverrides {
  /**
   * Reads the overrides of a request; null if it has none.
   * @throws OverrideError if its header is invalid
   */
  read(request: Request): Promise<Forced | null>;
}

/**
 * Creates a reader for the tokens of `signOverrides`, in `X-Assay-Override` and the cookie `assay_override`.
 * @example
 * createFlagHandler({ apiKey, flags: "all", overrides: createOverrides({ secret: env.ASSAY_OVERRIDE_SECRET }) });
 * @throws OverrideError if the secret is too short
 */
export function createOverrides(options: OverrideOptions): EdgeOverrides {
  const reader = createOverrideReader(options);
  return {
    async read(request) {
      const overrides = await reader.read(request);
      return (
        overrides && {
          flag: (program, flagKey, result) => forceFlag(program, flagKey, overrides, result),
          arm: (experiment) => forcedArm(experiment, overrides),
        }
      );
    },
  };
}
