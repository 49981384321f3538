import type { SequentialResults } from "@assay/contract";

/** The result of a metric and a treatment in the sequential tests. */
export type SequentialRow = SequentialResults["metrics"][number];

/**
 * Returns the difference over all looks: the estimate of the look that stopped the test, otherwise the midpoint of the
 * interval over all looks.
 */
export function estimatedDifference({ stopped, confidence_interval: interval, difference }: SequentialRow): number {
  if (stopped) return stopped.estimate;
  return interval ? (interval[0] + interval[1]) / 2 : (difference ?? 0);
}
