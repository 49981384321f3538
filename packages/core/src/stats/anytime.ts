import { rateIntervals } from "./compare.ts";
import type { ArmEstimate, Interval } from "./comparison.ts";
import { fiellerInterval, liftInterval, standardErrors } from "./decision.ts";
import type { Moments } from "./moments.ts";
import { checkProportion, type Proportion } from "./proportions.ts";
import { checkAlpha, positive } from "./range.ts";
import { type Score, score } from "./score.ts";
import { alwaysValidRho, logRatioOf, mixture, NO_TEST, type SequentialTest } from "./sequential.ts";
import { meanEstimate } from "./welch.ts";

/**
 * A comparison that stays valid at any number of looks: the mixture test of the difference, and the interval of the
 * lift.
 */
export interface AnytimeDecision extends SequentialTest {
  relativeConfidenceInterval: Interval | null;
}

/**
 * Options of a comparison at any time.
 *
 * With a `mixingVariance` the test is the mixture test (mSPRT). The mixing variance is the variance of plausible
 * effects, in squared units of the difference. Without one the test is the always-valid one, which is best at about
 * `tuningParameter` users.
 */
export interface AnytimeOptions {
  alpha?: number;
  tuningParameter?: number;
  mixingVariance?: number;
}

const UNDEFINED: AnytimeDecision = { ...NO_TEST, relativeConfidenceInterval: null };

/** Returns a function from the variance of an estimate of `n` users to the ratio of the mixing variance to it. */
export function mixingRatio(n: number, { mixingVariance, ...options }: AnytimeOptions): (variance: number) => number {
  if (mixingVariance === undefined) {
    const ratio = alwaysValidRho(options) ** 2 * n;
    return () => ratio;
  }
  positive("mixingVariance", mixingVariance);
  return (variance) => mixingVariance / variance;
}

/**
 * Decides between two conversion rates at any time: a mixture test on the skewness-corrected score.
 *
 * The false-positive rate over all looks stays below alpha, also at unequal splits and rare outcomes. There the same
 * test on an unpooled standard error rejects most true null hypotheses.
 *
 * Source: Waudby-Smith et al., arXiv 2103.06476, equation 9, and Johari, Pekelis and Walsh, Operations Research 70
 * (2022), each with the score of Gart and Nam, Biometrics 46 (1990), for z.
 *
 * @throws RangeError unless 0 <= successes <= n in both arms, alpha lies strictly between 0 and 1, and the tuning
 * parameter or the mixing variance is positive.
 */
export function compareProportionsAnytime(
  control: Proportion,
  treatment: Proportion,
  options: AnytimeOptions = {},
): AnytimeDecision {
  checkProportion("control", control);
  checkProportion("treatment", treatment);
  if (Math.min(control.n, treatment.n) === 0) return UNDEFINED;
  const { alpha = 0.05 } = options;
  const ratioOf = mixingRatio(control.n + treatment.n, options);
  // Without variance a score is 0 or infinite, so any mixture gives the same.
  const logRatio = ({ z, variance }: Score) => (variance === 0 ? Math.abs(z) : logRatioOf(z, ratioOf(variance)));
  const own = score(control, treatment, "difference", 0, 0);
  if (own.variance === 0) return UNDEFINED;
  const logLikelihoodRatio = logRatio(own);
  return {
    logLikelihoodRatio,
    pValue: Math.min(1, Math.exp(-logLikelihoodRatio)),
    halfWidth: null,
    ...rateIntervals(control, treatment, 0, (one) => logRatio(one) + Math.log(alpha)),
  };
}

/**
 * Decides between two arms at any time, by their estimates and the larger of two standard errors.
 *
 * The larger of Welch's and the pooled standard error keeps the false-positive rate over all looks below alpha at
 * unequal splits and with skewed metrics. The interval of the lift is the union of Fieller's two sets. With fewer than
 * five users in an arm, everything is `null`.
 *
 * Source: as `compareProportionsAnytime`, with z the difference over its standard error.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1, and the tuning parameter or the mixing variance is
 * positive.
 */
export function compareArmsAnytime(
  control: ArmEstimate,
  treatment: ArmEstimate,
  options: AnytimeOptions = {},
): AnytimeDecision {
  const ratioOf = mixingRatio(control.n + treatment.n, options);
  const errors = standardErrors(control, treatment);
  if (errors === null) return UNDEFINED;
  const standardError = Math.max(errors.own, errors.pooled);
  const test = mixture(
    treatment.value - control.value,
    standardError,
    ratioOf(standardError ** 2),
    checkAlpha(options.alpha ?? 0.05),
  );
  if (test.halfWidth === null) return UNDEFINED;
  const lifts = fiellerInterval(control, treatment, test.halfWidth / standardError);
  return { ...test, relativeConfidenceInterval: lifts && liftInterval(lifts, control.value) };
}

/**
 * Decides between two means at any time; see `compareArmsAnytime`.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1, and the tuning parameter or the mixing variance is
 * positive.
 */
export function compareMeansAnytime(
  control: Moments,
  treatment: Moments,
  options: AnytimeOptions = {},
): AnytimeDecision {
  return compareArmsAnytime(meanEstimate(control), meanEstimate(treatment), options);
}
