/**
 * The maximum distance of a sum of fractions from 1. The small term allows for rounding in sums such as 0.34 + 0.34 +
 * 0.34.
 */
const TOLERANCE = 0.020000001;

/**
 * Converts weights, all fractions or all percentages, to fractions that sum to 1. Missing weights share the rest
 * equally. A sum within 0.02 of 1 (2 of 100) is scaled.
 *
 * @throws RangeError for an empty list, a negative or non-finite weight, or any other sum.
 */
export function normalizeWeights(weights: readonly (number | null | undefined)[]): number[] {
  let sum = 0;
  let missing = 0;
  for (const weight of weights) {
    if (weight === null || weight === undefined) missing += 1;
    else if (!(weight >= 0 && weight < Infinity)) throw new RangeError(`A weight must be 0 or more, not ${weight}`);
    else sum += weight;
  }
  const scale = sum > 1 + TOLERANCE ? 100 : 1;
  const total = missing > 0 && sum < scale ? scale : sum;
  if (!(Math.abs(total / scale - 1) <= TOLERANCE)) {
    throw new RangeError(`Weights must sum to 1, or to 100 as percentages, not to ${sum}`);
  }
  const share = (total - sum) / missing;
  return weights.map((weight) => (weight ?? share) / total);
}
