import { availableParallelism } from "node:os";
import type { Analyst, AnalystMethods } from "./analyst.ts";
import { startCaller } from "./thread-caller.ts";

/** More threads would wait for memory. */
const MAX_DEFAULT_THREADS = 8;

export interface WorkerAnalystOptions {
  /**
   * Number of threads that share a computation over many events. The results are the same, digit for digit.
   * @default one less than the processors, for the main thread; at least 1 and at most 8
   */
  threads?: number | undefined;
}

/**
 * Starts an analyst in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startWorkerAnalyst({ threads = defaultThreads() }: WorkerAnalystOptions = {}): Promise<Analyst> {
  return startCaller<AnalystMethods>("analyst", threads);
}

function defaultThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1));
}
