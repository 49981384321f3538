import { estimateOf, type GroupStatistics, type MetricStatistics, stratify } from "@assay/analysis";
import { betaPosterior, normalPosterior, type Posterior } from "@assay/core/stats/bayes";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { priorOf } from "../../model/experiment-prior.ts";

/** The reward of one arm so far. */
export interface Reward {
  trials: number;
  /** Null if the metric is not a conversion, or its kind is not known yet. */
  successes: number | null;
  /** Mean in the unit of the metric; null if it is undefined. */
  mean: number | null;
  /** Variance per user; null if it is undefined. */
  variance: number | null;
  /** Posterior of the mean, negated if a decrease is better; null if it is undefined. */
  posterior: Posterior | null;
}

/**
 * Finds the metric that a bandit optimises: the first PRIMARY metric, or else the first; none if the experiment has no
 * metrics.
 */
export function rewardMetric({ metrics }: ExperimentRecord): ExperimentRecord["metrics"][number] | null {
  return metrics.find(({ role }) => role === "PRIMARY") ?? metrics[0] ?? null;
}

/**
 * Computes the reward of each arm, control first. The posterior of a conversion is Beta(prior_alpha + converted,
 * prior_beta + not converted); that of any other metric is normal under a flat prior. If weights have changed, both use
 * the estimate weighted by period.
 * @param live numbers of the arms that are compared
 */
export function rewardsOf(
  record: ExperimentRecord,
  periods: readonly GroupStatistics[],
  live: readonly number[],
): Reward[] {
  const arms = periods[0]?.users.length ?? 0;
  const together = (periods.length > 1 ? stratify(periods, live) : periods[0]?.metrics)?.[0];
  return Array.from({ length: arms }, (_, arm) => ({
    trials: periods.reduce((sum, { users }) => sum + users[arm]!, 0),
    successes: successesOf(periods, arm),
    ...(together ? knownOf(record, together, arm) : { mean: null, variance: null, posterior: null }),
  }));
}

function successesOf(periods: readonly GroupStatistics[], arm: number): number | null {
  let successes = 0;
  for (const { metrics } of periods) {
    const [metric] = metrics;
    if (metric?.form !== "PROPORTION") return null;
    successes += metric.arms[arm]!.successes;
  }
  return successes;
}

function knownOf(
  record: ExperimentRecord,
  statistics: MetricStatistics,
  arm: number,
): Pick<Reward, "mean" | "variance" | "posterior"> {
  const isLess = statistics.metric.direction === "DECREASE";
  const { n, value, variance } = estimateOf(statistics, arm);
  if (n === 0) return { mean: null, variance: null, posterior: null };
  if (statistics.form === "PROPORTION") {
    const { successes, n: users } = statistics.arms[arm]!;
    const { priorAlpha, priorBeta } = priorOf(record);
    const [alpha, beta] = [priorAlpha + successes, priorBeta + users - successes];
    const posterior = isLess ? betaPosterior(beta, alpha) : betaPosterior(alpha, beta);
    return { mean: value, variance, posterior };
  }
  const error = Math.sqrt((variance ?? 0) / n);
  const isKnown = error > 0 && Number.isFinite(error) && Number.isFinite(value);
  return {
    mean: Number.isFinite(value) ? value : null,
    variance,
    posterior: isKnown ? normalPosterior(isLess ? -value : value, error) : null,
  };
}
