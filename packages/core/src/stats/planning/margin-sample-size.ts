import type { Claim } from "../conclusion.ts";
import { normalQuantile } from "../normal.ts";
import { positive, strictlyBetween } from "../range.ts";
import { ratesByRatio } from "../score.ts";
import { meanSampleSize, plan, type SampleSize, type SampleSizeOptions } from "./sample-size.ts";

/** Options of a sample size against a margin: the hypothesis, and the direction of the metric that is better. */
export interface MarginSampleSizeOptions extends SampleSizeOptions {
  /** NON_INFERIORITY by default. */
  hypothesis?: Exclude<Claim["hypothesis"], "SUPERIORITY">;
  /** INCREASE by default. */
  direction?: Claim["direction"];
}

/**
 * A border of the margin: its ratio treatment / control, and the distance of the treatment from it. The distance is
 * positive within the margin.
 */
interface Border {
  ratio: number;
  distance: number;
}

/**
 * Returns the borders that the test has to exclude.
 * @throws RangeError unless the treatment lies within them
 */
function bordersOf(control: number, treatment: number, margin: number, options: MarginSampleSizeOptions): Border[] {
  strictlyBetween("margin", margin, 0, 1);
  const { hypothesis = "NON_INFERIORITY", direction = "INCREASE" } = options;
  const isBoth = hypothesis === "EQUIVALENCE";
  const sides = [
    ...(isBoth || direction === "INCREASE" ? [-1] : []),
    ...(isBoth || direction === "DECREASE" ? [1] : []),
  ];
  return sides.map((side) => {
    const ratio = 1 + side * Math.sign(control) * margin;
    return { ratio, distance: positive("the distance from the margin", side * (ratio * control - treatment)) };
  });
}

/** Raises the power for equivalence: it can miss by either border, so each border gets half of the misses. */
function withPower({ hypothesis, power = 0.8, ...options }: MarginSampleSizeOptions): SampleSizeOptions {
  strictlyBetween("power", power, 0, 1);
  return { ...options, power: hypothesis === "EQUIVALENCE" ? (1 + power) / 2 : power };
}

function largest(sizes: SampleSize[]): SampleSize {
  return sizes.reduce((a, b) => (b.controlExact > a.controlExact ? b : a));
}

/**
 * Returns the users per arm to show that a conversion rate is within a margin of the control's, if the rates are
 * `baselineRate` and `treatmentRate`, which are usually the same. The tests are one-sided at half of alpha.
 *
 * Source: C. Farrington and G. Manning, Statistics in Medicine 9 (1990), for a ratio, with the most likely rates at the
 * margin. For equivalence it is the larger size of both borders, each with half of the misses.
 *
 * @throws RangeError unless both rates and the margin lie strictly between 0 and 1 and the treatment lies within the
 * margin, and if an option is out of range.
 */
export function proportionMarginSampleSize(
  baselineRate: number,
  treatmentRate: number,
  margin: number,
  options: MarginSampleSizeOptions = {},
): SampleSize {
  strictlyBetween("baselineRate", baselineRate, 0, 1);
  strictlyBetween("treatmentRate", treatmentRate, 0, 1);
  const { ratio: kappa, zAlpha, power, answer } = plan(withPower(options));
  const zPower = normalQuantile(power);
  const variance = (control: number, treatment: number, ratio: number) =>
    (treatment * (1 - treatment)) / kappa + ratio * ratio * control * (1 - control);
  const sizes = bordersOf(baselineRate, treatmentRate, margin, options).map(({ ratio, distance }) => {
    const atMargin = ratesByRatio(
      { successes: baselineRate, n: 1 },
      { successes: kappa * treatmentRate, n: kappa },
      ratio,
    );
    const own = variance(baselineRate, treatmentRate, ratio);
    return answer(((zAlpha * Math.sqrt(variance(...atMargin, ratio)) + zPower * Math.sqrt(own)) / distance) ** 2);
  });
  return largest(sizes);
}

/**
 * Returns the users per arm to show that a mean is within a margin of the control's, if the means are `mean` and
 * `treatmentMean`, which are usually the same. Both arms have one standard deviation. The tests are one-sided at half
 * of alpha.
 *
 * Source: D. Hauschke, M. Kieser, E. Diletti and M. Burke, Statistics in Medicine 18 (1999); options of `meanSampleSize`.
 *
 * @throws RangeError unless the standard deviation is positive, the margin lies strictly between 0 and 1 and the
 * treatment lies within it, and if an option is out of range.
 */
export function meanMarginSampleSize(
  mean: number,
  treatmentMean: number,
  standardDeviation: number,
  margin: number,
  options: MarginSampleSizeOptions & { distribution?: "normal" | "t" } = {},
): SampleSize {
  const { allocationRatio: kappa = 1 } = options;
  positive("allocationRatio", kappa);
  const sizes = bordersOf(mean, treatmentMean, margin, options).map(({ ratio, distance }) => {
    // The error of treatment - ratio x control, relative to that of a difference of two arms with equal variances.
    const scale = Math.sqrt((ratio * ratio + 1 / kappa) / (1 + 1 / kappa));
    return meanSampleSize(distance, standardDeviation * scale, {
      ...withPower(options),
      distribution: options.distribution ?? "normal",
    });
  });
  return largest(sizes);
}
