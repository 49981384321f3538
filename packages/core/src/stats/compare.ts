import { finiteOrNull, type Interval, isSignificant } from "./comparison.ts";
import { type Assumption, compareArms, type Decision, liftInterval, liftOf, undecided } from "./decision.ts";
import { type Moments, mergeMoments, skewnessOf } from "./moments.ts";
import { normalSf, twoSidedNormalQuantile } from "./normal.ts";
import { checkProportion, type Proportion, rateEstimate } from "./proportions.ts";
import { checkAlpha } from "./range.ts";
import { type Contrast, type Score, score, scoreInterval } from "./score.ts";
import { meanEstimate } from "./welch.ts";

/** The minimum number of users of each arm for a test of rates. */
const MIN_USERS = 2;
/**
 * The minimum number of users of the smaller arm, per squared skewness, for which the test of two means only has to
 * assume equal means.
 */
const USERS_PER_SQUARED_SKEWNESS = 30;

/**
 * Returns the standard error of a difference of rates: the larger of that by each arm's rate and that by the common
 * rate.
 */
export function rateStandardError(control: Proportion, treatment: Proportion): number {
  const both = { successes: control.successes + treatment.successes, n: control.n + treatment.n };
  const [c, t, all] = [control, treatment, both].map((arm) => rateEstimate(arm).variance ?? 0) as [
    number,
    number,
    number,
  ];
  return Math.sqrt(Math.max(c / control.n + t / treatment.n, all * (1 / control.n + 1 / treatment.n)));
}

/** Returns the intervals of the difference and of the lift of two rates: the values whose score is not extreme. */
export function rateIntervals(
  control: Proportion,
  treatment: Proportion,
  continuity: number,
  distance: (score: Score) => number,
): Pick<Decision, "confidenceInterval" | "relativeConfidenceInterval"> {
  const interval = (contrast: Contrast): Interval => scoreInterval(control, treatment, contrast, continuity, distance);
  return {
    confidenceInterval: interval("difference"),
    relativeConfidenceInterval: liftInterval(interval("ratio"), 1),
  };
}

/**
 * Decides between two conversion rates by the skewness-corrected score test with continuity correction.
 *
 * The false-positive rate stays below alpha at any split and any rate, like that of Fisher's exact test, at nearly the
 * same power. One function gives the p-value and the intervals of the difference and of the lift, so they always agree.
 * With fewer than two users in an arm the status is `INSUFFICIENT_DATA`; if all users of both arms did the same, p is
 * 1. The standard error is the larger of the unpooled and the pooled one; the test does not use it.
 *
 * Source: Gart and Nam, Biometrics 46 (1990); Laud, Pharmaceutical Statistics 16 (2017).
 *
 * @throws RangeError unless 0 <= successes <= n in both arms and alpha lies strictly between 0 and 1.
 */
export function compareProportions(
  control: Proportion,
  treatment: Proportion,
  { alpha = 0.05 }: { alpha?: number } = {},
): Decision {
  checkAlpha(alpha);
  checkProportion("control", control);
  checkProportion("treatment", treatment);
  const [c, t] = [rateEstimate(control).value, rateEstimate(treatment).value];
  const isEmpty = control.n === 0 || treatment.n === 0;
  const difference = isEmpty ? null : t - c;
  if (Math.min(control.n, treatment.n) < MIN_USERS) return undecided("INSUFFICIENT_DATA", difference);
  const { z, variance } = score(control, treatment, "difference", 0, 1);
  const pValue = Math.min(1, 2 * normalSf(Math.abs(z)));
  const critical = twoSidedNormalQuantile(alpha);
  return {
    difference,
    standardError: rateStandardError(control, treatment),
    statistic: finiteOrNull(z),
    df: null,
    pValue,
    significant: isSignificant(pValue, alpha),
    relativeDifference: liftOf(c, t),
    ...rateIntervals(control, treatment, 1, (own) => Math.abs(own.z) - critical),
    assumption: null,
    status: variance === 0 ? "ZERO_VARIANCE" : "OK",
  };
}

/**
 * Returns the assumption of a comparison of two means about arms without an effect: equal distributions, unless the
 * smaller arm has at least 30 users per squared skewness.
 *
 * Source: Kohavi, Deng, Longbotham and Xu, KDD 2014 (with 355 instead of 30); simulated in
 * docs/statistics/simulations.md.
 */
export function meanAssumption(control: Moments, treatment: Moments): Assumption {
  const both = mergeMoments(control, treatment);
  if (both.m2 === 0) return null;
  const skewness = skewnessOf(both);
  const users = Math.min(control.n, treatment.n);
  const isEnough = skewness !== null && users >= USERS_PER_SQUARED_SKEWNESS * skewness * skewness;
  return isEnough ? null : "EQUAL_DISTRIBUTIONS";
}

/**
 * Decides between two means (also counts and revenue) by the larger p-value of Welch's and of the pooled t-test.
 *
 * See `compareArms`. `assumption` is `EQUAL_DISTRIBUTIONS` if the arms are too small for their skewness.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareMeans(control: Moments, treatment: Moments, options: { alpha?: number } = {}): Decision {
  const decision = compareArms(meanEstimate(control), meanEstimate(treatment), options);
  return decision.status === "OK" ? { ...decision, assumption: meanAssumption(control, treatment) } : decision;
}
