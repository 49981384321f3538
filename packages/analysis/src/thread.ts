import { Worker } from "node:worker_threads";

/**
 * Starts the analysis thread from its sources. The build replaces this file (tsup.config.ts): there the program of the
 * thread is a text inside the package, so that a bundle of an application needs no file beside it.
 */
export function startThread(): Worker {
  return new Worker(new URL("./worker.source.mjs", import.meta.url), { execArgv: ["--conditions=@assay/source"] });
}
