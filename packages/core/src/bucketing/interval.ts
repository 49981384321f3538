/** Variants laid out side by side on [0, 1). */
export interface Layout {
  /** Where the interval of each variant ends; the last one ends at 1. */
  ends: number[];
  /** Before which hash each interval is inside the rollout. */
  fills: number[];
  /** Index of the variant if every hash falls on it (one variant at 100 %), -1 for a rollout of 0 %, else null. */
  constant: number | null;
}

/** Which variant a hash falls on. */
export interface Picker {
  /** Index of the variant that owns the hash in [0, 1), or -1 outside the rollout. */
  pick(hash: number): number;
  /** The answer if it is the same for every hash (one variant at 100 %, or a rollout of 0 %), else null. */
  constant: number | null;
}

/**
 * Lays variants out on [0, 1): variant i owns its cumulative interval, the last one ends at exactly 1. A rollout of
 * r % fills the first r % of each variant's own interval, so raising r never moves anyone from one arm to another.
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
