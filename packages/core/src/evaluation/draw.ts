import { noteDraw } from "#platform";
import { createPicker } from "../bucketing/interval.ts";
import { readAttribute } from "../targeting/attribute.ts";
import type { Trace } from "../targeting/scope.ts";
import type { EvaluationContext } from "./result.ts";
import type { VariantList } from "./variant.ts";

/**
 * The hash that decided the evaluation under way, negative where none did. It travels beside the outcome and not
 * in it: outcomes are shared frozen objects made at compile time, and a typed array keeps a number without
 * allocating one.
 */
export const drawn = /* @__PURE__ */ new Float64Array([-1]);

/** Who is hashed, and how: prepared once for a flag or experiment, shared by its rules. */
export interface Drawing {
  /** The bucketing key, for explanations. */
  key: string;
  /** The attribute that is hashed; null is the user id. */
  bucketBy: string | null;
  hash: (unit: string) => number;
}

/**
 * Prepares the pick of a variant by hash; where every hash gives the same answer, nothing is hashed.
 *
 * @param rollout percentage
 * @param outcome answers a variant, or null for outside the rollout; whether everyone is given the same variant
 * @param keyMissing the answer where there is nobody to hash
 */
export function createDraw<T>(
  { key, bucketBy, hash }: Drawing,
  { keys, weights }: VariantList,
  rollout: number,
  outcome: (variant: string | null, isConstant: boolean) => T,
  keyMissing: T,
): (context: EvaluationContext, trace: Trace) => T {
  const { constant, pick } = createPicker(weights, rollout);
  const isConstant = constant !== null;
  const arms = keys.map((variant) => outcome(variant, isConstant));
  const outside = outcome(null, isConstant);
  return (context, trace) => {
    let bucket = -1;
    let index = constant;
    if (index === null) {
      const unit = bucketBy === null ? context.targetingKey : readAttribute(context, bucketBy);
      const id = typeof unit === "number" ? String(unit) : unit;
      if (typeof id !== "string" || id === "") return keyMissing;
      bucket = hash(id);
      drawn[0] = bucket;
      index = pick(bucket);
    }
    const isInside = index >= 0;
    if (trace !== null) noteDraw(trace, key, isInside, bucket, rollout);
    return isInside ? arms[index]! : outside;
  };
}
