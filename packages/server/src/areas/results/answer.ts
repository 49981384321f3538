import { type GroupStatistics, type MetricStatistics, type SufficientStatistics, stratify } from "@assay/analysis";
import type { Results } from "@assay/contract";
import { anytimeSampleRatioTest, periodSampleRatioTest } from "@assay/core/stats";
import { mapSteps, type Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { areMarginsChanged } from "../../model/experiment-margins.ts";
import { isPlanChanged } from "../../model/experiment-plan.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { weightOf, weightsByPeriod } from "../../model/experiment-weights.ts";
import { toBayesianResults } from "./bayes.ts";
import { withDetectable } from "./detectable.ts";
import { pooledWarnings } from "./looks.ts";
import { toMainEffects } from "./main-effects.ts";
import { toProgress, type UsersByDay } from "./progress.ts";
import { toRows } from "./rows.ts";

/**
 * Computes the results of an experiment from its statistics, in steps, because there may be thousands of tests.
 * @param of.periods the same users by period, if the weights have changed; null if the periods are unknown
 * @param of.days new users by day; null if they are not needed
 */
export function* toResults(
  record: ExperimentRecord,
  statistics: SufficientStatistics,
  computedAt: string,
  { periods, days }: { periods: GroupStatistics[] | null; days: readonly UsersByDay[] | null },
): Steps<Results> {
  const arms = armsOf(record);
  const [control = 0, ...treatments] = statistics.users;
  const everyArm = arms.map((_, arm) => arm);
  const inForce = everyArm.filter((arm) => arm === 0 || weightOf(record, arms[arm]!) > 0);
  const comparable = (needed: number[], index: number) =>
    periods ? stratified(periods, needed, index) : statistics.metrics[index]!;
  const allComparable = (needed: number[]): Steps<MetricStatistics[]> =>
    mapSteps(statistics.metrics, (_, index) => comparable(needed, index));
  const users = statistics.users.reduce((sum, count) => sum + count, 0);
  const rows = yield* toRows(record, statistics, (arm, index) => comparable([0, arm], index));
  const metrics = yield* withDetectable(record, rows, users);
  const effects =
    record.experiment_type === "MULTIVARIATE" ? yield* toMainEffects(record, yield* allComparable(everyArm)) : null;
  const bayesian = record.bayesian_enabled
    ? yield* toBayesianResults(record, { ...statistics, metrics: yield* allComparable(inForce) }, computedAt)
    : null;
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    status: record.status,
    confidence_level: 1 - record.alpha,
    metrics,
    ...(effects && { main_effects: effects }),
    ...(bayesian && { bayesian_results: bayesian }),
    sample_size: { control, treatment: treatments.reduce((sum, users) => sum + users, 0) },
    progress: toProgress(record, users, days),
    variants: arms.map(({ id, key, name, weight }, index) => ({
      id,
      key,
      name,
      is_control: index === 0,
      weight: weightOf(record, { key, weight }),
      sample_size: statistics.users[index] ?? 0,
    })),
    srm: toSampleRatio(record, statistics.clusters?.clusters ?? statistics.users, periods),
    crossover: statistics.crossover,
    forced: statistics.forced,
    analysis_warnings: toWarnings(record, statistics, periods),
    source: "EMBEDDED",
    computed_at: computedAt,
  };
}

/** Combines one metric, by its index, over all periods. */
function stratified(periods: readonly GroupStatistics[], needed: number[], index: number): MetricStatistics {
  const own = periods.map(({ users, metrics }) => ({ users, metrics: [metrics[index]!] }));
  return stratify(own, needed)[0]!;
}

function toWarnings(
  record: ExperimentRecord,
  { users, inferred, metrics }: SufficientStatistics,
  periods: GroupStatistics[] | null,
): string[] {
  const total = users.reduce((sum, count) => sum + count, 0);
  return [
    ...(inferred > 0 ? ["EXPOSURES_INFERRED"] : []),
    ...(periods ? ["WEIGHTED_BY_PERIOD"] : pooledWarnings(record)),
    ...(record.planned_sample_size !== null && total < record.planned_sample_size ? ["BEFORE_PLANNED_SIZE"] : []),
    ...(metrics.some(isClippedAway) ? ["WINSORISED_TO_ONE_VALUE"] : []),
    ...(isPlanChanged(record) ? ["PLAN_CHANGED"] : []),
    ...(areMarginsChanged(record) ? ["MARGIN_CHANGED"] : []),
  ];
}

/** Whether a cap or winsorising makes the values of all users equal. */
function isClippedAway(statistics: MetricStatistics): boolean {
  const { metric, form } = statistics;
  if (
    (metric.winsorize_pct == null && metric.cap == null) ||
    form !== "MEAN" ||
    statistics.arms.every(({ n }) => n === 0)
  )
    return false;
  const [first] = statistics.arms;
  return statistics.arms.every(({ n, mean, m2 }) => n === 0 || (m2 === 0 && mean === first!.mean));
}

/** Tests the sample ratio against the weights of each period; by clusters if users were assigned in clusters. */
function toSampleRatio(
  record: ExperimentRecord,
  units: readonly number[],
  periods: GroupStatistics[] | null,
): Results["srm"] {
  const arms = armsOf(record);
  const weights = weightsByPeriod(record, arms);
  const counts = periods?.map((period) => period.users) ?? [units];
  const observed = Object.fromEntries(arms.map(({ key }, index) => [key, units[index] ?? 0]));
  const total = units.reduce((sum, count) => sum + count, 0);
  if (total === 0 || weights.length !== counts.length || !weights.flat().some((weight) => weight > 0)) {
    const expected = Object.fromEntries(arms.map(({ key }) => [key, 0]));
    return { p_value: null, anytime_p_value: null, expected, observed, warning: false };
  }
  const compared = counts.map((own, period) => ({ observed: own, weights: weights[period]! }));
  const test = periodSampleRatioTest(compared);
  // Teams look at the split every day, so the test must be valid at any time.
  const anytime = anytimeSampleRatioTest(compared);
  const expected = Object.fromEntries(arms.map(({ key }, index) => [key, test.expected[index] ?? 0]));
  return { p_value: test.pValue, anytime_p_value: anytime.pValue, expected, observed, warning: anytime.warning };
}
