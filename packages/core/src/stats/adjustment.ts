import { dot, factorise, solveFactored } from "./cholesky.ts";
import { type ArmEstimate, reductionOf, type TestOptions } from "./comparison.ts";
import { compareArms, type Decision } from "./decision.ts";
import { type JointMoments, mergeJointMoments } from "./joint-moments.ts";
import { ratioGradient } from "./ratio.ts";

/**
 * The minimum number of users per coefficient (slopes and mean). Slopes per arm need it in each arm, common slopes in
 * both arms together.
 */
const MIN_USERS_A_SLOPE = 20;

/** Covariates have one slope for both arms, or one in each arm (Lin's interacted estimator). */
export type Slopes = "COMMON" | "PER_ARM";

/** Options of an adjustment: the outcome that comes first in joint moments, a value or numerator and denominator. */
export interface AdjustmentOptions {
  outcome?: "MEAN" | "RATIO";
  slopes?: Slopes;
}

/** Two arms adjusted to the same covariates, with the slopes used. */
export interface AdjustedArms {
  control: ArmEstimate;
  treatment: ArmEstimate;
  /** `null` if no covariate varies or there are too few users. Then the arms are not adjusted. */
  slopes: Slopes | null;
  /**
   * The indexes of the covariates used, from 0. Constant covariates, and those that follow from earlier ones, are left
   * out.
   */
  covariates: number[];
}

/** A comparison adjusted by covariates from before the exposure. */
export interface AdjustedComparison extends AdjustedArms {
  /** The decision between the adjusted arms, by `compareArms`. */
  decision: Decision;
  /** The decision without an adjustment. */
  unadjusted: Decision;
  /**
   * 100 (1 - (adjusted / unadjusted standard error)^2), in per cent, with the standard error of the larger p-value. It
   * may be negative.
   */
  varianceReductionPct: number | null;
}

/** An arm's outcome and covariates: value, variance, and covariances per user (denominator n - 1). */
interface Arm {
  n: number;
  value: number;
  variance: number;
  mean: (covariate: number) => number;
  covariance: (i: number, j: number) => number;
  withOutcome: (covariate: number) => number;
}

function armOf(moments: JointMoments, outcome: "MEAN" | "RATIO"): Arm {
  const { n, means, products } = moments;
  const first = outcome === "RATIO" ? 2 : 1;
  const gradient = outcome === "RATIO" ? ratioGradient(moments, 0, 1).slice(0, 2) : [1];
  const product = (i: number, j: number) => (i < j ? products[j]![i]! : products[i]![j]!) / (n - 1);
  const byOutcome = (values: (column: number) => number) =>
    dot(
      gradient,
      gradient.map((_, i) => values(i)),
    );
  const withOutcome = (column: number) => byOutcome((i) => product(i, column));
  return {
    n,
    value: outcome === "RATIO" ? means[0]! / means[1]! : means[0]!,
    variance: Math.max(0, byOutcome(withOutcome)),
    mean: (covariate) => means[first + covariate]!,
    covariance: (i, j) => product(first + i, first + j),
    withOutcome: (covariate) => withOutcome(first + covariate),
  };
}

/**
 * The minimum share of the outcome's variance that a residual variance must keep. Less is rounding: then the covariates
 * explain the outcome completely.
 */
const LEAST_RESIDUAL = 1e-12;

/** Returns the part of a variance that the covariates do not explain. */
function residualOf(variance: number, left: number): number {
  return left > LEAST_RESIDUAL * variance ? left : 0;
}

/** Returns the variance of a weighted sum of covariates in an arm. */
function spread(arm: Arm, weights: readonly number[], kept: readonly number[]): number {
  return Math.max(
    0,
    dot(
      weights,
      kept.map((a) =>
        dot(
          weights,
          kept.map((b) => arm.covariance(a, b)),
        ),
      ),
    ),
  );
}

function plain({ n, value, variance }: Arm): ArmEstimate {
  return { n, value, variance: n < 2 ? null : variance };
}

function withCommonSlopes(control: Arm, treatment: Arm, all: Arm, kept: readonly number[]): ArmEstimate[] {
  const factor = factorise(kept, all.covariance);
  const slopes = solveFactored(factor, kept.map(all.withOutcome));
  // The first slope is free, as in CUPED.
  const lost = (all.n - 2) / (all.n - 1 - kept.length);
  return [control, treatment].map((arm) => {
    const away = kept.map((one) => arm.mean(one) - all.mean(one));
    const left = arm.variance + spread(arm, slopes, kept) - 2 * dot(slopes, kept.map(arm.withOutcome));
    return { n: arm.n, value: arm.value - dot(slopes, away), variance: residualOf(arm.variance, left) * lost };
  });
}

function withOwnSlopes(control: Arm, treatment: Arm, all: Arm, kept: readonly number[]): ArmEstimate[] {
  const k = kept.length;
  const fits = [control, treatment].map((arm) => {
    const factor = factorise(kept, arm.covariance);
    const slopes = solveFactored(factor, kept.map(arm.withOutcome));
    const away = kept.map((one) => arm.mean(one) - all.mean(one));
    const residual = residualOf(arm.variance, arm.variance - dot(slopes, kept.map(arm.withOutcome)));
    const leverage = dot(away, solveFactored(factor, away)) / (arm.n - 1);
    return { arm, slopes, value: arm.value - dot(slopes, away), residual, leverage };
  });
  const differences = fits[0]!.slopes.map((slope, i) => fits[1]!.slopes[i]! - slope);
  return fits.map(({ arm, value, residual, leverage }) => {
    const own = ((residual * (arm.n - 1)) / (arm.n - 1 - k)) * (1 + arm.n * leverage);
    const drawn = (arm.n / all.n) ** 2 * spread(arm, differences, kept);
    // The arm has one user less per slope, at the same error, so its degrees of freedom are n - 1 - k.
    const n = arm.n - k;
    return { n, value, variance: ((own + drawn) * n) / arm.n };
  });
}

/**
 * Adjusts two arms to the mean covariates of both together. The joint moments are those of [outcome, covariates] per
 * user. For a ratio they are those of [numerator, denominator, covariates], and the delta method applies.
 *
 * PER_ARM, the default, regresses each arm separately. The difference is that of Lin's interacted regression; if the
 * covariates are indicators of groups, it is post-stratification. The variance has two parts. One is that of each
 * regression at the common mean, with n - 1 - k degrees of freedom for k covariates. The other is that of the common
 * mean times the difference of the slopes, because users are a sample of those to come.
 *
 * If an arm has fewer than 20 users per coefficient (slopes and mean), slopes are COMMON: those of both arms together,
 * as in CUPED with one covariate. If both arms together have fewer than that, the arms stay as they are. A covariate
 * that is constant in an arm, or follows from others, is left out.
 *
 * Source: W. Lin, Annals of Applied Statistics 7 (2013); Negi and Wooldridge, Econometric Reviews 40 (2021) for samples;
 * Deng, Xu, Kohavi and Walker, WSDM 2013; delta method, Deng, Knoblich and Lu, KDD 2018.
 */
export function adjustArms(
  control: JointMoments,
  treatment: JointMoments,
  { outcome = "MEAN", slopes = "PER_ARM" }: AdjustmentOptions = {},
): AdjustedArms {
  const [c, t] = [armOf(control, outcome), armOf(treatment, outcome)];
  const unadjusted = { control: plain(c), treatment: plain(t), slopes: null, covariates: [] };
  if (Math.min(c.n, t.n) < 2) return unadjusted;
  const all = armOf(mergeJointMoments(control, treatment), outcome);
  const given = control.means.slice(outcome === "RATIO" ? 2 : 1).map((_, i) => i);
  const inControl = factorise(given, c.covariance).kept;
  const inTreatment = new Set(factorise(given, t.covariance).kept);
  const own = inControl.filter((one) => inTreatment.has(one));
  const hasOwn = own.length > 0 && Math.min(c.n, t.n) >= MIN_USERS_A_SLOPE * (own.length + 1);
  const common = factorise(given, all.covariance).kept;
  const hasCommon = common.length > 0 && all.n >= MIN_USERS_A_SLOPE * (common.length + 1);
  const used: Slopes | null = slopes === "PER_ARM" && hasOwn ? "PER_ARM" : hasCommon ? "COMMON" : null;
  if (used === null) return unadjusted;
  const covariates = used === "PER_ARM" ? own : common;
  const adjust = used === "PER_ARM" ? withOwnSlopes : withCommonSlopes;
  const [adjustedControl, adjustedTreatment] = adjust(c, t, all, covariates);
  return { control: adjustedControl!, treatment: adjustedTreatment!, slopes: used, covariates };
}

/**
 * Adjusts two arms like `adjustArms`, and decides between them by `compareArms`, which also sets the degrees of
 * freedom.
 *
 * If every denominator of a ratio is 0, the status is `NOT_FINITE`.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function compareAdjusted(
  control: JointMoments,
  treatment: JointMoments,
  { alpha, ...options }: AdjustmentOptions & Pick<TestOptions, "alpha"> = {},
): AdjustedComparison {
  const arms = adjustArms(control, treatment, options);
  const [c, t] = [control, treatment].map((moments) => plain(armOf(moments, options.outcome ?? "MEAN")));
  const test = alpha === undefined ? {} : { alpha };
  const decision = compareArms(arms.control, arms.treatment, test);
  const unadjusted = compareArms(c!, t!, test);
  const varianceReductionPct = reductionOf(unadjusted.standardError, decision.standardError);
  return { ...arms, decision, unadjusted, varianceReductionPct };
}
