import type { EvaluationResult } from "@assay/core";
import type { FlagEvaluation } from "../../definitions/evaluator.ts";
import { SharedAnswer } from "../../http/shared-answer.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";

/** Outcomes of a flag that are kept. Flags have fewer, unless they have very many rules and variants. */
const MOST = 64;

export type AnsweredEvaluation = FlagEvaluation | SharedAnswer<FlagEvaluation>;

/**
 * Creates a function that returns the same evaluation, but for its bucket, for every user with the same outcome of a
 * flag. Explained, forced and failed evaluations are single ones.
 */
export function shareEvaluations(): (flag: FlagRecord, result: EvaluationResult) => AnsweredEvaluation {
  // A record is replaced when its flag changes, never mutated.
  const outcomes = new WeakMap<FlagRecord, FlagEvaluation[]>();

  return (flag, result) => {
    const { key } = flag;
    if (result.trace || result.forced || result.error_code !== undefined) return { ...result, key };
    const known = outcomes.get(flag) ?? [];
    if (known.length === 0) outcomes.set(flag, known);
    let shared = known.find((one) => hasSameOutcome(one, result));
    if (!shared) {
      if (known.length === MOST) return { ...result, key };
      shared = { ...result, key, bucket: null };
      known.push(shared);
    }
    return new SharedAnswer(shared, "bucket", result.bucket);
  };
}

/** Compares all that a response contains besides the bucket. An object value is the definition's own. */
function hasSameOutcome(one: EvaluationResult, other: EvaluationResult): boolean {
  return (
    one.variant === other.variant &&
    one.reason === other.reason &&
    one.value === other.value &&
    one.rule_id === other.rule_id &&
    one.enabled === other.enabled
  );
}
