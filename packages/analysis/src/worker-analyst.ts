import type { Analyst, AnalystMethods } from "./analyst.ts";
import { startCaller } from "./thread-caller.ts";
import { defaultThreads, type ThreadOptions } from "./thread-options.ts";

/**
 * Starts an analyst in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startWorkerAnalyst({ threads = defaultThreads() }: ThreadOptions = {}): Promise<Analyst> {
  return startCaller<AnalystMethods>("analyst", { threads });
}
