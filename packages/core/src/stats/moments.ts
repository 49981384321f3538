import { between, notNegative } from "./range.ts";

/** Count, mean and sum of squared deviations from the mean, of one metric in one arm; a value per user. */
export interface Moments {
  n: number;
  mean: number;
  m2: number;
}

/** The moments of zero values, to add to. */
export function emptyMoments(): Moments {
  return { n: 0, mean: 0, m2: 0 };
}

/**
 * Adds one value to `moments`, in place.
 *
 * Source: B. P. Welford, Technometrics 4 (1962).
 */
export function addToMoments(moments: Moments, value: number): void {
  moments.n += 1;
  const before = value - moments.mean;
  moments.mean += before / moments.n;
  moments.m2 += before * (value - moments.mean);
}

/** Moments of a list of values, one per user. */
export function momentsOf(values: Iterable<number>): Moments {
  const moments = emptyMoments();
  for (const value of values) addToMoments(moments, value);
  return moments;
}

/**
 * Moments of two disjoint groups of users together.
 *
 * Source: Chan, Golub and LeVeque, The American Statistician 37 (1983).
 */
export function mergeMoments(a: Moments, b: Moments): Moments {
  const n = a.n + b.n;
  if (n === 0) return emptyMoments();
  // Always towards the larger group, so that the order of merging cannot change a digit.
  const [large, small] = a.n > b.n || (a.n === b.n && a.mean < b.mean) ? [a, b] : [b, a];
  const difference = small.mean - large.mean;
  return {
    n,
    mean: large.mean + difference * (small.n / n),
    m2: a.m2 + b.m2 + difference * difference * (small.n / n) * large.n,
  };
}

/** A sum of squared deviations from raw sums; zero if it does not exceed the rounding error of the sum of products. */
export function centred(products: number, sumX: number, sumY: number, n: number): number {
  const value = products - sumX * (sumY / n);
  return Math.abs(value) > 1e-15 * Math.abs(products) ? value : 0;
}

/**
 * Moments from a count, a sum and a sum of squares, as from a warehouse.
 *
 * Loses digits if the mean is much larger than the standard deviation; `momentsOf` does not.
 *
 * @throws RangeError unless n and the sum of squares are not negative.
 */
export function momentsFromSums(n: number, sum: number, sumOfSquares: number): Moments {
  notNegative("n", n);
  between("sumOfSquares", sumOfSquares, 0, Infinity);
  if (n === 0) return emptyMoments();
  return { n, mean: sum / n, m2: Math.max(0, centred(sumOfSquares, sum, sum, n)) };
}

/** Sample variance with denominator n - 1; `null` for fewer than two users. */
export function varianceOf(moments: Moments): number | null {
  return moments.n < 2 ? null : moments.m2 / (moments.n - 1);
}
