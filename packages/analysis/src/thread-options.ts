import { availableParallelism } from "node:os";

/** More threads would wait for memory. */
const MAX_DEFAULT_THREADS = 8;

/** How an analyst or a reader in a worker thread computes. */
export interface ThreadOptions {
  /**
   * Number of threads that share a computation over many events. The results are the same, digit for digit.
   * @default one less than the processors, for the main thread; at least 1 and at most 8
   */
  threads?: number | undefined;
}

/** How a reader computes, and what it keeps. */
export interface ReaderOptions extends ThreadOptions {
  /**
   * Bytes of what questions depend on that are kept for later questions. What the last question depends on is always kept.
   * @default 64 MiB
   */
  keptBytes?: number | undefined;
}

/** Returns how many threads share a computation by default. */
export function defaultThreads(): number {
  return Math.min(MAX_DEFAULT_THREADS, Math.max(1, availableParallelism() - 1));
}
