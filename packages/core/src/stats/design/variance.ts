import { between, notNegative, positive, strictlyBetween } from "../range.ts";

/** Users who are assigned together, as a cluster. */
export interface Clusters {
  /** The mean number of users in a cluster. */
  size: number;
  /** The coefficient of variation of the sizes (standard deviation / mean); 0 by default, for equal sizes. */
  variation?: number;
  /** The intraclass correlation: the share of the variance that lies between clusters, from 0 to 1. */
  icc: number;
}

/**
 * Returns the variance with clusters, as a multiple of the variance of users who are assigned one by one: 1 + ((cv^2 +
 * 1) m - 1) icc.
 *
 * Source: Kish, Survey Sampling (1965), 5.4; unequal sizes: Eldridge, Ashby and Kerry, International Journal of
 * Epidemiology 35 (2006).
 *
 * @throws RangeError if the size is below 1, the variation below 0 or the icc outside 0 to 1.
 */
export function designEffect({ size, variation = 0, icc }: Clusters): number {
  between("size", size, 1, Number.MAX_VALUE);
  notNegative("variation", variation);
  return 1 + ((variation ** 2 + 1) * size - 1) * between("icc", icc, 0, 1);
}

/** The mean and standard deviation of a value per user. */
export interface UserValue {
  mean: number;
  standardDeviation: number;
}

/**
 * Returns the variance per user of a ratio of sums, in squared units of the ratio: the variance of numerator - ratio x
 * denominator, divided by the squared mean of the denominator. `correlation` is the correlation of the two values of a
 * user.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError if a deviation is below 0, the mean of the denominator is 0 or the correlation lies outside -1 to
 * 1.
 */
export function ratioVariance(numerator: UserValue, denominator: UserValue, correlation: number): number {
  between("correlation", correlation, -1, 1);
  const mean = positive("the size of the denominator's mean", Math.abs(denominator.mean));
  const own = notNegative("standardDeviation", numerator.standardDeviation);
  const other = (numerator.mean / denominator.mean) * notNegative("standardDeviation", denominator.standardDeviation);
  // Rounding could make it negative.
  return Math.max(0, own * own - 2 * correlation * own * other + other * other) / mean ** 2;
}

/**
 * Returns the variance per value of a quantile, in squared units of the value: q (1 - q) / density^2. The density at
 * the quantile is the share of values per unit.
 *
 * Source: A. W. van der Vaart, Asymptotic Statistics (1998), 21.
 *
 * @throws RangeError unless the quantile lies strictly between 0 and 1 and the density is positive.
 */
export function quantileVariance(quantile: number, density: number): number {
  return (strictlyBetween("quantile", quantile, 0, 1) * (1 - quantile)) / positive("density", density) ** 2;
}
