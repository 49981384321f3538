import { between, checkAlpha, notNegative } from "./range.ts";

type PValues = readonly (number | null)[];

/** Ranks the defined p-values from the smallest, and `adjust` returns their adjusted values; `null` stays `null`. */
function adjusted(pValues: PValues, adjust: (sorted: readonly number[]) => number[]): (number | null)[] {
  const defined: { p: number; index: number }[] = [];
  pValues.forEach((p, index) => {
    if (p !== null) defined.push({ p: between("p-value", p, 0, 1), index });
  });
  defined.sort((a, b) => a.p - b.p);
  const values = adjust(defined.map(({ p }) => p));
  const answer: (number | null)[] = pValues.map(() => null);
  defined.forEach(({ index }, rank) => {
    answer[index] = values[rank]!;
  });
  return answer;
}

/** Adjusts p-values upwards by a factor per rank, with a running minimum from the largest p-value down (step-up). */
function stepUp(sorted: readonly number[], factor: (rank: number) => number): number[] {
  let least = 1;
  return sorted
    .map((p, i) => p * factor(i + 1))
    .reduceRight<number[]>((out, p, i) => {
      least = Math.min(least, p);
      out[i] = least;
      return out;
    }, []);
}

/**
 * Returns the Bonferroni-adjusted p-values, min(1, m p), in the order given. `null` means no comparison and does not
 * count in m.
 *
 * @throws RangeError for a p-value outside [0, 1].
 */
export function bonferroni(pValues: PValues): (number | null)[] {
  return adjusted(pValues, (sorted) => sorted.map((p) => Math.min(1, p * sorted.length)));
}

/**
 * Returns the Holm-adjusted p-values (family-wise error rate), in the order given. `null` does not count.
 *
 * Source: S. Holm, Scandinavian Journal of Statistics 6 (1979).
 *
 * @throws RangeError for a p-value outside [0, 1].
 */
export function holm(pValues: PValues): (number | null)[] {
  return adjusted(pValues, (sorted) => {
    let most = 0;
    return sorted.map((p, i) => {
      most = Math.max(most, Math.min(1, p * (sorted.length - i)));
      return most;
    });
  });
}

/**
 * Returns the Benjamini-Hochberg-adjusted p-values (false discovery rate), in the order given. `null` does not count.
 *
 * Source: Y. Benjamini and Y. Hochberg, JRSS B 57 (1995).
 *
 * @throws RangeError for a p-value outside [0, 1].
 */
export function benjaminiHochberg(pValues: PValues): (number | null)[] {
  return adjusted(pValues, (sorted) => stepUp(sorted, (rank) => sorted.length / rank));
}

/**
 * Returns the Benjamini-Yekutieli-adjusted p-values (false discovery rate under any dependence), in the order given.
 * `null` does not count.
 *
 * Source: Y. Benjamini and D. Yekutieli, Annals of Statistics 29 (2001).
 *
 * @throws RangeError for a p-value outside [0, 1].
 */
export function benjaminiYekutieli(pValues: PValues): (number | null)[] {
  return adjusted(pValues, (sorted) => {
    let harmonic = 0;
    for (let i = 1; i <= sorted.length; i++) harmonic += 1 / i;
    return stepUp(sorted, (rank) => (sorted.length / rank) * harmonic);
  });
}

/**
 * Returns alpha / m, the level of each of m comparisons.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1 and `comparisons` is not negative.
 */
export function bonferroniAlpha(alpha: number, comparisons: number): number {
  checkAlpha(alpha);
  return alpha / Math.max(1, notNegative("comparisons", comparisons));
}

/**
 * Returns whether a procedure rejects each hypothesis at level alpha: its adjusted p-value is at most alpha.
 *
 * The procedures are defined with "at most"; the `significant` of a row is strict (`isSignificant`).
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function rejections(adjustedPValues: PValues, alpha: number): boolean[] {
  checkAlpha(alpha);
  return adjustedPValues.map((p) => p !== null && p <= alpha);
}
