import { normalSf, twoSidedNormalQuantile } from "./normal.ts";
import { strictlyBetween } from "./range.ts";
import { tQuantile, tSf } from "./student-t.ts";

/** Why numbers of a comparison are `null`; `OK` where none has to be. */
export type ComparisonStatus = "OK" | "INSUFFICIENT_DATA" | "ZERO_VARIANCE" | "ZERO_DENOMINATOR" | "NOT_FINITE";

/** A closed interval, lower end first. */
export type Interval = [lower: number, upper: number];

/**
 * A treatment against its control; `null` wherever a number is undefined, with `status` saying why.
 *
 * `difference` is treatment minus control in the metric's own units, `relativeDifference` the lift
 * (treatment - control) / |control| as a fraction, `df` is `null` for a normal reference distribution.
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

/** What every two-sided test takes: `alpha`, 0.05 by default, and the reference distribution of its statistic. */
export interface TestOptions {
  alpha?: number;
  referenceDistribution?: "t" | "normal";
}

/** One arm's estimate: its value, the variance of a single user's contribution (`null` if undefined), and n users. */
export interface ArmEstimate {
  n: number;
  value: number;
  variance: number | null;
}

/** Whether a p-value is below alpha, strictly; an undefined one never is. */
export function isSignificant(pValue: number | null, alpha: number): boolean {
  return pValue !== null && pValue < alpha;
}

/** `value`, or `null` where it is not a finite number. */
export function finiteOrNull(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A comparison of which nothing but, at most, the difference is known. */
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

/** Statistic, two-sided p-value and interval of an estimate; all `null` where the standard error is zero. */
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
 * Degrees of freedom of a sum of independent variances, each with its own.
 *
 * Source: F. E. Satterthwaite, Biometrics Bulletin 2 (1946); B. L. Welch, Biometrika 34 (1947).
 */
export function satterthwaite(terms: readonly { variance: number; df: number }[]): number {
  let total = 0;
  for (const term of terms) total += term.variance;
  // Shares instead of squares, which would underflow for small variances.
  let sum = 0;
  for (const { variance, df } of terms) sum += (variance / total) ** 2 / df;
  return 1 / sum;
}

/** The lift (treatment - control) / |control| and its test, by the delta method; all `null` at a control of zero. */
function relative(control: number, treatment: number, vc: number, vt: number, df: number | null, alpha: number) {
  const size = Math.abs(control);
  const difference = control === 0 ? null : finiteOrNull((treatment - control) / size);
  const error = finiteOrNull(Math.hypot(Math.sqrt(vt) / size, (Math.sqrt(vc) / size) * (treatment / size)));
  const test = difference === null || error === null ? null : testEstimate(difference, error, df, alpha);
  return {
    relativeDifference: difference,
    relativeStandardError: difference === null ? null : error,
    relativePValue: test?.pValue ?? null,
    relativeConfidenceInterval: test?.confidenceInterval ?? null,
  };
}

/**
 * Treatment against control from each arm's estimate: Welch's t with Satterthwaite's degrees of freedom, or z.
 *
 * Source: B. L. Welch, Biometrika 34 (1947); lift by the delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareEstimates(
  control: ArmEstimate,
  treatment: ArmEstimate,
  { alpha = 0.05, referenceDistribution = "t" }: TestOptions = {},
): Comparison {
  strictlyBetween("alpha", alpha, 0, 1);
  const measured = control.n > 0 && treatment.n > 0;
  const difference = measured ? finiteOrNull(treatment.value - control.value) : null;
  const least = referenceDistribution === "t" ? 2 : 1;
  const enough = control.n >= least && treatment.n >= least;
  if (!enough || control.variance === null || treatment.variance === null) {
    return undefinedComparison("INSUFFICIENT_DATA", difference);
  }
  const vc = control.variance / control.n;
  const vt = treatment.variance / treatment.n;
  const standardError = finiteOrNull(Math.sqrt(vc + vt));
  if (difference === null || standardError === null) return undefinedComparison("NOT_FINITE", difference);
  const df =
    referenceDistribution === "normal" || standardError === 0
      ? null
      : satterthwaite([
          { variance: vc, df: control.n - 1 },
          { variance: vt, df: treatment.n - 1 },
        ]);
  const test = testEstimate(difference, standardError, df, alpha);
  return {
    difference,
    standardError,
    df,
    ...test,
    significant: isSignificant(test.pValue, alpha),
    ...relative(control.value, treatment.value, vc, vt, df, alpha),
    status: standardError === 0 ? "ZERO_VARIANCE" : test.statistic === null ? "NOT_FINITE" : "OK",
  };
}
