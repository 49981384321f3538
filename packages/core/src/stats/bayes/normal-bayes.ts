import type { ArmEstimate } from "../comparison.ts";
import { normalCdf, twoSidedNormalQuantile } from "../normal.ts";
import { strictlyBetween } from "../range.ts";
import { mixtureTest } from "../sequential.ts";
import { type BayesianComparison, type BayesianOptions, bayesianComparison } from "./bayes.ts";
import { normalPosterior } from "./posterior.ts";

/**
 * Compares two means by normal posteriors N(mean, se^2) under a flat prior; `null` without variance.
 *
 * The Bayes factor compares effects around 0 of variance `mixingVariance` with no effect, like `mixtureTest`.
 *
 * Source: Gelman et al., Bayesian Data Analysis (3rd ed. 2013), 2.5; Bayes factor: Kass and Raftery, JASA 90 (1995).
 *
 * @throws RangeError unless the mixing variance is positive, and if the level, region or minimum is out of range.
 */
export function normalBayesTest(
  control: ArmEstimate,
  treatment: ArmEstimate,
  mixingVariance: number,
  options: BayesianOptions = {},
): BayesianComparison | null {
  const level = strictlyBetween("credibleLevel", options.credibleLevel ?? 0.95, 0, 1);
  const error = ({ variance, n }: ArmEstimate) => (variance === null || n < 1 ? 0 : Math.sqrt(variance / n));
  const [ec, et] = [error(control), error(treatment)];
  const mean = treatment.value - control.value;
  const standardError = Math.hypot(ec, et);
  const { logLikelihoodRatio } = mixtureTest(mean, standardError, mixingVariance);
  if (!(ec > 0 && et > 0) || logLikelihoodRatio === null) return null;
  const half = twoSidedNormalQuantile(1 - level) * standardError;
  return bayesianComparison(
    normalPosterior(control.value, ec),
    normalPosterior(treatment.value, et),
    { mean, credibleInterval: [mean - half, mean + half], cdf: (d) => normalCdf((d - mean) / standardError) },
    logLikelihoodRatio,
    options,
  );
}
