import { CREDIBLE_BOUNDS, type Experiment, PRIOR_BOUNDS } from "@assay/contract";
import type { BetaPrior } from "@assay/core/stats/bayes";

type Bounds = { least: number; most: number };

const within = (value: number, { least, most }: Bounds) => Math.min(most, Math.max(least, value));

/** The beta prior of an experiment, flat by default. Priors stored before bounds existed are clamped. */
export function priorOf({ bayesian_config }: Pick<Experiment, "bayesian_config">): Required<BetaPrior> {
  return {
    priorAlpha: within(bayesian_config?.prior_alpha ?? 1, PRIOR_BOUNDS),
    priorBeta: within(bayesian_config?.prior_beta ?? 1, PRIOR_BOUNDS),
  };
}

/** The credible level of an experiment, with the same default and clamping rules. */
export function credibleLevelOf({ bayesian_config }: Pick<Experiment, "bayesian_config">): number {
  return within(bayesian_config?.credible_interval_width ?? 0.95, CREDIBLE_BOUNDS);
}
