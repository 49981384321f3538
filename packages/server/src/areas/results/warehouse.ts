import { isDeepStrictEqual } from "node:util";
import type { Look, MetricStatistics } from "@assay/analysis";
import type { Results } from "@assay/contract";
import type { Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { baselineOf } from "../../model/experiment-subject.ts";
import type { SyncRecord } from "../../model/warehouse.ts";
import { toResults } from "./answer.ts";

/** Computes results from the sums of a warehouse, by the same tests as for events sent to this server. */
export function* toWarehouseResults(
  record: ExperimentRecord,
  { statistics, synced_at, looks }: SyncRecord,
): Steps<Results> {
  const metrics = withoutBaseline(record, statistics.metrics);
  const days = looks.map(({ date, users }) => ({ date, users: users.reduce((sum, count) => sum + count, 0) }));
  const results = yield* toResults(record, { ...statistics, metrics }, synced_at, { periods: null, days });
  const synced = statistics.metrics.map(({ metric }) => metric);
  const isChanged = record.metrics.length > 0 && !isDeepStrictEqual(record.metrics, synced);
  return {
    ...results,
    analysis_warnings: [...results.analysis_warnings, ...(isChanged ? ["METRICS_CHANGED_SINCE_SYNC"] : [])],
    source: "WAREHOUSE",
  };
}

/** Returns the days with a sync as the looks of a sequential test. */
export function looksOf(record: ExperimentRecord, { looks }: SyncRecord): Look[] {
  return looks.map((look) => ({ ...look, metrics: withoutBaseline(record, look.metrics), cohort: null }));
}

/** Returns metrics without a baseline, because a warehouse provides only totals. */
function withoutBaseline(record: ExperimentRecord, metrics: readonly MetricStatistics[]): MetricStatistics[] {
  const plan = baselineOf(record);
  if (!plan) return [...metrics];
  const baseline = { method: plan.method, covariates: [], arms: null, carriers: [] };
  return metrics.map((one) => ({ ...one, baseline }));
}
