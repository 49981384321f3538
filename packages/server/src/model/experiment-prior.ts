import { CREDIBLE_BOUNDS, type Experiment, PRIOR_BOUNDS } from "@assay/contract";
import type { BetaPrior } from "@assay/core/stats/bayes";
import type { EffectPrior } from "@assay/core/stats/shrinkage";

type Bounds = { least: number; most: number };

const within = (value: number, { least, most }: Bounds) => Math.min(most, Math.max(least, value));

/** Returns the beta prior of an experiment, flat by default. Clamps priors that were stored before bounds existed. */
export function priorOf({ bayesian_config }: Pick<Experiment, "bayesian_config">): Required<BetaPrior> {
  return {
    priorAlpha: within(bayesian_config?.prior_alpha ?? 1, PRIOR_BOUNDS),
    priorBeta: within(bayesian_config?.prior_beta ?? 1, PRIOR_BOUNDS),
  };
}

/** Returns the credible level of an experiment, with the same default and clamping rules. */
export function credibleLevelOf({ bayesian_config }: Pick<Experiment, "bayesian_config">): number {
  return within(bayesian_config?.credible_interval_width ?? 0.95, CREDIBLE_BOUNDS);
}

const MIN_DEVIATION = 1e-100;

/**
 * Returns the normal prior on a difference in means, in the unit of the metric. The experiment states it as a lift.
 * Returns null if the experiment has none, if the control's mean is 0, or if the variance is beyond the range of
 * doubles.
 */
export function effectPriorOf(
  { bayesian_config }: Pick<Experiment, "bayesian_config">,
  controlMean: number,
): EffectPrior | null {
  const { effect_mean = 0, effect_sd } = bayesian_config ?? {};
  const standardDeviation = (effect_sd ?? 0) * Math.abs(controlMean);
  if (!(standardDeviation >= MIN_DEVIATION && standardDeviation <= 1 / MIN_DEVIATION)) return null;
  return { mean: effect_mean * Math.abs(controlMean), standardDeviation };
}
