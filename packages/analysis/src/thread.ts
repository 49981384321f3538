import { Worker } from "node:worker_threads";
import type { WorkerRole } from "./worker.ts";

/**
 * Starts a thread from its sources. Most of its memory is columns, so that a small young generation takes no longer. The build replaces this file (tsup.config.ts) with one that contains the
 * thread's program as a string, so that a bundle of an application needs no separate file.
 */
export function startThread(role: WorkerRole): Worker {
  return new Worker(new URL("./worker.source.mjs", import.meta.url), {
    execArgv: ["--conditions=@assay/source"],
    workerData: role,
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
}
