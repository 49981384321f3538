import { finiteOrNull, type Interval, isSignificant } from "./comparison.ts";
import { compareArms, type Decision, liftInterval, liftOf, undecided } from "./decision.ts";
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
function rateStandardError(control: Proportion, treatment: Proportion): number {
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
  const [lower, upper] = interval("ratio");
  return {
    confidenceInterval: interval("difference"),
    relativeConfidenceInterval: liftInterval([lower - 1, upper - 1], 1),
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
 * Returns the skewness of the difference of two means, by each arm's distribution or by the common one: the smaller of
 * the two, or 0 if their signs differ.
 */
function differenceSkewness(control: Moments, treatment: Moments, common: number): number {
  const [c, t] = [control.n, treatment.n];
  const third = treatment.m3! / t ** 3 - control.m3! / c ** 3;
  const own = third / (treatment.m2 / t ** 2 + control.m2 / c ** 2) ** 1.5;
  const other = (common * (c - t)) / Math.sqrt(c * t * (c + t));
  return own * other > 0 ? (own > 0 ? Math.min : Math.max)(own, other) : 0;
}

/**
 * Decides between two means (also counts and revenue) by the larger p-value of Welch's and of the pooled t-test, and in
 * the direction of the skewness by Hall's transformation of Welch's t.
 *
 * If a metric is skewed to the right and the treatment is the smaller arm, a large mean comes with a large variance, so
 * Welch's test finds a rise of the treatment too rarely, and its fall too often. So for a rise, t is (e^(r t) - 1) / r
 * + r / 4, where r is 2 / 3 of the skewness of the difference, and the pooled test does not count. For a fall, it does.
 * Without third moments r is 0. See also `compareArms`.
 *
 * `assumption` is `EQUAL_DISTRIBUTIONS` if the smaller arm has fewer than 30 users per squared skewness. Then the test
 * assumes that arms without an effect have equal distributions, otherwise only equal means.
 *
 * Source: P. Hall, Journal of the Royal Statistical Society B 54 (1992), for two samples; the rule of users Kohavi,
 * Deng, Longbotham and Xu, KDD 2014 (with 355 instead of 30); simulated in docs/statistics/simulations.md.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareMeans(control: Moments, treatment: Moments, options: { alpha?: number } = {}): Decision {
  const skewness = skewnessOf(mergeMoments(control, treatment)) ?? Number.NaN;
  const decision = compareArms(meanEstimate(control), meanEstimate(treatment), {
    ...options,
    skewness: differenceSkewness(control, treatment, skewness),
  });
  const isEnough = Math.min(control.n, treatment.n) >= USERS_PER_SQUARED_SKEWNESS * skewness ** 2;
  return decision.status === "OK" && !isEnough ? { ...decision, assumption: "EQUAL_DISTRIBUTIONS" } : decision;
}
