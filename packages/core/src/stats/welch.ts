import { type ArmEstimate, type Comparison, compareEstimates, type TestOptions } from "./comparison.ts";
import { type Moments, varianceOf } from "./moments.ts";

/** Returns the mean of an arm as a comparable estimate. */
export function meanEstimate(moments: Moments): ArmEstimate {
  return { n: moments.n, value: moments.mean, variance: varianceOf(moments) };
}

/**
 * Tests the means of two arms (also counts and revenue) by Welch's two-sided t, from their moments.
 *
 * Source: B. L. Welch, Biometrika 34 (1947).
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function welchTest(control: Moments, treatment: Moments, options: TestOptions = {}): Comparison {
  return compareEstimates(meanEstimate(control), meanEstimate(treatment), options);
}
