import {
  type ArmEstimate,
  type Comparison,
  finiteOrNull,
  type Interval,
  isSignificant,
  satterthwaite,
  type TestOptions,
  testEstimate,
} from "./comparison.ts";
import { twoSidedNormalQuantile } from "./normal.ts";
import { checkAlpha } from "./range.ts";

/**
 * What a decision assumes of the arms without an effect: `EQUAL_DISTRIBUTIONS` if equal means alone would not be
 * enough for the p-value to hold, `null` otherwise.
 */
export type Assumption = "EQUAL_DISTRIBUTIONS" | null;

/**
 * A treatment against its control, by a test that keeps its level; `null` wherever a number is undefined.
 *
 * Units are those of `Comparison`. `confidenceInterval` and `pValue` agree: 0 lies outside if and only if p < alpha.
 */
export interface Decision extends Omit<Comparison, "relativeStandardError" | "relativePValue"> {
  assumption: Assumption;
}

/** The minimum number of users of each arm, because a variance estimated from fewer may be nearly 0 by chance. */
const MIN_USERS = 5;

/** A decision without a test. */
export function undecided(status: Comparison["status"], difference: number | null = null): Decision {
  return {
    difference,
    standardError: null,
    statistic: null,
    df: null,
    pValue: null,
    confidenceInterval: null,
    significant: false,
    relativeDifference: null,
    relativeConfidenceInterval: null,
    assumption: null,
    status,
  };
}

/** The lift (treatment - control) / |control|; `null` at a control of zero. */
export function liftOf(control: number, treatment: number): number | null {
  return control === 0 ? null : finiteOrNull((treatment - control) / Math.abs(control));
}

/** An interval of lifts from one of ratios treatment / control; `null` if an end is not finite. */
export function liftInterval([lower, upper]: Interval, control: number): Interval | null {
  const ends: Interval = control < 0 ? [1 - upper, 1 - lower] : [lower - 1, upper - 1];
  return ends.every(Number.isFinite) ? ends : null;
}

/** The standard error of a difference by each arm's own variance, and by the variance of both together. */
export interface StandardErrors {
  own: number;
  pooled: number;
  /** Degrees of freedom of each. */
  df: { own: number; pooled: number };
}

/** Both standard errors; `null` if an arm has too few users or no variance. */
export function standardErrors(control: ArmEstimate, treatment: ArmEstimate): StandardErrors | null {
  if (Math.min(control.n, treatment.n) < MIN_USERS) return null;
  if (control.variance === null || treatment.variance === null) return null;
  const n = control.n + treatment.n;
  const terms = [control, treatment].map((arm) => ({ variance: (arm.variance ?? 0) / arm.n, df: arm.n - 1 }));
  const own = Math.sqrt(terms[0]!.variance + terms[1]!.variance);
  const squares = (control.n - 1) * control.variance + (treatment.n - 1) * treatment.variance;
  const pooled = Math.sqrt((squares / (n - 2)) * (1 / control.n + 1 / treatment.n));
  return { own, pooled, df: { own: own > 0 ? satterthwaite(terms) : n - 2, pooled: n - 2 } };
}

/**
 * The ratios treatment / control within `critical` standard errors, by each arm's own variance or by the common one.
 *
 * `null` if either set is unbounded, which is so unless the control differs from zero.
 *
 * Source: E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954).
 */
export function fiellerInterval(control: ArmEstimate, treatment: ArmEstimate, critical: number): Interval | null {
  const ratio = treatment.value / control.value;
  // Everything as a share of the control's value: squares of the values themselves may underflow.
  const share = (variance: number | null) => (Math.sqrt(variance ?? 0) / control.value) ** 2;
  const [vc, vt] = [share(control.variance), share(treatment.variance)];
  const n = control.n + treatment.n;
  const square = critical * critical;
  /** Solutions of |treatment - R control|^2 left <= R^2 c + t, an interval only if `a` is positive. */
  const solve = (left: number, c: number, t: number): Interval | null => {
    const a = left - c;
    const root = Math.sqrt(t * a + c * left * ratio * ratio);
    return a > 0 && Number.isFinite(root) ? [(left * ratio - root) / a, (left * ratio + root) / a] : null;
  };
  const own = solve(1, (square * vc) / control.n, (square * vt) / treatment.n);
  // The variance of both arms together, of the control times the ratio and the treatment around their common mean.
  const weight = (square * (1 / control.n + 1 / treatment.n)) / (n - 1);
  const left = 1 - (weight * control.n * treatment.n) / n;
  const common = solve(left, weight * (control.n - 1) * vc, weight * (treatment.n - 1) * vt);
  return own && common && [Math.min(own[0], common[0]), Math.max(own[1], common[1])];
}

/** The standard error of a difference by the variance of all users around their common mean, as `fiellerInterval` has it. */
export function commonError(control: ArmEstimate, treatment: ArmEstimate): number {
  const n = control.n + treatment.n;
  const within = (control.n - 1) * (control.variance ?? 0) + (treatment.n - 1) * (treatment.variance ?? 0);
  const between = ((treatment.value - control.value) ** 2 * control.n * treatment.n) / n;
  return Math.sqrt(((within + between) / (n - 1)) * (1 / control.n + 1 / treatment.n));
}

/**
 * Decides between two arms by their estimates: the larger p-value of Welch's and of the pooled t-test.
 *
 * Welch's variance of a small arm with a skewed metric is too small whenever its mean is too small, so that at unequal
 * sizes Welch's test alone finds far too much; the pooled test alone fails with unequal variances. The interval of the
 * difference is the wider one, that of the lift the union of Fieller's two sets, with a normal critical value. Below
 * five users in an arm the answer is `INSUFFICIENT_DATA`.
 *
 * Source: both tests in B. L. Welch, Biometrika 34 (1947); false-positive rates in docs/statistics/simulations.md.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareArms(
  control: ArmEstimate,
  treatment: ArmEstimate,
  { alpha = 0.05, referenceDistribution = "t" }: TestOptions = {},
): Decision {
  checkAlpha(alpha);
  if (control.n === 0 || treatment.n === 0) return undecided("INSUFFICIENT_DATA");
  const difference = finiteOrNull(treatment.value - control.value);
  const errors = standardErrors(control, treatment);
  if (errors === null) return undecided("INSUFFICIENT_DATA", difference);
  const { own, pooled, df } = errors;
  if (difference === null || !Number.isFinite(own) || !Number.isFinite(pooled)) {
    return undecided("NOT_FINITE", difference);
  }
  const isNormal = referenceDistribution === "normal";
  const byOwn = testEstimate(difference, own, isNormal ? null : df.own, alpha);
  const byPooled = testEstimate(difference, pooled, isNormal ? null : df.pooled, alpha);
  const usesOwn = (byOwn.pValue ?? 0) >= (byPooled.pValue ?? 0);
  const test = usesOwn ? byOwn : byPooled;
  const width = ({ confidenceInterval: ends }: typeof byOwn) => (ends ? ends[1] - ends[0] : 0);
  const { confidenceInterval } = width(byOwn) >= width(byPooled) ? byOwn : byPooled;
  const ratios = own === 0 ? null : fiellerInterval(control, treatment, twoSidedNormalQuantile(alpha));
  return {
    difference,
    standardError: usesOwn ? own : pooled,
    df: isNormal || own === 0 ? null : usesOwn ? df.own : df.pooled,
    statistic: test.statistic,
    pValue: test.pValue,
    confidenceInterval,
    significant: isSignificant(test.pValue, alpha),
    relativeDifference: liftOf(control.value, treatment.value),
    relativeConfidenceInterval: ratios && liftInterval(ratios, control.value),
    assumption: null,
    status: own === 0 ? "ZERO_VARIANCE" : test.statistic === null ? "NOT_FINITE" : "OK",
  };
}
