import { between, notNegative, positive, strictlyBetween } from "../range.ts";

/** Users who are drawn together. */
export interface Clusters {
  /** Mean number of users of a cluster. */
  size: number;
  /** Coefficient of variation of the sizes (standard deviation / mean); 0 by default: all are equal. */
  variation?: number;
  /** Intraclass correlation: the share of the variance that lies between clusters, 0 to 1. */
  icc: number;
}

/**
 * How many times the variance of users who are drawn alone: 1 + ((cv^2 + 1) m - 1) icc.
 *
 * Source: Kish, Survey Sampling (1965), 5.4; unequal sizes: Eldridge, Ashby and Kerry, International Journal of
 * Epidemiology 35 (2006).
 *
 * @throws RangeError for a size below 1, a variation below 0 and an icc outside 0 to 1.
 */
export function designEffect({ size, variation = 0, icc }: Clusters): number {
  between("size", size, 1, Number.MAX_VALUE);
  notNegative("variation", variation);
  return 1 + ((variation ** 2 + 1) * size - 1) * between("icc", icc, 0, 1);
}

/** A value per user. */
export interface UserValue {
  mean: number;
  standardDeviation: number;
}

/**
 * The variance per user of a ratio of sums, in squared units of the ratio: that of numerator - ratio x denominator, over
 * the squared mean of the denominator. `correlation` is that of both values of a user.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError for a deviation below 0, a mean of the denominator of 0 and a correlation outside -1 to 1.
 */
export function ratioVariance(numerator: UserValue, denominator: UserValue, correlation: number): number {
  between("correlation", correlation, -1, 1);
  const mean = positive("the size of the denominator's mean", Math.abs(denominator.mean));
  const own = notNegative("standardDeviation", numerator.standardDeviation);
  const other = (numerator.mean / denominator.mean) * notNegative("standardDeviation", denominator.standardDeviation);
  // Against rounding below 0.
  return Math.max(0, own * own - 2 * correlation * own * other + other * other) / mean ** 2;
}

/**
 * The variance per value of a quantile, in squared units of the value: q (1 - q) / density^2, where the density at the
 * quantile is the share of values per unit.
 *
 * Source: A. W. van der Vaart, Asymptotic Statistics (1998), 21.
 *
 * @throws RangeError unless the quantile lies strictly between 0 and 1 and the density is positive.
 */
export function quantileVariance(quantile: number, density: number): number {
  return (strictlyBetween("quantile", quantile, 0, 1) * (1 - quantile)) / positive("density", density) ** 2;
}
