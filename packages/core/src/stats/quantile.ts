import { type Comparison, compareEstimates, finiteOrNull, type Interval, undefinedComparison } from "./comparison.ts";
import { addToJointMoments, covarianceOf, emptyJointMoments, type JointMoments } from "./joint-moments.ts";
import { twoSidedNormalQuantile } from "./normal.ts";
import { checkAlpha, sameLength, strictlyBetween } from "./range.ts";
import { ratioGradient } from "./ratio.ts";
import { sampleQuantile } from "./winsorising.ts";

/** An arm's observations, and the user index (0, 1 ...) of each, if a user may have several. */
export interface Observations {
  values: ArrayLike<number>;
  users?: ArrayLike<number>;
}

/** A quantile of one arm's observations, with its standard error and interval. */
export interface QuantileEstimate {
  /** The numbers of observations (`n`) and of their users. */
  n: number;
  users: number;
  value: number | null;
  standardError: number | null;
  confidenceInterval: Interval | null;
  status: "OK" | "INSUFFICIENT_DATA" | "ZERO_VARIANCE";
}

/** Options of a quantile. `quantile` lies in (0, 1); the median is the default. */
export interface QuantileOptions {
  quantile?: number;
  alpha?: number;
}

/** A quantile of one arm's observations, and what its interval depends on. */
export interface ObservedQuantile {
  /** Number of observations. */
  n: number;
  /** The quantile; null without observations. */
  value: number | null;
  /** Joint moments of each user's numbers of observations [at or below `value`, all]. */
  shares: JointMoments;
  /** The observation before those that equal `value`, if several do; otherwise `value`. */
  below: number;
  /** The observation after those that equal `value`, if several do; otherwise `value`. */
  above: number;
  /** Returns the quantile at another share. */
  at(share: number): number;
}

/** Returns the joint moments of each user's numbers of observations [at or below `value`, all]. */
function sharesOf({ values, users }: Observations, value: number): JointMoments {
  const counts: [below: number, all: number][] = [];
  for (let i = 0; i < values.length; i++) {
    const user = users ? users[i]! : i;
    counts[user] ??= [0, 0];
    if (values[i]! <= value) counts[user][0]++;
    counts[user][1]++;
  }
  const moments = emptyJointMoments(2);
  // An index may have no observation: its user is not part of the quantile.
  counts.forEach((own) => {
    addToJointMoments(moments, own);
  });
  return moments;
}

/**
 * Returns the estimate of an observed quantile, as {@link quantileEstimate} does. It asks `at` for the two ends of the
 * interval if there is one.
 */
export function estimateQuantile(
  { n, value, shares, below, above, at }: ObservedQuantile,
  { quantile, alpha }: Required<QuantileOptions>,
): QuantileEstimate {
  const odds = quantile / (1 - quantile);
  const nothing = { n, users: shares.n, value, standardError: null, confidenceInterval: null };
  if (value === null || n <= 3.84 * Math.max(odds, 1 / odds) || shares.n < 2) {
    return { ...nothing, status: "INSUFFICIENT_DATA" };
  }
  // The error of the share of observations at or below the quantile, by the delta method. Users are the unit.
  const gradient = ratioGradient(shares, 0, 1);
  const variance = Math.max(0, covarianceOf(shares, gradient, gradient));
  const z = twoSidedNormalQuantile(alpha);
  const reach = z * Math.sqrt(variance / shares.n);
  const lower = at(Math.max(0, quantile - reach));
  const upper = at(Math.min(1, quantile + reach));
  const standardError = finiteOrNull(Math.hypot((upper - lower) / 2, Math.max(value - below, above - value)) / z);
  if (!standardError) return { ...nothing, status: "ZERO_VARIANCE" };
  return {
    ...nothing,
    standardError,
    confidenceInterval: [Math.min(lower, below), Math.max(upper, above)],
    status: "OK",
  };
}

/**
 * Returns a quantile of an arm with an interval that needs no density: it ends at the quantiles at nu +- z times the
 * error of nu. Users are the clusters.
 *
 * Whole numbers tie. Then the ends jump from value to value, and the interval may miss the error altogether. So where
 * several observations share the quantile, the interval reaches at least the next values on both sides, and the larger
 * step there counts as an error of rounding at z. The cost: neighbouring values never differ significantly, and a
 * heavily tied quantile finds little. Without ties nothing changes.
 *
 * The interval is undefined while n <= 3.84 max(nu / (1 - nu), (1 - nu) / nu), because it would leave the data.
 *
 * Source: Deng, Knoblich and Lu, KDD 2018, 4.3.
 *
 * @throws RangeError unless quantile and alpha lie strictly between 0 and 1, or for a user index per no value.
 */
export function quantileEstimate(
  observations: Observations,
  { quantile = 0.5, alpha = 0.05 }: QuantileOptions = {},
): QuantileEstimate {
  strictlyBetween("quantile", quantile, 0, 1);
  checkAlpha(alpha);
  const { values, users } = observations;
  const n = values.length;
  if (users) sameLength("users", n, [users]);
  const sorted = Float64Array.from(values).sort();
  const value = finiteOrNull(sampleQuantile(sorted, quantile)!);
  const first = sorted.indexOf(value!);
  const last = sorted.lastIndexOf(value!);
  const reach = first < last ? 1 : 0;
  return estimateQuantile(
    {
      n,
      value,
      shares: sharesOf(observations, value!),
      below: sorted[first - reach] ?? value!,
      above: sorted[last + reach] ?? value!,
      at: (share) => sampleQuantile(sorted, share)!,
    },
    { quantile, alpha },
  );
}

/**
 * Tests the difference of the quantiles of two arms by a two-sided z-test. Users are the clusters.
 *
 * Source: Deng, Knoblich and Lu, KDD 2018, 4.3; lift by the delta method.
 *
 * @throws RangeError unless quantile and alpha lie strictly between 0 and 1, or for a user index per no value.
 */
export function quantileTest(
  control: Observations,
  treatment: Observations,
  options: QuantileOptions = {},
): Comparison {
  const c = quantileEstimate(control, options);
  const t = quantileEstimate(treatment, options);
  if (c.value === null || t.value === null) return undefinedComparison("INSUFFICIENT_DATA");
  if (c.standardError === null || t.standardError === null) {
    const status = c.status === "OK" ? t.status : c.status;
    return undefinedComparison(status, finiteOrNull(t.value - c.value));
  }
  // A quantile has an error, but no variance per user: each arm is one unit with that error.
  return compareEstimates(
    { n: 1, value: c.value, variance: c.standardError ** 2 },
    { n: 1, value: t.value, variance: t.standardError ** 2 },
    { alpha: options.alpha, referenceDistribution: "normal" },
  );
}
