import { type ArmEstimate, type Comparison, compareEstimates, type TestOptions } from "./comparison.ts";
import { type Moments, varianceOf } from "./moments.ts";

/** The mean of an arm as a comparable estimate. */
export function meanEstimate(moments: Moments): ArmEstimate {
  return { n: moments.n, value: moments.mean, variance: varianceOf(moments) };
}

/**
 * Welch's t-test of two arms' means (also counts and revenue), two-sided, from their moments.
 *
 * Source: B. L. Welch, Biometrika 34 (1947).
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function welchTest(control: Moments, treatment: Moments, options: TestOptions = {}): Comparison {
  return compareEstimates(meanEstimate(control), meanEstimate(treatment), options);
}
