import {
  type ArmEstimate,
  type Comparison,
  finiteOrNull,
  type Interval,
  isSignificant,
  satterthwaite,
  type TestOptions,
  testEstimate,
  undefinedComparison,
} from "./comparison.ts";
import { twoSidedNormalQuantile } from "./normal.ts";
import { checkAlpha } from "./range.ts";

/**
 * The assumption of a decision about arms without an effect. `EQUAL_DISTRIBUTIONS` if the p-value needs more than equal
 * means, otherwise `null`.
 */
export type Assumption = "EQUAL_DISTRIBUTIONS" | null;

/**
 * A decision between a treatment and its control, by a test that keeps its level. Undefined numbers are `null`.
 *
 * The units are those of `Comparison`. `confidenceInterval` and `pValue` agree: 0 lies outside the interval if and only
 * if p < alpha.
 */
export interface Decision extends Omit<Comparison, "relativeStandardError" | "relativePValue"> {
  assumption: Assumption;
}

/** The minimum number of users of each arm: a variance that is estimated from fewer may be nearly 0 by chance. */
const MIN_USERS = 5;

/** Returns a decision without a test. */
export function undecided(status: Comparison["status"], difference: number | null = null): Decision {
  const { relativeStandardError, relativePValue, ...none } = undefinedComparison(status, difference);
  return { ...none, assumption: null };
}

/** Returns the lift (treatment - control) / |control|; `null` if the control is zero. */
export function liftOf(control: number, treatment: number): number | null {
  return control === 0 ? null : finiteOrNull((treatment - control) / Math.abs(control));
}

/** Returns the interval of lifts from an interval of (treatment - control) / control; `null` if an end is not finite. */
export function liftInterval([lower, upper]: Interval, control: number): Interval | null {
  const ends: Interval = control < 0 ? [-upper, -lower] : [lower, upper];
  return ends.every(Number.isFinite) ? ends : null;
}

/** The standard error of a difference by the variance of each arm, and by the variance of both together. */
export interface StandardErrors {
  own: number;
  pooled: number;
  /** The degrees of freedom of each standard error. */
  df: { own: number; pooled: number };
}

/** Returns both standard errors; `null` if an arm has too few users or no variance. */
export function standardErrors(control: ArmEstimate, treatment: ArmEstimate): StandardErrors | null {
  if (Math.min(control.n, treatment.n) < MIN_USERS) return null;
  if (control.variance === null || treatment.variance === null) return null;
  const n = control.n + treatment.n;
  const terms = [control, treatment].map((arm) => ({ variance: arm.variance! / arm.n, df: arm.n - 1 }));
  const own = Math.sqrt(terms[0]!.variance + terms[1]!.variance);
  const squares = (control.n - 1) * control.variance + (treatment.n - 1) * treatment.variance;
  const df = n - 2;
  const pooled = Math.sqrt((squares / df) * (1 / control.n + 1 / treatment.n));
  return { own, pooled, df: { own: own > 0 ? satterthwaite(terms) : df, pooled: df } };
}

/** Returns t, 0 or more, which Hall's transformation for a skewness takes to `critical`; 0 if there is none. */
function untransformed(critical: number, skewness: number): number {
  const rate = Math.abs(skewness) / 1.5;
  const rest = Math.max(0, critical - rate / 4);
  // Without a skewness it is 0 / 0.
  return Math.log1p(rate * rest) / rate || rest;
}

/**
 * Returns the values of (treatment - control) / control within `critical` standard errors, by the variance of each arm or
 * by the common one; at the end that `skewness` brings closer, by the variance of each arm with the transformed t.
 *
 * `null` if either set is unbounded. It is, unless the control differs significantly from zero.
 *
 * Source: E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954).
 */
export function fiellerInterval(
  control: ArmEstimate,
  treatment: ArmEstimate,
  critical: number,
  skewness = 0,
): Interval | null {
  const ratio = treatment.value / control.value;
  const lift = (treatment.value - control.value) / control.value;
  // Everything is a share of the control's value, because squares of the values themselves may underflow.
  const share = (arm: ArmEstimate) => (Math.sqrt(arm.variance ?? 0) / control.value) ** 2;
  const [vc, vt] = [share(control), share(treatment)];
  const n = control.n + treatment.n;
  /**
   * Returns R - 1 for the solutions of |treatment - R control|^2 left <= R^2 c + t. They are an interval only if `a` is
   * positive. It is computed without R, whose digits a small lift would lose.
   */
  const solve = (left: number, c: number, t: number): Interval | null => {
    const a = left - c;
    const root = Math.sqrt(t * a + c * left * ratio * ratio);
    const middle = left * lift + c;
    return a > 0 && Number.isFinite(root) ? [(middle - root) / a, (middle + root) / a] : null;
  };
  const ownBy = (t: number) => solve(1, (t * t * vc) / control.n, (t * t * vt) / treatment.n);
  const own = ownBy(critical);
  // The variance of both arms together: of the control times the ratio, and the treatment, around their common mean.
  const between = (critical * critical) / (n - 1);
  const within = between * (1 / control.n + 1 / treatment.n);
  const common = solve(1 - between, within * (control.n - 1) * vc, within * (treatment.n - 1) * vt);
  if (!own || !common) return null;
  const narrow = ownBy(untransformed(critical, skewness))!;
  const side = skewness * control.value;
  return [side > 0 ? narrow[0] : Math.min(own[0], common[0]), side < 0 ? narrow[1] : Math.max(own[1], common[1])];
}

/**
 * Returns the standard error of a difference by the variance of all users around their common mean, as in
 * `fiellerInterval`.
 */
export function commonError({ pooled, df }: StandardErrors, difference: number): number {
  return Math.sqrt((pooled * pooled * df.pooled + difference * difference) / (df.pooled + 1));
}

/**
 * Decides between two arms by their estimates: the p-value is the larger of Welch's and the pooled t-test. In the
 * direction of `skewness`, that of the difference's sampling distribution, it is that of Hall's transformation of Welch's
 * t alone: see `compareMeans`.
 *
 * Welch's variance of a small arm with a skewed metric is too small whenever its mean is too small. So at unequal sizes
 * Welch's test alone finds far too much, and the pooled test alone fails with unequal variances. The interval of the
 * difference is the wider of both. The interval of the lift is the union of Fieller's two sets, with a normal critical
 * value. With fewer than five users in an arm the status is `INSUFFICIENT_DATA`.
 *
 * Source: both tests in B. L. Welch, Biometrika 34 (1947); the transformation in P. Hall, Journal of the Royal
 * Statistical Society B 54 (1992); false-positive rates in docs/statistics/simulations.md.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareArms(
  control: ArmEstimate,
  treatment: ArmEstimate,
  { alpha = 0.05, referenceDistribution = "t", skewness = 0 }: TestOptions & { skewness?: number } = {},
): Decision {
  checkAlpha(alpha);
  if (control.n === 0 || treatment.n === 0) return undecided("INSUFFICIENT_DATA");
  const difference = finiteOrNull(treatment.value - control.value);
  const errors = standardErrors(control, treatment);
  if (!errors) return undecided("INSUFFICIENT_DATA", difference);
  const { own, pooled, df } = errors;
  if (difference === null || !Number.isFinite(own + pooled)) return undecided("NOT_FINITE", difference);
  const [ownDf, pooledDf] = referenceDistribution === "normal" ? [null, null] : [df.own, df.pooled];
  const byOwn = testEstimate(difference, own, ownDf, alpha);
  const byPooled = testEstimate(difference, pooled, pooledDf, alpha);
  const rate = skewness / 1.5;
  // No p-value needs the exponential of more than 99, which stays finite.
  const transformed = Math.expm1(Math.min((rate * difference) / own, 99)) / rate + rate / 4;
  const isAlong = skewness * difference > 0;
  const usesOwn = isAlong || !(byOwn.pValue! < byPooled.pValue!);
  const test = isAlong ? testEstimate(own * transformed, own, ownDf, alpha) : usesOwn ? byOwn : byPooled;
  const halfWidth = (one: typeof byOwn) => (one.confidenceInterval?.[1] ?? difference) - difference;
  const wide = Math.max(halfWidth(byOwn), halfWidth(byPooled));
  const narrow = own * untransformed(halfWidth(byOwn) / own, skewness);
  const lifts = own === 0 ? null : fiellerInterval(control, treatment, twoSidedNormalQuantile(alpha), skewness);
  return {
    difference,
    standardError: usesOwn ? own : pooled,
    df: own === 0 ? null : usesOwn ? ownDf : pooledDf,
    ...test,
    confidenceInterval: test.confidenceInterval && [
      difference - (skewness > 0 ? narrow : wide),
      difference + (skewness < 0 ? narrow : wide),
    ],
    significant: isSignificant(test.pValue, alpha),
    relativeDifference: liftOf(control.value, treatment.value),
    relativeConfidenceInterval: lifts && liftInterval(lifts, control.value),
    assumption: null,
    status: own === 0 ? "ZERO_VARIANCE" : test.statistic === null ? "NOT_FINITE" : "OK",
  };
}
