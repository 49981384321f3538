import type { EvaluationResult, Outline } from "@assay/core";
import { createOverrideReader, forcedArm, forceFlag, type OverrideOptions } from "@assay/core/overrides";

/** What one request forces. */
export interface Forced {
  /** The answer for a flag with overrides applied. */
  flag(program: Outline, flagKey: string, result: EvaluationResult): EvaluationResult;
  /** Key of the arm of an experiment; undefined where none is forced. */
  arm(experiment: Outline["experiments"][number]): string | undefined;
}

/** Honours override tokens; an option of the handlers, so that bundles without it do not carry it. */
export interface EdgeOverrides {
  /** Null where the request forces nothing. @throws OverrideError where its header is not good */
  read(request: Request): Promise<Forced | null>;
}

/**
 * Creates what honours the tokens of `signOverrides`, in `X-Assay-Override` and the cookie `assay_override`.
 * @example
 * createFlagHandler({ apiKey, flags: "all", overrides: createOverrides({ secret: env.ASSAY_OVERRIDE_SECRET }) });
 * @throws OverrideError where the secret is too short.
 */
export function createOverrides(options: OverrideOptions): EdgeOverrides {
  const reader = createOverrideReader(options);
  return {
    async read(request) {
      const overrides = await reader.read(request);
      if (overrides === null) return null;
      return {
        flag: (program, flagKey, result) => forceFlag(program, flagKey, overrides, result),
        arm: (experiment) => forcedArm(experiment, overrides),
      };
    },
  };
}
