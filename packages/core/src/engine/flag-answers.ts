import type { JsonValue } from "../format/definition.ts";
import type { EvaluationContext, EvaluationResult, TraceStep } from "../format/result.ts";
import { type EvaluateOptions, evaluate } from "../runtime/evaluate.ts";
import { type LinkedFlag, toError } from "../runtime/flag.ts";
import type { CompiledFlag } from "./compilation.ts";
import type { CompiledDefinitions } from "./compiled-definitions.ts";
import type { CurrentDefinitions } from "./replaceable-definitions.ts";

/** Returns a flag of the current definitions by its key. */
export type FindFlag<F extends LinkedFlag = LinkedFlag> = (key: string) => F | undefined;

/** Evaluates one flag at a time. */
export interface FlagAnswer {
  /**
   * Evaluates one flag; never throws. `defaultValue` is served if the flag is missing (reason DEFAULT, error code
   * FLAG_NOT_FOUND), or if the flag's default would be served and it has none.
   */
  evaluate(
    flagKey: string,
    context: EvaluationContext,
    defaultValue: JsonValue,
    options?: EvaluateOptions,
  ): EvaluationResult;
}

/** Options of an evaluation by definitions. */
export interface ExplainOptions extends EvaluateOptions {
  /** Whether to explain the result step by step in `trace`. */
  trace?: boolean;
}

/** Evaluates flags, with explanations. */
export interface FlagAnswers {
  /** {@link FlagAnswer.evaluate} */
  evaluate(
    flagKey: string,
    context: EvaluationContext,
    defaultValue: JsonValue,
    options?: ExplainOptions,
  ): EvaluationResult;
  /** Evaluates all flags. Returns an object without prototype, because a flag may be called `constructor`. */
  evaluateAll(context: EvaluationContext, options?: ExplainOptions): Record<string, EvaluationResult>;
}

/** Creates the evaluation of one flag at a time. */
export function answerFlag(find: FindFlag): FlagAnswer {
  return { evaluate: answerBy(find, evaluate) };
}

/** Creates the evaluation of flags over the current definitions. */
export function answerFlags(current: CurrentDefinitions<CompiledDefinitions>): FlagAnswers {
  return {
    evaluate: answerBy((key) => current.linked.flags.get(key), explain),
    evaluateAll(context, options) {
      const results: Record<string, EvaluationResult> = Object.create(null);
      for (const [key, flag] of current.linked.flags) results[key] = explain(flag, context, options);
      return results;
    },
  };
}

function answerBy<F extends LinkedFlag, O>(
  find: FindFlag<F>,
  ask: (flag: F, context: EvaluationContext, options?: O) => EvaluationResult,
) {
  return (flagKey: string, context: EvaluationContext, defaultValue: JsonValue, options?: O): EvaluationResult => {
    const flag = find(flagKey);
    if (flag === undefined) return toMissing(flagKey, defaultValue);
    const result = ask(flag, context, options);
    // Null is served only if the flag has no default.
    return result.variant === null && flag.program.default_value === null ? { ...result, value: defaultValue } : result;
  };
}

/** Evaluates a flag; explains the result on request. */
function explain(flag: CompiledFlag, context: EvaluationContext, options?: ExplainOptions): EvaluationResult {
  if (!options?.trace) return evaluate(flag, context, options);
  const trace: TraceStep[] = [];
  return { ...evaluate(flag.explain(trace), context, options), trace };
}

function toMissing(flagKey: string, value: JsonValue): EvaluationResult {
  const error = toError(value, "FLAG_NOT_FOUND", `No flag ${JSON.stringify(flagKey)}`);
  return { ...error, reason: "DEFAULT", enabled: false };
}
