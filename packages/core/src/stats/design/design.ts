import { tTestPower } from "../planning/noncentral-t.ts";
import { achievedPower, minimumDetectableEffect } from "../planning/power.ts";
import { findRoot } from "../quadrature.ts";
import { between, checkAlpha, notNegative, positive, strictlyBetween } from "../range.ts";
import { tQuantile } from "../student-t.ts";
import { type Clusters, designEffect } from "./variance.ts";

/** How an experiment divides, clusters and compares its users. */
export interface Design {
  /** The weights of control and of each treatment, in any unit; [1, 1] by default. */
  weights?: readonly number[];
  /** The correlation of the metric with the covariate, from before the exposure, that adjusts it; 0 by default. */
  correlation?: number;
  /** Absent if users are assigned one by one. */
  clusters?: Clusters;
  /** `normal` (the default), or `t`, as in the tests of means and ratios. Clusters always use `t`. */
  distribution?: "normal" | "t";
  /** The two-sided family-wise level, 0.05 by default. It is divided by the number of all comparisons (Bonferroni). */
  alpha?: number;
  /** The number of metrics that decide, and so share alpha; 1 by default. */
  metrics?: number;
  /** The probability of finding the effect, 0.8 by default. */
  power?: number;
}

/** The variances per user of control and of the treatments, in squared units of the metric. */
export interface Variances {
  control: number;
  treatment: number;
}

/** A treatment and its control. */
interface Pair {
  /** Users of control, and of the treatment, per user of all arms. */
  control: number;
  treatment: number;
  /** Returns the degrees of freedom for this many users of all arms; null for the normal distribution. */
  freedom: ((users: number) => number) | null;
}

/**
 * Fills in the defaults of a design.
 * @throws RangeError if an option is out of range
 */
export function planDesign({ alpha = 0.05, power = 0.8, metrics = 1, weights = [1, 1], ...rest }: Design) {
  const { correlation = 0, clusters, distribution = clusters ? "t" : "normal" } = rest;
  checkAlpha(alpha);
  strictlyBetween("power", power, 0, 1);
  strictlyBetween("correlation", correlation, -1, 1);
  between("metrics", metrics, 1, 1e6);
  between("the number of weights", weights.length, 2, 1e6);
  const sum = weights.reduce((total, weight) => total + positive("weight", weight), 0);
  const shares = weights.map((weight) => weight / sum);
  // Clusters of unequal size tell as much as fewer of equal size.
  const unit = clusters ? clusters.size * (1 + (clusters.variation ?? 0) ** 2) : 1;
  const [control = 0, ...treatments] = shares;
  // The smallest treatment decides: its standard error is the largest, and its degrees of freedom are the fewest.
  const treatment = Math.min(...treatments);
  const freedom = (users: number) => (users * (control + treatment)) / unit - 2;
  const pair: Pair = { control, treatment, freedom: distribution === "t" || clusters ? freedom : null };
  return {
    shares,
    pair,
    power,
    alphaPerComparison: alpha / (treatments.length * metrics),
    /** The variance as a multiple of the variance without adjustment and clusters. */
    factor: (1 - correlation ** 2) * (clusters ? designEffect(clusters) : 1),
  };
}

/** Returns the standard error of a treatment's difference from control. */
function errorOf({ control, treatment }: Pair, variances: Variances, factor: number, users: number): number {
  positive("users", users);
  const ofControl = notNegative("variance", variances.control) / control;
  return Math.sqrt((factor * (ofControl + notNegative("variance", variances.treatment) / treatment)) / users);
}

/**
 * Returns the power to find `effect` with this many users in all arms, for the treatment with the least power. It is 1
 * without variance.
 *
 * The variance of each treatment's difference is (1 - rho^2) x design effect x (variance / share of control + variance
 * / share of treatment) / users.
 *
 * Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (2nd ed. 1988); CUPED: Deng, Xu, Kohavi and Walker,
 * WSDM 2013; clusters: Kish, Survey Sampling (1965).
 *
 * @throws RangeError if an argument is out of range, or if both arms together have fewer than three clusters or users
 * with `t`.
 */
export function designPower(effect: number, variances: Variances, users: number, design: Design = {}): number {
  const { pair, factor, alphaPerComparison: alpha } = planDesign(design);
  const error = errorOf(pair, variances, factor, users);
  if (error === 0) return 1;
  if (pair.freedom === null) return achievedPower(effect, error, { alpha }) ?? 1;
  return tTestPower(pair.freedom(users), Math.abs(effect) / error, { alpha });
}

/**
 * Returns the smallest effect that this many users in all arms find, in the metric's units, for the treatment with the
 * largest.
 *
 * Source: H. S. Bloom, Evaluation Review 19 (1995); {@link designPower}.
 *
 * @throws RangeError as {@link designPower}.
 */
export function designMinimumEffect(variances: Variances, users: number, design: Design = {}): number {
  const { pair, factor, power, alphaPerComparison: alpha } = planDesign(design);
  const error = errorOf(pair, variances, factor, users);
  if (pair.freedom === null) return minimumDetectableEffect(error, { alpha, power }) ?? 0;
  const df = positive("df", pair.freedom(users));
  const farthest = 10 - 3 * tQuantile(alpha / 2, df);
  return error * findRoot(0, farthest, (shift) => tTestPower(df, shift, { alpha }) - power);
}
