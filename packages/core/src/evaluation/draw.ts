import { createPicker } from "../bucketing/interval.ts";
import { readAttribute } from "../targeting/attribute.ts";
import { note, type Trace } from "../targeting/scope.ts";
import type { EvaluationContext } from "./result.ts";

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

/** What a draw answers: one outcome per variant, one outside the rollout, one where there is nobody to hash. */
export interface DrawOutcomes<T> {
  arms: readonly T[];
  outside: T;
  keyMissing: T;
}

/**
 * Prepares the pick of a variant by hash; where every hash gives the same answer, nothing is hashed.
 *
 * @param weights fractions that sum to 1
 * @param rollout percentage
 */
export function createDraw<T>(
  { key, bucketBy, hash }: Drawing,
  weights: readonly number[],
  rollout: number,
  { arms, outside, keyMissing }: DrawOutcomes<T>,
): (context: EvaluationContext, trace: Trace) => T {
  const { constant, pick } = createPicker(weights, rollout);
  return (context, trace) => {
    let index = constant ?? -1;
    if (constant === null) {
      const unit = bucketBy === null ? context.targetingKey : readAttribute(context, bucketBy);
      const id = typeof unit === "number" ? String(unit) : unit;
      if (typeof id !== "string" || id === "") return keyMissing;
      const bucket = hash(id);
      drawn[0] = bucket;
      index = pick(bucket);
    }
    if (trace !== null) {
      const detail = constant === null ? `bucket ${drawn[0]!.toFixed(6)} at ${rollout} %` : `${rollout} % of everyone`;
      note(trace, "ROLLOUT", key, index >= 0, detail);
    }
    return index < 0 ? outside : arms[index]!;
  };
}
