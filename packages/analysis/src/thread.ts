import { type Transferable, Worker } from "node:worker_threads";
import type { WorkerData } from "./worker.ts";

/**
 * Starts a thread from its sources. Most of its memory is columns, so that a small young generation takes no longer. The
 * build replaces this file (tsup.config.ts) with one that contains the thread's program as a string, so that a bundle of
 * an application needs no separate file.
 */
export function startThread(workerData: WorkerData, transferList: Transferable[] = []): Worker {
  return new Worker(new URL("./worker.source.mjs", import.meta.url), {
    execArgv: ["--conditions=@assay/source"],
    workerData,
    transferList,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
}
