import { estimateOf, type MetricStatistics, type SufficientStatistics } from "@assay/analysis";
import type { BayesianResults } from "@assay/contract";
import type { ArmEstimate, Interval, Proportion } from "@assay/core/stats";
import {
  armProbabilitySteps,
  type BayesianComparison,
  type BayesianOptions,
  type BetaPrior,
  betaBinomialTest,
  betaPosterior,
  normalBayesTest,
  normalPosterior,
  type Posterior,
  ratePosterior,
} from "@assay/core/stats/bayes";
import { type EffectPrior, effectPriorTest } from "@assay/core/stats/shrinkage";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { credibleLevelOf, effectPriorOf, priorOf } from "../../model/experiment-prior.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { adjustedEstimates, comparedEstimates } from "./adjusted.ts";
import { adjusting } from "./adjusting.ts";
import { DEFAULT_EXPECTED_LIFT, mixingVarianceOf } from "./mixing.ts";

type Options = Required<BetaPrior & BayesianOptions> & { hasRope: boolean };
/** The prior on the difference of a metric other than a rate; null for a flat prior. */
type Prior = EffectPrior | null;

/** The posterior of an arm; null if a mean has no variance yet. */
interface ArmPosterior {
  n: number;
  /** The posterior, negated if a decrease is better, so that greater is better. */
  oriented: Posterior | null;
  alpha: number | null;
  beta: number | null;
  mean: number | null;
  credibleInterval: Interval | null;
  highestDensityInterval: Interval | null;
}

/**
 * Computes the Bayesian results of the experiment's first PRIMARY metric, or of its first metric if none is PRIMARY. A
 * rate has the beta prior. Any other metric has a flat prior, or the experiment's normal prior on the difference. The
 * top-level fields are those of the first treatment.
 */
export function* toBayesianResults(
  record: ExperimentRecord,
  statistics: SufficientStatistics,
  computedAt: string,
): Steps<BayesianResults> {
  const options = optionsOf(record);
  const metric = statistics.metrics.find((one) => one.metric.role === "PRIMARY") ?? statistics.metrics[0];
  const keys = armsOf(record).map(({ key }) => key);
  const isLess = metric?.metric.direction === "DECREASE";
  const arms = yield* mapSteps(keys, (_, arm) => posteriorOf(metric, statistics, arm, options, isLess));
  const prior = isRate(metric) ? null : effectPriorOf(record, estimateOf(metric!, 0).value);
  const oriented = arms.flatMap((arm) => (arm.oriented ? [arm.oriented] : []));
  const comparisons = yield* mapSteps(keys, (_, arm) =>
    arm === 0 ? null : compare(metric, statistics, arm, options, prior),
  );
  // With a prior on differences, the arms are not independent. For two arms, the comparison contains everything.
  const isIndependent = prior === null && oriented.length === arms.length && arms.length > 0;
  const together = isIndependent ? yield* armProbabilitySteps(oriented) : prior && ofTwoArms(comparisons, isLess);
  const variants = arms.map((arm, index): BayesianResults["variants"][number] => ({
    variant: keys[index]!,
    n: arm.n,
    posterior_alpha: arm.alpha,
    posterior_beta: arm.beta,
    posterior_mean: arm.mean,
    credible_interval: arm.credibleInterval,
    highest_density_interval: arm.highestDensityInterval,
    probability_best: together ? clamp(together.best[index]!) : null,
    expected_loss: together ? Math.max(0, together.expectedLoss[index]!) : null,
    ...evidenceOf(comparisons[index] ?? null, isLess),
  }));
  const [first, compared] = [variants[1] ?? variants[0], comparisons[1] ?? null];
  const decision = compared?.decision ?? "INCONCLUSIVE";
  const adjustment = metric && adjustmentOf(metric);
  const end = record.ended_at ?? computedAt;
  const users = statistics.users.reduce((sum, count) => sum + count, 0);
  const isEarly =
    (record.end_date !== null && end < record.end_date) ||
    (record.planned_sample_size !== null && users < record.planned_sample_size);
  return {
    metric_id: metric?.metric.id ?? null,
    posterior_alpha: first?.posterior_alpha ?? null,
    posterior_beta: first?.posterior_beta ?? null,
    posterior_mean: first?.posterior_mean ?? null,
    credible_interval: first?.credible_interval ?? null,
    ...evidenceOf(compared, isLess),
    expected_loss: compared ? lossOf(compared, isLess) : null,
    decision,
    stopped_early: decision !== "INCONCLUSIVE" && isEarly,
    ...(prior && { effect_prior: { mean: prior.mean, sd: prior.standardDeviation } }),
    difference: compared
      ? {
          mean: compared.difference.mean,
          credible_interval: compared.difference.credibleInterval,
          rope_probability: options.hasRope ? compared.difference.ropeProbability : null,
        }
      : null,
    variants,
    ...(adjustment && { adjustment_status: adjustment }),
    status: compared ? "OK" : "INSUFFICIENT_DATA",
  };
}

/**
 * Returns the options of the comparison. Without a region of practical equivalence, the region is empty and contains no
 * interval. With one bound, the other mirrors it.
 */
function optionsOf(record: ExperimentRecord): Options {
  const { rope_low: low, rope_high: high, minimum_bayes_factor } = record.bayesian_config ?? {};
  const ropeLow = low ?? (high == null ? 0 : -Math.abs(high));
  const ropeHigh = high ?? (low == null ? 0 : Math.abs(low));
  return {
    ...priorOf(record),
    minimumBayesFactor: minimum_bayes_factor ?? 10,
    credibleLevel: credibleLevelOf(record),
    ropeLow,
    ropeHigh,
    hasRope: ropeLow < ropeHigh,
  };
}

function isRate(metric: MetricStatistics | undefined): boolean {
  return !metric || metric.form === "PROPORTION";
}

/** Returns the probability of each of two arms to be best, and its expected loss, from their comparison alone. */
function ofTwoArms(comparisons: readonly (BayesianComparison | null)[], isLess: boolean) {
  const compared = comparisons.length === 2 ? comparisons[1] : null;
  if (!compared) return null;
  const greater = clamp(compared.probabilityOfSuperiority);
  const better = isLess ? 1 - greater : greater;
  const { control, treatment } = lossOf(compared, isLess);
  return { best: [1 - better, better], expectedLoss: [control, treatment] };
}

/**
 * Returns the successes and users of each arm. Without events of the metric there are zero users, whose posterior is
 * the prior.
 */
function proportionsOf(metric: MetricStatistics | undefined, { users }: SufficientStatistics): Proportion[] | null {
  if (!metric) return users.map(() => ({ n: 0, successes: 0 }));
  return metric.form === "PROPORTION" ? metric.arms : null;
}

function posteriorOf(
  metric: MetricStatistics | undefined,
  statistics: SufficientStatistics,
  arm: number,
  options: Options,
  isLess: boolean,
): ArmPosterior {
  const rates = proportionsOf(metric, statistics);
  if (rates) {
    const { alpha, beta, mean, credibleInterval, highestDensityInterval } = ratePosterior(rates[arm]!, options);
    const oriented = isLess ? betaPosterior(beta, alpha) : betaPosterior(alpha, beta);
    // A rate combined over periods has a number of users that only determines its error.
    const n = statistics.users[arm] ?? 0;
    return { n, oriented, alpha, beta, mean, credibleInterval, highestDensityInterval };
  }
  const estimate = adjustedEstimates(metric!)[arm]!;
  const { value, variance } = estimate;
  // An estimate over clusters counts clusters.
  const n = metric!.clusters ? statistics.users[arm]! : estimateOf(metric!, arm).n;
  const error = errorOf(estimate);
  const none = { alpha: null, beta: null };
  if (error === 0) {
    const nothing = { oriented: null, credibleInterval: null, highestDensityInterval: null };
    return { n, ...none, ...nothing, mean: variance === null ? null : value };
  }
  const posterior = normalPosterior(value, error);
  const tail = (1 - options.credibleLevel) / 2;
  const credibleInterval: Interval = [posterior.point("lower", tail), posterior.point("upper", tail)];
  const oriented = isLess ? normalPosterior(-value, error) : posterior;
  // The highest-density interval of a symmetric posterior is the equal-tailed one.
  return { n, ...none, oriented, mean: value, credibleInterval, highestDensityInterval: credibleInterval };
}

/** Returns how the comparison of the first treatment is adjusted. The posterior of a rate is never adjusted. */
function adjustmentOf(metric: MetricStatistics): BayesianResults["adjustment_status"] {
  const adjusted = metric.arms.length > 1 ? adjusting(metric, 1) : null;
  if (!adjusted) return undefined;
  return metric.form === "PROPORTION" ? "NOT_APPLICABLE" : adjusted.status;
}

function compare(
  metric: MetricStatistics | undefined,
  statistics: SufficientStatistics,
  arm: number,
  options: Options,
  prior: Prior,
): BayesianComparison | null {
  const rates = proportionsOf(metric, statistics);
  if (rates) return betaBinomialTest(rates[0]!, rates[arm]!, options);
  const { control, treatment } = comparedEstimates(metric!, arm);
  if (prior) return effectPriorTest(control, treatment, prior, options);
  const mixing = mixingVarianceOf(estimateOf(metric!, 0), DEFAULT_EXPECTED_LIFT);
  return mixing === null ? null : normalBayesTest(control, treatment, mixing, options);
}

function errorOf({ n, value, variance }: ArmEstimate): number {
  const error = n > 0 && variance !== null ? Math.sqrt(variance / n) : 0;
  return Number.isFinite(error) && Number.isFinite(value) ? error : 0;
}

function evidenceOf(compared: BayesianComparison | null, isLess: boolean) {
  const greater = compared?.probabilityOfSuperiority ?? null;
  return {
    bayes_factor: compared?.bayesFactor ?? null,
    log_bayes_factor: compared?.logBayesFactor ?? null,
    probability_of_superiority: greater !== null && isLess ? 1 - greater : greater,
    decision: compared?.decision ?? null,
  };
}

/**
 * Returns the expected losses, swapped if a decrease is better. Choosing an arm then loses E max(0, a - b), where a is
 * its value and b that of the other arm.
 */
function lossOf({ expectedLoss, difference }: BayesianComparison, isLess: boolean) {
  const { control, treatment } = expectedLoss;
  if (!isLess) return { control: Math.max(0, control), treatment: Math.max(0, treatment) };
  // Control loses E max(0, T - C) if more is better, and E max(0, C - T) = E max(0, T - C) - E(T - C).
  return { control: Math.max(0, control - difference.mean), treatment: Math.max(0, control) };
}

function clamp(probability: number): number {
  return Math.min(1, Math.max(0, probability));
}
