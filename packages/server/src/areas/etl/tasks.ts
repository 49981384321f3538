import type { Store } from "@assay/store";
import type { Analysis } from "../../analysis/analysis.ts";
import type { Runtime } from "../../ground/runtime.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { SyncRecord } from "../../model/warehouse.ts";
import type { Collection } from "../../storage/collection.ts";
import { createEventsExport, type ExportOptions } from "./tasks/events-export.ts";
import { createResultsRecompute } from "./tasks/results-recompute.ts";
import { createRetentionPurge, type RetentionOptions } from "./tasks/retention-purge.ts";
import type { EtlTask } from "./tasks/task.ts";
import { createWarehouseSync, type WarehouseSyncing } from "./tasks/warehouse-sync.ts";

/** Dependencies of the data jobs. */
export interface TaskDependencies {
  store: Store;
  runtime: Runtime;
  analysis: Analysis;
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  syncs: Collection<SyncRecord>;
  sync: WarehouseSyncing;
  exports: ExportOptions | undefined;
  retention: RetentionOptions | undefined;
}

/** Creates every data job. */
export function createTasks(deps: TaskDependencies): EtlTask[] {
  return [
    createEventsExport(deps.store, deps.exports),
    createResultsRecompute(deps),
    createWarehouseSync(deps),
    createRetentionPurge(deps),
  ];
}
