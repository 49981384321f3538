import type { Results } from "@assay/contract";
import { sampleRatioTest } from "@assay/core/stats";
import type { Analysis } from "../../analysis/analysis.ts";
import { armsOf, toSubject } from "../../analysis/subject.ts";
import type { SufficientStatistics } from "../../analysis/sufficient-statistics.ts";
import { notFound } from "../../http/errors.ts";
import { type Caller, seesDrafts } from "../../identity/caller.ts";
import { type Runtime, timestampOf } from "../../runtime.ts";
import type { Collection } from "../../storage/collection.ts";
import type { ExperimentRecord } from "../experiments/record.ts";
import { toBayesianResults } from "./bayes.ts";
import { toMainEffects } from "./main-effects.ts";
import { toRows } from "./rows.ts";

/** What results are made of. */
export interface ResultsDependencies {
  runtime: Runtime;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  analysis: Analysis;
}

/** Answers what came of experiments. */
export interface ResultsService {
  /**
   * Results by id or key, current to the last acknowledged event.
   * @throws ApiError 404, for a DRAFT also where the caller may not see drafts
   */
  get(idOrKey: string, caller: Caller): Promise<Results>;
}

interface Shown {
  version: number;
  statistics: SufficientStatistics;
  results: Results;
}

/** Creates the results service over the analysis. */
export function createResultsService({ runtime, experiments, analysis }: ResultsDependencies): ResultsService {
  // The tests cost little, but an answer that has not changed should not change its time either.
  const shown = new Map<string, Shown>();

  return {
    async get(idOrKey, caller) {
      const record = experiments.get(idOrKey) ?? experiments.findBy("key", idOrKey);
      if (!record || (record.status === "DRAFT" && !seesDrafts(caller))) throw notFound();
      const { statistics } = await analysis.statistics(toSubject(record), record.version);
      const known = shown.get(record.id);
      if (known && known.version === record.version && known.statistics === statistics) return known.results;
      const results = toResults(record, statistics, timestampOf(runtime.now()));
      shown.set(record.id, { version: record.version, statistics, results });
      return results;
    },
  };
}

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
