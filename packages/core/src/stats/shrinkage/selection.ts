import { finiteOrNull, type Interval } from "../comparison.ts";
import { normalCdf, normalDensity, twoSidedNormalQuantile } from "../normal.ts";
import { findRoot } from "../quadrature.ts";
import { checkAlpha, positive, strictlyBetween } from "../range.ts";
import type { EffectEstimate } from "./posterior.ts";

/** The test that selected an estimate: two-sided at `alpha`, 0.05 by default. */
export interface SelectionOptions {
  alpha?: number;
}

/** An estimate corrected for being selected because it was significant. */
export interface SelectedEstimate {
  estimate: number;
  /** Contains the true value as often as `credibleLevel` says, among significant estimates. */
  interval: Interval;
}

/** The properties of the significant estimates of one true effect. */
export interface Exaggeration {
  /** The probability that an estimate is significant. */
  power: number;
  /** The probability that a significant estimate has the wrong sign (type S). */
  wrongSign: number;
  /** The mean size of a significant estimate divided by the size of the effect (type M); `null` for an effect of 0. */
  factor: number | null;
}

/**
 * Returns P(|Z| > critical), and the means of Z and of |Z| given that, for a normal Z with this mean and variance 1.
 */
function selected(mean: number, critical: number) {
  const [above, below] = [normalCdf(mean - critical), normalCdf(-mean - critical)];
  const [atUpper, atLower] = [normalDensity(critical - mean), normalDensity(critical + mean)];
  const power = above + below;
  return {
    power,
    below,
    mean: mean + (atUpper - atLower) / power,
    size: (mean * (above - below) + atUpper + atLower) / power,
  };
}

/**
 * Returns the estimate of an effect given that it was significant: the maximum of the conditional likelihood, with the
 * conditional interval. `null` if it was not significant.
 *
 * It needs no other experiments. At the maximum, the expectation of a significant estimate is the observed estimate.
 *
 * Source: H. Zhong and R. L. Prentice, Biostatistics 9 (2008); A. Ghosh, F. Zou and F. A. Wright, AJHG 82 (2008).
 *
 * @throws RangeError unless the standard error is positive, and alpha and the level lie strictly between 0 and 1.
 */
export function selectedEstimate(
  { estimate, standardError }: EffectEstimate,
  { alpha = 0.05, credibleLevel = 0.95 }: SelectionOptions & { credibleLevel?: number } = {},
): SelectedEstimate | null {
  const critical = twoSidedNormalQuantile(checkAlpha(alpha));
  const tail = (1 - strictlyBetween("credibleLevel", credibleLevel, 0, 1)) / 2;
  const z = Math.abs(estimate) / positive("standardError", standardError);
  if (!(z > critical)) return null;
  // Returns the share of significant estimates that are as large as this one or larger.
  const larger = (mean: number) => normalCdf(mean - z) / selected(mean, critical).power;
  const end = (p: number) => findRoot(-z - 40, z + 40, (mean) => larger(mean) - p);
  const scale = Math.sign(estimate) * standardError;
  const [near, far] = [scale * end(tail), scale * end(1 - tail)];
  return {
    estimate: scale * findRoot(0, z, (mean) => selected(mean, critical).mean - z),
    interval: estimate > 0 ? [near, far] : [far, near],
  };
}

/**
 * Returns by how much significant estimates exaggerate a true effect, and how often they have the wrong sign.
 *
 * Source: A. Gelman and J. Carlin, Perspectives on Psychological Science 9 (2014); in closed form J. Lu, Y. Qiu and
 * A. Deng, British J. Mathematical and Statistical Psychology 72 (2019).
 *
 * @throws RangeError unless the standard error is positive and alpha lies strictly between 0 and 1.
 */
export function exaggeration(
  effect: number,
  standardError: number,
  { alpha = 0.05 }: SelectionOptions = {},
): Exaggeration {
  const mean = Math.abs(effect) / positive("standardError", standardError);
  const { power, below, size } = selected(mean, twoSidedNormalQuantile(checkAlpha(alpha)));
  return { power, wrongSign: below / power, factor: finiteOrNull(size / mean) };
}
