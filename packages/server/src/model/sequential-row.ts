import type { SequentialResults } from "@assay/contract";

/** A metric of a treatment at the sequential tests. */
export type SequentialRow = SequentialResults["metrics"][number];

/** The difference by all looks: the estimate at the look that stopped, else the middle of the interval that they share. */
export function estimatedDifference({ stopped, confidence_interval: interval, difference }: SequentialRow): number {
  if (stopped) return stopped.estimate;
  return interval ? (interval[0] + interval[1]) / 2 : (difference ?? 0);
}
