import { ExperimentParameters, type WarehouseSource, type WarehouseSync } from "@assay/contract";
import { invalid } from "../../../ground/errors.ts";
import type { ExperimentRecord } from "../../../model/experiment.ts";
import type { SyncRecord } from "../../../model/warehouse.ts";
import type { Change } from "../../../storage/change.ts";
import type { Collection } from "../../../storage/collection.ts";
import { findByIdOrKey } from "../../../storage/lookup.ts";
import { defineTask, type EtlTask, TaskFailure } from "./task.ts";

/** Aggregates an experiment in a warehouse. */
export type WarehouseSyncing = (
  experimentId: string,
  source: WarehouseSource,
  by: Change,
  signal: AbortSignal,
) => Promise<WarehouseSync>;

/** Repeats the last warehouse sync of experiments. */
export function createWarehouseSync(deps: {
  /** With a unique index `key`. */
  experiments: Collection<ExperimentRecord>;
  syncs: Collection<SyncRecord>;
  sync: WarehouseSyncing;
}): EtlTask {
  const { experiments, syncs, sync } = deps;

  function wanted({ experiment_id }: ExperimentParameters): SyncRecord[] {
    if (experiment_id === undefined) return syncs.all();
    const record = findByIdOrKey(experiments, experiment_id);
    const found = record && syncs.get(record.id);
    return found ? [found] : [];
  }

  return defineTask<ExperimentParameters>({
    name: "warehouse-sync",
    description: "Sync experiments from their warehouses again, each as it was synced last",
    parameters: ExperimentParameters,
    check(parameters) {
      if (parameters.experiment_id === undefined || wanted(parameters).length > 0) return;
      throw invalid(["body", "parameters", "experiment_id"], "None of these experiments was synced from a warehouse");
    },
    async run({ parameters, signal, log, report, change }) {
      const all = wanted(parameters);
      const failed: string[] = [];
      for (const [index, { id, source }] of all.entries()) {
        signal.throwIfAborted();
        const { status, error, rows } = await untilAborted(signal, sync(id, source, change("warehouse.sync"), signal));
        const name = experiments.get(id)?.key ?? id;
        log(status === "FAILED" ? "ERROR" : "INFO", `Experiment "${name}": ${error ?? `${rows} users`}`);
        if (status === "FAILED") failed.push(name);
        report(index + 1, (index + 1) / all.length);
      }
      signal.throwIfAborted();
      if (failed.length > 0) throw new TaskFailure(`Not synced: ${failed.join(", ")}`);
    },
  });
}

/** Rejects as soon as the signal is aborted, because connecting to an unresponsive host cannot be interrupted. */
function untilAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
