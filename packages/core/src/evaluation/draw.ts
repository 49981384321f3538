import { createPicker } from "../bucketing/interval.ts";
import { readAttribute } from "../targeting/attribute.ts";
import type { EvaluationContext, TraceStep } from "./result.ts";

/**
 * The hash that decided the evaluation under way, negative where none did. It travels beside the outcome and not
 * in it: outcomes are shared frozen objects made at compile time, and a typed array keeps a number without
 * allocating one.
 */
export const drawn = new Float64Array([-1]);

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

/** Prepares the pick of a variant by hash; where every hash gives the same answer, nothing is hashed. */
export function createDraw<T>(
  drawing: Drawing,
  weights: readonly number[],
  rollout: number,
  outcomes: DrawOutcomes<T>,
): (context: EvaluationContext, trace: TraceStep[] | null) => T {
  const { key, bucketBy, hash } = drawing;
  const { arms, outside, keyMissing } = outcomes;
  const { constant, pick } = createPicker(weights, rollout);
  if (constant !== null) {
    return (_context, trace) => {
      if (trace !== null) {
        const detail = `${rollout} % of everyone, nothing to draw`;
        trace.push({ step: "ROLLOUT", subject: key, matched: constant >= 0, detail });
      }
      return constant < 0 ? outside : arms[constant]!;
    };
  }
  return (context, trace) => {
    const unit = bucketBy === null ? context.targetingKey : readAttribute(context, bucketBy);
    const id = typeof unit === "string" ? unit : typeof unit === "number" ? String(unit) : "";
    if (id === "") return keyMissing;
    const bucket = hash(id);
    drawn[0] = bucket;
    const index = pick(bucket);
    if (trace !== null) {
      const detail = `bucket ${bucket.toFixed(6)} at ${rollout} %`;
      trace.push({ step: "ROLLOUT", subject: key, matched: index >= 0, detail });
    }
    return index < 0 ? outside : arms[index]!;
  };
}
