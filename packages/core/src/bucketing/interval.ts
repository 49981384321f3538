/** The intervals of variants, side by side on [0, 1). */
export interface Layout {
  /** The upper end of each variant's interval; the last is 1. */
  ends: number[];
  /** The upper end of the part of each interval that is inside the rollout. */
  fills: number[];
  /**
   * Index of the variant if all hashes give the same one (one variant at 100 %), -1 for a rollout of 0 %, else null.
   */
  constant: number | null;
}

/** Finds the variant of a hash. */
export interface Picker {
  /** Returns the index of the variant whose interval contains the hash, from [0, 1), or -1 outside of the rollout. */
  pick(hash: number): number;
  /** The result of `pick` if it is the same for all hashes (one variant at 100 %, or a rollout of 0 %), else null. */
  constant: number | null;
}

/**
 * Divides [0, 1) into one interval per variant, as long as its weight; the last one ends at exactly 1. A rollout of r %
 * fills the first r % of each interval, so raising r never moves a user from one arm to another.
 *
 * @param weights fractions that sum to 1, as from `normalizeWeights`
 * @param rollout percentage, 0 to 100
 */
export function layOut(weights: readonly number[], rollout: number): Layout {
  const last = weights.findLastIndex((weight) => weight > 0);
  const [ends, fills]: [number[], number[]] = [[], []];
  let start = 0;
  weights.forEach((weight, index) => {
    // Set, not summed: rounding must leave neither a gap before 1 nor a sliver for a variant of weight 0.
    const end = index >= last ? 1 : start + weight;
    ends.push(end);
    fills.push(rollout >= 100 ? end : start + (end - start) * (rollout / 100));
    start = end;
  });
  const sole = weights.filter((weight) => weight > 0).length === 1;
  return { ends, fills, constant: rollout <= 0 ? -1 : sole && rollout >= 100 ? last : null };
}

/** {@link layOut} as a function, for many hashes. */
export function createPicker(weights: readonly number[], rollout: number): Picker {
  const { ends, fills, constant } = layOut(weights, rollout);
  return {
    constant,
    pick(hash) {
      const index = ends.findIndex((end) => hash < end);
      return hash < fills[index]! ? index : -1;
    },
  };
}
