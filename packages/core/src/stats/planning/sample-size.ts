import { normalQuantile, normalSf, twoSidedNormalQuantile } from "../normal.ts";
import { findRoot } from "../quadrature.ts";
import { between, checkAlpha, positive, strictlyBetween } from "../range.ts";
import { tTestPower } from "./noncentral-t.ts";

/** Options of both sample-size calculations. */
export interface SampleSizeOptions {
  /**
   * The two-sided family-wise level, 0.05 by default. It is divided by the number of comparisons with control
   * (Bonferroni).
   */
  alpha?: number;
  /** The probability of finding the effect, 0.8 by default. */
  power?: number;
  /** The number of arms, control included; 2 by default. */
  variants?: number;
  /** The users of each treatment arm per user of control; 1 by default. */
  allocationRatio?: number;
}

/** The users that an experiment needs; whole numbers are rounded up. */
export interface SampleSize {
  alphaPerComparison: number;
  /** Users of control before rounding up. */
  controlExact: number;
  control: number;
  /** Users of each treatment arm. */
  treatment: number;
  total: number;
}

const MANY_USERS = 100_000;

/** Reads and checks the options of a sample size. */
export function plan({ alpha = 0.05, power = 0.8, variants = 2, allocationRatio = 1 }: SampleSizeOptions) {
  checkAlpha(alpha);
  strictlyBetween("power", power, 0, 1);
  positive("allocationRatio", allocationRatio);
  const comparisons = between("variants", variants, 2, 1e6) - 1;
  const alphaPerComparison = alpha / comparisons;
  const z = twoSidedNormalQuantile(alphaPerComparison);
  const answer = (controlExact: number): SampleSize => {
    const control = Math.ceil(controlExact);
    const treatment = Math.ceil(controlExact * allocationRatio);
    return { alphaPerComparison, controlExact, control, treatment, total: control + comparisons * treatment };
  };
  return { alphaPerComparison, power, ratio: allocationRatio, zAlpha: z, zPower: normalQuantile(power), answer };
}

/**
 * Returns the rate after a minimum detectable effect: it adds `effect`, or `effect` times the baseline if it is
 * relative.
 */
export function treatmentRate(baselineRate: number, effect: number, kind: "absolute" | "relative"): number {
  return kind === "relative" ? baselineRate * (1 + effect) : baselineRate + effect;
}

/**
 * Returns the users per arm that find a change of a conversion rate from `baselineRate` to `treatmentRate`.
 *
 * `variance` is `unpooled` (the default, as in the test), `pooled` (Fleiss) or `arcsine` (Cohen's effect size h).
 *
 * Source: Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions (3rd ed. 2003), 4; Cohen (1988), 6.
 *
 * @throws RangeError unless both rates lie strictly between 0 and 1 and differ, and if an option is out of range.
 */
export function proportionSampleSize(
  baselineRate: number,
  treatmentRate: number,
  options: SampleSizeOptions & { variance?: "unpooled" | "pooled" | "arcsine" } = {},
): SampleSize {
  strictlyBetween("baselineRate", baselineRate, 0, 1);
  strictlyBetween("treatmentRate", treatmentRate, 0, 1);
  const { ratio, zAlpha, zPower, answer } = plan(options);
  const difference = positive("the difference of the rates", Math.abs(treatmentRate - baselineRate));
  if (options.variance === "arcsine") {
    const h = 2 * (Math.asin(Math.sqrt(treatmentRate)) - Math.asin(Math.sqrt(baselineRate)));
    return answer(((zAlpha + zPower) / h) ** 2 * (1 + 1 / ratio));
  }
  const unpooled = baselineRate * (1 - baselineRate) + (treatmentRate * (1 - treatmentRate)) / ratio;
  const common = (baselineRate + ratio * treatmentRate) / (1 + ratio);
  const null0 = options.variance === "pooled" ? common * (1 - common) * (1 + 1 / ratio) : unpooled;
  return answer(((zAlpha * Math.sqrt(null0) + zPower * Math.sqrt(unpooled)) / difference) ** 2);
}

/** The maximum effect in standard deviations. Larger effects need the minimum number of users. */
const MAX_DEVIATIONS = 1e300;

/**
 * Returns the users per arm that find a change of a mean by `effect`, given the standard deviation, both in the
 * metric's units.
 *
 * `distribution` is `normal` (the default) or `t` for the noncentral t. The latter is exact up to 100,000 users in both
 * arms together. Beyond, it uses an expansion, which is less than a hundredth of a user off at the usual levels.
 *
 * Source: Cohen, Statistical Power Analysis for the Behavioral Sciences (2nd ed. 1988), 2; the expansion: W. C. Guenther,
 * The American Statistician 35 (1981).
 *
 * @throws RangeError unless the standard deviation is positive and the effect is not 0, and if an option is out of
 * range.
 */
export function meanSampleSize(
  effect: number,
  standardDeviation: number,
  options: SampleSizeOptions & { distribution?: "normal" | "t" } = {},
): SampleSize {
  positive("standardDeviation", standardDeviation);
  const d = Math.min(positive("the effect's size", Math.abs(effect)) / standardDeviation, MAX_DEVIATIONS);
  const { ratio, zAlpha, zPower, power, alphaPerComparison, answer } = plan(options);
  const normal = ((zAlpha + zPower) / d) ** 2 * (1 + 1 / ratio);
  if (options.distribution !== "t" || !Number.isFinite(normal)) return answer(normal);
  if (normal * (1 + ratio) > MANY_USERS) {
    // The search would take seconds. It counts both tails, so this does too.
    const twoTailed = (x: number) => normalSf(zAlpha - x) + normalSf(zAlpha + x) - power;
    const shift = findRoot(0, 2 * (zAlpha + Math.abs(zPower)), twoTailed);
    return answer((shift / d) ** 2 * (1 + 1 / ratio) + zAlpha ** 2 / (2 * (1 + ratio)));
  }
  // With few users the test still needs at least one degree of freedom.
  const least = 3 / (1 + ratio);
  return answer(
    findRoot(Math.max(least, 0.5 * normal), 2 * Math.max(least, normal) + 20, (n) => {
      const noncentrality = d * Math.sqrt((n * ratio) / (1 + ratio));
      return tTestPower(n * (1 + ratio) - 2, noncentrality, { alpha: alphaPerComparison }) - power;
    }),
  );
}
