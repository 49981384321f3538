import type { Analyst, AnalystMethods } from "./analyst.ts";
import { startCaller } from "./thread-caller.ts";

/**
 * Starts an analyst in a worker thread.
 * @throws Error if worker threads are not available
 */
export async function startWorkerAnalyst(): Promise<Analyst> {
  return startCaller<AnalystMethods>("analyst");
}
