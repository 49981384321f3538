import type { Results } from "@assay/contract";
import { sampleRatioTest } from "@assay/core/stats";
import { armsOf } from "../../analysis/subject.ts";
import type { SufficientStatistics } from "../../analysis/sufficient-statistics.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import { toBayesianResults } from "./bayes.ts";
import { toMainEffects } from "./main-effects.ts";
import { toRows } from "./rows.ts";

/** Makes the answer from an experiment and its statistics. */
export function toResults(record: ExperimentRecord, statistics: SufficientStatistics, computedAt: string): Results {
  const arms = armsOf(record);
  const [control = 0, ...treatments] = statistics.users;
  return {
    experiment_id: record.id,
    experiment_key: record.key,
    status: record.status,
    metrics: toRows(record, statistics),
    ...(record.experiment_type === "MULTIVARIATE" && { main_effects: toMainEffects(record, statistics.metrics) }),
    ...(record.bayesian_enabled && { bayesian_results: toBayesianResults(record, statistics, computedAt) }),
    sample_size: { control, treatment: treatments.reduce((sum, users) => sum + users, 0) },
    variants: arms.map(({ id, key, name, weight }, index) => ({
      id,
      key,
      name,
      is_control: index === 0,
      weight,
      sample_size: statistics.users[index] ?? 0,
    })),
    srm: toSampleRatio(arms, statistics.users),
    crossover: statistics.crossover,
    forced: statistics.forced,
    analysis_warnings: statistics.inferred > 0 ? ["EXPOSURES_INFERRED"] : [],
    source: "EMBEDDED",
    computed_at: computedAt,
  };
}

function toSampleRatio(arms: ExperimentRecord["variants"], users: readonly number[]): Results["srm"] {
  const weights = arms.map(({ weight }) => weight);
  const observed = Object.fromEntries(arms.map(({ key }, index) => [key, users[index] ?? 0]));
  const total = users.reduce((sum, count) => sum + count, 0);
  if (total === 0 || !weights.some((weight) => weight > 0)) {
    const expected = Object.fromEntries(arms.map(({ key }) => [key, 0]));
    return { p_value: null, expected, observed, warning: false };
  }
  const test = sampleRatioTest(users, weights);
  const expected = Object.fromEntries(arms.map(({ key }, index) => [key, test.expected[index] ?? 0]));
  return { p_value: test.pValue, expected, observed, warning: test.warning };
}
