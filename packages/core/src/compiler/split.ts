import { layOut } from "../bucketing/interval.ts";
import type { BucketKey, Outcome, Predicate, Step } from "../format/program.ts";
import { noted, type Scope } from "./scope.ts";
import type { VariantList } from "./variant.ts";

/**
 * Lowers a draw of a variant by hash for users who pass a predicate. If every hash gives the same answer, nothing is
 * drawn.
 *
 * @param bucketKey what is hashed, for explanations
 * @param rollout percentage
 * @param outcome answers a variant, or undefined for outside the rollout; whether everyone is given the same variant
 */
export function toSplit<R>(
  where: Predicate,
  bucketKey: BucketKey,
  { keys, weights }: VariantList,
  rollout: number,
  outcome: (variant: string | undefined, isConstant: boolean) => Outcome<R>,
  scope: Scope,
): Step<R> {
  const { constant, ends, fills } = layOut(weights, rollout);
  const isConstant = constant !== null;
  const arms = keys.map((variant) => outcome(variant, isConstant));
  const outside = outcome(undefined, isConstant);
  if (!isConstant) {
    const split = { ends, fills, outcomes: [...arms, outside] };
    return [scope.describe ? ["all", [where, ["noteSplit", bucketKey, split, rollout]]] : where, split];
  }
  const then = arms[constant] ?? outside;
  if (!scope.describe) return [where, then];
  // Always holds, and records a step in the explanation.
  const isInside = constant >= 0;
  const step = noted(scope, [isInside ? "all" : "any", []], "ROLLOUT", bucketKey.key, `${rollout} % of everyone`);
  return [["all", [where, isInside ? step : ["not", step]]], then];
}
