import { finiteOrNull } from "./comparison.ts";
import { between, notNegative } from "./range.ts";

/**
 * The count, mean, and sums of squared and cubed deviations from the mean of one metric in one arm, with a value per
 * user.
 *
 * `m3` is absent if only a count, a sum and a sum of squares are known.
 */
export interface Moments {
  n: number;
  mean: number;
  m2: number;
  m3?: number;
}

/** Returns the moments of no values, to add to. */
export function emptyMoments(): Moments {
  return { n: 0, mean: 0, m2: 0, m3: 0 };
}

/**
 * Adds one value to `moments`, in place.
 *
 * Source: B. P. Welford, Technometrics 4 (1962); third moment, T. B. Terriberry (2007).
 */
export function addToMoments(moments: Moments, value: number): void {
  const { n, m2, m3 } = moments;
  const before = value - moments.mean;
  const step = before / (n + 1);
  moments.n = n + 1;
  moments.mean += step;
  moments.m2 += before * (value - moments.mean);
  if (m3 !== undefined) moments.m3 = m3 + step * (before * step * n * (n - 1) - 3 * m2);
}

/** Returns the moments of a list of values, one per user. */
export function momentsOf(values: Iterable<number>): Moments {
  const moments = emptyMoments();
  for (const value of values) addToMoments(moments, value);
  return moments;
}

/**
 * Merges the moments of two disjoint groups of users.
 *
 * Source: Chan, Golub and LeVeque, The American Statistician 37 (1983).
 */
export function mergeMoments(a: Moments, b: Moments): Moments {
  const n = a.n + b.n;
  if (n === 0) return emptyMoments();
  // Always merges towards the larger group, so that the order of merging cannot change a digit.
  const [large, small] = a.n > b.n || (a.n === b.n && a.mean < b.mean) ? [a, b] : [b, a];
  const difference = small.mean - large.mean;
  const merged = {
    n,
    mean: large.mean + difference * (small.n / n),
    m2: a.m2 + b.m2 + difference * difference * (small.n / n) * large.n,
  };
  if (a.m3 === undefined || b.m3 === undefined) return merged;
  const [l, s] = [large.n / n, small.n / n];
  const between = difference ** 3 * l * small.n * (l - s) + 3 * difference * (l * small.m2 - s * large.m2);
  return { ...merged, m3: a.m3 + b.m3 + between };
}

/**
 * Returns a sum of squared deviations from raw sums. It is zero if it does not exceed the rounding error of the sum of
 * products.
 */
export function centred(products: number, sumX: number, sumY: number, n: number): number {
  const value = products - sumX * (sumY / n);
  return Math.abs(value) > 1e-15 * Math.abs(products) ? value : 0;
}

/**
 * Returns the moments from a count, a sum and a sum of squares, as a warehouse gives them.
 *
 * It loses digits if the mean is much larger than the standard deviation; `momentsOf` does not.
 *
 * @throws RangeError unless n and the sum of squares are not negative.
 */
export function momentsFromSums(n: number, sum: number, sumOfSquares: number): Moments {
  notNegative("n", n);
  between("sumOfSquares", sumOfSquares, 0, Infinity);
  if (n === 0) return { n, mean: 0, m2: 0 };
  return { n, mean: sum / n, m2: Math.max(0, centred(sumOfSquares, sum, sum, n)) };
}

/**
 * Returns the skewness, the third standardised moment; `null` without a variance, or if the third moment is unknown.
 */
export function skewnessOf({ n, m2, m3 }: Moments): number | null {
  return m3 === undefined || m2 === 0 ? null : finiteOrNull((m3 / m2) * Math.sqrt(n / m2));
}

/** Returns the sample variance (denominator n - 1); `null` for fewer than two users. */
export function varianceOf(moments: Moments): number | null {
  return moments.n < 2 ? null : moments.m2 / (moments.n - 1);
}
