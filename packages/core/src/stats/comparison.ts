import { normalSf, twoSidedNormalQuantile } from "./normal.ts";
import { checkAlpha } from "./range.ts";
import { tQuantile, tSf } from "./student-t.ts";

/** The reason why numbers of a comparison are `null`; `OK` if none is. */
export type ComparisonStatus = "OK" | "INSUFFICIENT_DATA" | "ZERO_VARIANCE" | "ZERO_DENOMINATOR" | "NOT_FINITE";

/** A closed interval, lower end first. */
export type Interval = [lower: number, upper: number];

/**
 * A comparison of a treatment with its control. Undefined numbers are `null`, and `status` is the reason.
 *
 * `difference` is treatment minus control in the metric's units. `relativeDifference` is the lift (treatment - control)
 * / |control| as a fraction. `df` is `null` for a normal reference distribution.
 */
export interface Comparison {
  difference: number | null;
  standardError: number | null;
  statistic: number | null;
  df: number | null;
  pValue: number | null;
  confidenceInterval: Interval | null;
  significant: boolean;
  relativeDifference: number | null;
  relativeStandardError: number | null;
  relativePValue: number | null;
  relativeConfidenceInterval: Interval | null;
  status: ComparisonStatus;
}

/** Options of every two-sided test: `alpha`, 0.05 by default, and the reference distribution of its statistic. */
export interface TestOptions {
  alpha?: number;
  referenceDistribution?: "t" | "normal";
}

/**
 * The estimate of one arm: its value, the variance of a single user's contribution (`null` if undefined), and the n
 * users.
 */
export interface ArmEstimate {
  n: number;
  value: number;
  variance: number | null;
}

/** Returns whether a p-value is strictly below alpha. Returns false for an undefined p-value. */
export function isSignificant(pValue: number | null, alpha: number): boolean {
  return pValue !== null && pValue < alpha;
}

/** Returns `value`, or `null` if it is not a finite number. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns 100 (1 - (after / before)^2) of two standard errors, in per cent; `null` if one is undefined. */
export function reductionOf(before: number | null, after: number | null): number | null {
  const ratio = (after ?? Number.NaN) / (before ?? Number.NaN);
  return finiteOrNull(100 * (1 - ratio * ratio));
}

/** Returns a comparison without a test: at most its difference is known. */
export function undefinedComparison(status: ComparisonStatus, difference: number | null = null): Comparison {
  return {
    difference,
    standardError: null,
    statistic: null,
    df: null,
    pValue: null,
    confidenceInterval: null,
    significant: false,
    relativeDifference: null,
    relativeStandardError: null,
    relativePValue: null,
    relativeConfidenceInterval: null,
    status,
  };
}

/** Returns the statistic, two-sided p-value and interval of an estimate; all `null` if the standard error is zero. */
export function testEstimate(
  estimate: number,
  standardError: number,
  df: number | null,
  alpha: number,
): Pick<Comparison, "statistic" | "pValue" | "confidenceInterval"> {
  const statistic = finiteOrNull(estimate / standardError);
  if (statistic === null) return { statistic, pValue: null, confidenceInterval: null };
  const critical = df === null ? twoSidedNormalQuantile(alpha) : -tQuantile(alpha / 2, df);
  const halfWidth = critical * standardError;
  const size = Math.abs(statistic);
  return {
    statistic,
    pValue: Math.min(1, 2 * (df === null ? normalSf(size) : tSf(size, df))),
    confidenceInterval: Number.isFinite(halfWidth) ? [estimate - halfWidth, estimate + halfWidth] : null,
  };
}

/**
 * Returns the degrees of freedom of a sum of independent variances, each with its own degrees of freedom.
 *
 * Source: F. E. Satterthwaite, Biometrics Bulletin 2 (1946); B. L. Welch, Biometrika 34 (1947).
 */
export function satterthwaite(terms: readonly { variance: number; df: number }[]): number {
  let total = 0;
  for (const term of terms) total += term.variance;
  // Shares in place of squares, which would underflow for small variances.
  let sum = 0;
  for (const { variance, df } of terms) sum += (variance / total) ** 2 / df;
  return 1 / sum;
}

/**
 * Returns the lift (treatment - control) / |control| and its test by the delta method; all `null` if the control is
 * zero.
 */
function relative(control: number, treatment: number, vc: number, vt: number, df: number | null, alpha: number) {
  const size = Math.abs(control);
  const difference = control === 0 ? null : finiteOrNull((treatment - control) / size);
  const error = finiteOrNull(Math.hypot(Math.sqrt(vt) / size, (Math.sqrt(vc) / size) * (treatment / size)));
  const test = testEstimate(difference ?? Number.NaN, error ?? Number.NaN, df, alpha);
  return {
    relativeDifference: difference,
    relativeStandardError: difference === null ? null : error,
    relativePValue: test.pValue,
    relativeConfidenceInterval: test.confidenceInterval,
  };
}

/** One group's share of an estimate that combines several groups of users: `weight` times the group's value. */
export interface WeightedEstimate {
  weight: number;
  estimate: ArmEstimate;
}

/** Returns the value of a weighted sum of independent estimates, its squared standard error and the parts of that. */
function combine(terms: readonly WeightedEstimate[]) {
  let value = 0;
  let variance = 0;
  const parts: { variance: number; df: number }[] = [];
  for (const { weight, estimate } of terms) {
    const part = (weight * weight * (estimate.variance ?? 0)) / estimate.n;
    value += weight * estimate.value;
    variance += part;
    parts.push({ variance: part, df: estimate.n - 1 });
  }
  return { value, variance, parts };
}

/**
 * Compares a treatment with its control by Welch's t, or z. Each is a weighted sum of the estimates of independent
 * groups.
 *
 * Source: B. L. Welch, Biometrika 34 (1947), for any number of variances; lift by the delta method.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareWeighted(
  control: readonly WeightedEstimate[],
  treatment: readonly WeightedEstimate[],
  { alpha = 0.05, referenceDistribution = "t" }: TestOptions = {},
): Comparison {
  checkAlpha(alpha);
  const groups = [...control, ...treatment].map(({ estimate }) => estimate);
  const measured = control.length > 0 && treatment.length > 0 && groups.every(({ n }) => n > 0);
  if (!measured) return undefinedComparison("INSUFFICIENT_DATA");
  const c = combine(control);
  const t = combine(treatment);
  const difference = finiteOrNull(t.value - c.value);
  const least = referenceDistribution === "t" ? 2 : 1;
  if (groups.some(({ n, variance }) => n < least || variance === null)) {
    return undefinedComparison("INSUFFICIENT_DATA", difference);
  }
  const standardError = finiteOrNull(Math.sqrt(c.variance + t.variance));
  if (difference === null || standardError === null) return undefinedComparison("NOT_FINITE", difference);
  const normal = referenceDistribution === "normal" || standardError === 0;
  const df = normal ? null : satterthwaite([...c.parts, ...t.parts]);
  const test = testEstimate(difference, standardError, df, alpha);
  return {
    difference,
    standardError,
    df,
    ...test,
    significant: isSignificant(test.pValue, alpha),
    ...relative(c.value, t.value, c.variance, t.variance, df, alpha),
    status: standardError === 0 ? "ZERO_VARIANCE" : test.statistic === null ? "NOT_FINITE" : "OK",
  };
}

/**
 * Compares a treatment with its control by each arm's estimate: by Welch's t with Satterthwaite's degrees of freedom,
 * or z.
 *
 * Source: B. L. Welch, Biometrika 34 (1947); lift by the delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareEstimates(control: ArmEstimate, treatment: ArmEstimate, options: TestOptions = {}): Comparison {
  return compareWeighted([{ weight: 1, estimate: control }], [{ weight: 1, estimate: treatment }], options);
}
