import {
  type ArmEstimate,
  type Comparison,
  compareEstimates,
  type TestOptions,
  undefinedComparison,
} from "./comparison.ts";
import { covarianceOf, type JointMoments } from "./joint-moments.ts";

/**
 * Returns the partial derivatives of the ratio of the means of `numerator` and `denominator` by each value of the
 * moments.
 */
export function ratioGradient(moments: JointMoments, numerator: number, denominator: number): number[] {
  const mean = moments.means[denominator]!;
  const ratio = moments.means[numerator]! / mean;
  return moments.means.map((_, i) => (i === numerator ? 1 / mean : i === denominator ? -ratio / mean : 0));
}

/**
 * Returns the ratio of an arm's sums as a comparable estimate, from joint moments of [numerator, denominator].
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 */
export function ratioEstimate(moments: JointMoments): ArmEstimate {
  const gradient = ratioGradient(moments, 0, 1);
  return {
    n: moments.n,
    value: moments.means[0]! / moments.means[1]!,
    variance: moments.n < 2 ? null : Math.max(0, covarianceOf(moments, gradient, gradient)),
  };
}

/**
 * Tests a ratio of sums per arm, such as clicks per session, by Welch's t. Users are the unit.
 *
 * Each arm's joint moments are those of [numerator, denominator] per user.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function ratioTest(control: JointMoments, treatment: JointMoments, options: TestOptions = {}): Comparison {
  if (control.n === 0 || treatment.n === 0) return undefinedComparison("INSUFFICIENT_DATA");
  if (control.means[1] === 0 || treatment.means[1] === 0) return undefinedComparison("ZERO_DENOMINATOR");
  return compareEstimates(ratioEstimate(control), ratioEstimate(treatment), options);
}
