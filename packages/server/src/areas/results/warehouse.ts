import { isDeepStrictEqual } from "node:util";
import type { Look } from "@assay/analysis";
import type { Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { NOT_AVAILABLE, type SyncRecord } from "../../model/warehouse.ts";
import type { Steps } from "../../slices.ts";
import { toResults } from "./answer.ts";

/** Results of what a warehouse has summed up, by the same tests as those of our own events. */
export function* toWarehouseResults(record: ExperimentRecord, { statistics, synced_at }: SyncRecord): Steps<Results> {
  const results = yield* toResults(record, statistics, synced_at);
  const synced = statistics.metrics.map(({ metric }) => metric);
  const isChanged = record.metrics.length > 0 && !isDeepStrictEqual(record.metrics, synced);
  return {
    ...results,
    metrics: results.metrics.map((row) => (row.kind === "QUANTILE" ? { ...row, status: NOT_AVAILABLE } : row)),
    analysis_warnings: [...results.analysis_warnings, ...(isChanged ? ["METRICS_CHANGED_SINCE_SYNC"] : [])],
    source: "WAREHOUSE",
  };
}

/** The days of syncing as the looks of a sequential test. */
export function looksOf({ looks }: SyncRecord): Look[] {
  return looks.map((look) => ({ ...look, cohort: null }));
}
