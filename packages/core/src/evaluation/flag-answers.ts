import { toResult } from "../program/flag.ts";
import type { JsonValue } from "./definition.ts";
import { type EvaluateOptions, evaluate } from "./evaluate.ts";
import type { Holder } from "./held-definitions.ts";
import type { EvaluationContext, EvaluationResult } from "./result.ts";

/** Answers for one flag at a time. */
export interface FlagAnswer {
  /**
   * Evaluates one flag; never throws. `defaultValue` is served where the flag is missing (reason DEFAULT, error
   * code FLAG_NOT_FOUND), and where the default would be and the flag names none.
   */
  evaluate(
    flagKey: string,
    context: EvaluationContext,
    defaultValue: JsonValue,
    options?: EvaluateOptions,
  ): EvaluationResult;
}

/** Answers for flags. */
export interface FlagAnswers extends FlagAnswer {
  /** Evaluates every flag; the object has no prototype, because a flag may be called `constructor`. */
  evaluateAll(context: EvaluationContext, options?: EvaluateOptions): Record<string, EvaluationResult>;
}

/** Answers for any flag of whatever snapshot there is. */
export function answerFlag(holder: Holder): FlagAnswer {
  return {
    evaluate(flagKey, context, defaultValue, options) {
      const flag = holder.snapshot.flags.get(flagKey);
      if (flag === undefined) return toMissing(flagKey, defaultValue);
      const result = evaluate(flag, context, options);
      // Null is served only where the flag names no default.
      return result.variant === null && flag.program.default_value === null
        ? { ...result, value: defaultValue }
        : result;
    },
  };
}

/** Answers for the flags of whatever snapshot there is. */
export function answerFlags(holder: Holder): FlagAnswers {
  return {
    ...answerFlag(holder),
    evaluateAll(context, options) {
      const results: Record<string, EvaluationResult> = Object.create(null);
      for (const [key, flag] of holder.snapshot.flags) results[key] = evaluate(flag, context, options);
      return results;
    },
  };
}

function toMissing(flagKey: string, value: JsonValue): EvaluationResult {
  const error_message = `No flag ${JSON.stringify(flagKey)}`;
  return { ...toResult(value, null, "DEFAULT"), enabled: false, error_code: "FLAG_NOT_FOUND", error_message };
}
