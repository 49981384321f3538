import { correctForSizes } from "./cluster.ts";
import {
  type ArmEstimate,
  type Comparison,
  type ComparisonStatus,
  compareEstimates,
  finiteOrNull,
  reductionOf,
  type TestOptions,
} from "./comparison.ts";
import { compareArms, type Decision } from "./decision.ts";
import { covarianceOf, type JointMoments, mergeJointMoments } from "./joint-moments.ts";
import { ratioGradient } from "./ratio.ts";

/** A comparison adjusted by the earlier behaviour of the same users. */
export interface CupedComparison {
  /** The slope of the outcome on the covariate; 0 if the covariate does not vary. */
  theta: number;
  /** The correlation of outcome and covariate over all users; `null` if either does not vary. */
  correlation: number | null;
  controlMean: number | null;
  treatmentMean: number | null;
  adjustedControlMean: number | null;
  adjustedTreatmentMean: number | null;
  unadjusted: Comparison;
  /** The adjusted comparison by Welch's t-test, for reference. */
  adjusted: Comparison;
  /** The decision between the adjusted arms, by `compareArms`. */
  decision: Decision;
  /** 100 (1 - (adjusted / unadjusted standard error)^2), in per cent; negative if the covariate increases the error. */
  varianceReductionPct: number | null;
  status: ComparisonStatus | "ZERO_COVARIATE_VARIANCE";
}

/** Options of a CUPED test. `theta` is pooled over all users, or over the deviations from each arm's mean (ANCOVA). */
export interface CupedOptions extends TestOptions {
  pooling?: "users" | "within_arms";
  /**
   * Whether the joint moments are per cluster of users. If so, errors are those of `clusterEstimate`. False by default.
   */
  isClustered?: boolean;
}

/** The outcome y and covariate x of a group of users: values, variances yy and xx per user, and covariance xy. */
interface Pair {
  n: number;
  y: number;
  x: number;
  yy: number;
  xx: number;
  xy: number;
  moments: JointMoments;
}

function pairOf(moments: JointMoments, y: number, x: number, gradientY: number[], gradientX: number[]): Pair {
  return {
    moments,
    n: moments.n,
    y,
    x,
    yy: Math.max(0, covarianceOf(moments, gradientY, gradientY)),
    xx: Math.max(0, covarianceOf(moments, gradientX, gradientX)),
    xy: covarianceOf(moments, gradientY, gradientX),
  };
}

function meansPair(moments: JointMoments): Pair {
  return pairOf(moments, moments.means[0]!, moments.means[1]!, [1, 0], [0, 1]);
}

function ratiosPair(moments: JointMoments): Pair {
  const [y, yd, x, xd] = moments.means;
  return pairOf(moments, y! / yd!, x! / xd!, ratioGradient(moments, 0, 1), ratioGradient(moments, 2, 3));
}

function slope(groups: readonly Pair[]): number {
  let covariance = 0;
  let variance = 0;
  for (const group of groups) {
    covariance += (group.n - 1) * group.xy;
    variance += (group.n - 1) * group.xx;
  }
  return variance > 0 ? (finiteOrNull(covariance / variance) ?? 0) : 0;
}

function adjust(
  control: Pair,
  treatment: Pair,
  all: Pair,
  { pooling = "users", ...options }: CupedOptions,
): CupedComparison {
  const theta = control.n > 1 && treatment.n > 1 ? slope(pooling === "users" ? [all] : [control, treatment]) : 0;
  const estimate = (arm: Pair, by: number): ArmEstimate => {
    const value = by === 0 ? arm.y : arm.y - by * (arm.x - all.x);
    const variance = arm.n < 2 ? null : Math.max(0, arm.yy + by * by * arm.xx - 2 * by * arm.xy);
    const own = { n: arm.n, value, variance };
    return options.isClustered ? correctForSizes(own, arm.moments) : own;
  };
  const unadjusted = compareEstimates(estimate(control, 0), estimate(treatment, 0), options);
  const adjusted = compareEstimates(estimate(control, theta), estimate(treatment, theta), options);
  const decision = compareArms(estimate(control, theta), estimate(treatment, theta), options);
  const varies = all.xx > 0;
  const mean = (arm: Pair, by: number) => (arm.n > 0 ? finiteOrNull(estimate(arm, by).value) : null);
  return {
    theta,
    correlation: finiteOrNull(all.xy / (Math.sqrt(all.xx) * Math.sqrt(all.yy))),
    controlMean: mean(control, 0),
    treatmentMean: mean(treatment, 0),
    adjustedControlMean: mean(control, theta),
    adjustedTreatmentMean: mean(treatment, theta),
    unadjusted,
    adjusted,
    decision,
    varianceReductionPct: reductionOf(unadjusted.standardError, adjusted.standardError),
    status: adjusted.status === "OK" && !varies ? "ZERO_COVARIATE_VARIANCE" : adjusted.status,
  };
}

/**
 * Compares means, adjusted by a covariate from before the experiment.
 *
 * Each arm's joint moments are those of [outcome, covariate] per user. Adjusted means keep the scale of the outcome.
 *
 * Source: Deng, Xu, Kohavi and Walker, WSDM 2013.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function cupedTest(control: JointMoments, treatment: JointMoments, options: CupedOptions = {}): CupedComparison {
  return adjust(meansPair(control), meansPair(treatment), meansPair(mergeJointMoments(control, treatment)), options);
}

/**
 * Compares ratios, adjusted by the same ratio from before the experiment.
 *
 * Each arm's joint moments are those of [numerator, denominator, earlier numerator, earlier denominator] per user or
 * cluster. If all earlier denominators are 0, the answer is unadjusted.
 *
 * Source: Deng, Xu, Kohavi and Walker, WSDM 2013, appendix B; delta method, Deng, Knoblich and Lu, KDD 2018.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function cupedRatioTest(
  control: JointMoments,
  treatment: JointMoments,
  options: CupedOptions = {},
): CupedComparison {
  const earlier = control.means[3] !== 0 && treatment.means[3] !== 0;
  const pair = (moments: JointMoments): Pair => {
    if (earlier) return ratiosPair(moments);
    const y = ratioGradient(moments, 0, 1);
    return pairOf(moments, moments.means[0]! / moments.means[1]!, 0, y, [0, 0, 0, 0]);
  };
  return adjust(pair(control), pair(treatment), pair(mergeJointMoments(control, treatment)), options);
}
