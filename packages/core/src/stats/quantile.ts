import { type Comparison, compareEstimates, finiteOrNull, type Interval, undefinedComparison } from "./comparison.ts";
import { addToJointMoments, covarianceOf, emptyJointMoments } from "./joint-moments.ts";
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

/**
 * Returns the standard error of the share of observations at or below `value`, by the delta method. Users are the unit.
 */
function shareError({ values, users }: Observations, value: number): { error: number; users: number } {
  let clusters = users ? 0 : values.length;
  if (users) for (let i = 0; i < users.length; i++) clusters = Math.max(clusters, users[i]! + 1);
  const below = new Float64Array(clusters);
  const all = new Float64Array(clusters);
  for (let i = 0; i < values.length; i++) {
    const user = users ? users[i]! : i;
    if (values[i]! <= value) below[user]! += 1;
    all[user]! += 1;
  }
  const moments = emptyJointMoments(2);
  // An index may have no observation: its user is not part of the quantile.
  for (let user = 0; user < clusters; user++) if (all[user]) addToJointMoments(moments, [below[user]!, all[user]!]);
  const gradient = ratioGradient(moments, 0, 1);
  const variance = moments.n < 2 ? 0 : Math.max(0, covarianceOf(moments, gradient, gradient));
  return { error: Math.sqrt(variance / moments.n), users: moments.n };
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
  const share = shareError(observations, value!);
  const odds = quantile / (1 - quantile);
  const nothing = { n, users: share.users, value, standardError: null, confidenceInterval: null };
  if (value === null || n <= 3.84 * Math.max(odds, 1 / odds) || share.users < 2) {
    return { ...nothing, status: "INSUFFICIENT_DATA" };
  }
  const z = twoSidedNormalQuantile(alpha);
  const lower = sampleQuantile(sorted, Math.max(0, quantile - z * share.error))!;
  const upper = sampleQuantile(sorted, Math.min(1, quantile + z * share.error))!;
  const first = sorted.indexOf(value);
  const last = sorted.lastIndexOf(value);
  const reach = first < last ? 1 : 0;
  const below = sorted[first - reach] ?? value;
  const above = sorted[last + reach] ?? value;
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
