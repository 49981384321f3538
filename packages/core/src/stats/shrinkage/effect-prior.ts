import { type BayesianComparison, type BayesianOptions, bayesianDecision } from "../bayes/bayes.ts";
import type { ArmEstimate } from "../comparison.ts";
import { normalCdf } from "../normal.ts";
import { positive } from "../range.ts";
import { type EffectEstimate, type EffectPosterior, mixturePosterior, type PosteriorOptions } from "./posterior.ts";

/** A normal prior on an effect, in the units of the effect. */
export interface EffectPrior {
  mean: number;
  standardDeviation: number;
}

/**
 * Returns the posterior of an effect under a normal prior. Estimate and prior count by the inverse of their variances.
 *
 * Source: Gelman et al., Bayesian Data Analysis (3rd ed. 2013), 2.5.
 *
 * @throws RangeError unless both standard deviations are positive and the level lies strictly between 0 and 1.
 */
export function effectPosterior(
  { estimate, standardError }: EffectEstimate,
  prior: EffectPrior,
  options: PosteriorOptions = {},
): EffectPosterior {
  const error = positive("standardError", standardError) ** 2;
  const spread = positive("standardDeviation", prior.standardDeviation) ** 2;
  const kept = spread / (spread + error);
  return mixturePosterior(
    [{ weight: 1, mean: prior.mean + kept * (estimate - prior.mean), variance: kept * error }],
    options,
  );
}

/**
 * Compares two means under a normal prior on their difference; `null` without variance.
 *
 * The Bayes factor compares differences with the distribution of the prior with no difference.
 *
 * Source: as `effectPosterior`; Bayes factor: Kass and Raftery, JASA 90 (1995).
 *
 * @throws RangeError unless the prior's standard deviation is positive, and if the level, region or minimum is out of
 * range.
 */
export function effectPriorTest(
  control: ArmEstimate,
  treatment: ArmEstimate,
  prior: EffectPrior,
  { ropeLow = 0, ropeHigh = 0, minimumBayesFactor = 10, ...options }: BayesianOptions = {},
): BayesianComparison | null {
  const variance = ({ variance: own, n }: ArmEstimate) => (own === null || n < 1 ? 0 : own / n);
  const estimate = treatment.value - control.value;
  const error = variance(control) + variance(treatment);
  if (!(variance(control) > 0 && variance(treatment) > 0 && Number.isFinite(error) && Number.isFinite(estimate)))
    return null;
  const posterior = effectPosterior({ estimate, standardError: Math.sqrt(error) }, prior, options);
  const { mean, standardDeviation, interval, chanceToWin, expectedLoss } = posterior;
  const total = error + prior.standardDeviation ** 2;
  const logBayesFactor =
    (Math.log(error / total) + (estimate * estimate) / error - (estimate - prior.mean) ** 2 / total) / 2;
  const below = (end: number) => normalCdf((end - mean) / standardDeviation);
  return {
    difference: { mean, credibleInterval: interval, ropeProbability: Math.max(0, below(ropeHigh) - below(ropeLow)) },
    probabilityOfSuperiority: chanceToWin,
    logBayesFactor,
    bayesFactor: Math.exp(Math.min(700, Math.max(-700, logBayesFactor))),
    expectedLoss: { control: expectedLoss.keep, treatment: expectedLoss.ship },
    decision: bayesianDecision(interval, logBayesFactor, { ropeLow, ropeHigh, minimumBayesFactor }),
  };
}
