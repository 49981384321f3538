import type { Metric } from "@assay/contract";
import type { ExperimentRecord } from "./experiment.ts";

/** The hypotheses of metrics with a margin, by metric id. */
export type Margins = Record<string, string>;

/** What metrics with a margin are to show. */
export function marginsOf(metrics: readonly Metric[]): Margins {
  const own = metrics.filter(({ margin }) => margin != null);
  return Object.fromEntries(own.map(({ id, hypothesis, margin }) => [id, `${hypothesis} ${margin}`]));
}

/**
 * Whether a hypothesis or a margin was made, changed or removed since the experiment started: it may then follow from the
 * results. False before the start, and for experiments that started before hypotheses existed.
 */
export function areMarginsChanged({ margins_at_start: started, metrics }: ExperimentRecord): boolean {
  if (started === undefined) return false;
  const now = marginsOf(metrics);
  const ids = new Set([...Object.keys(started), ...Object.keys(now)]);
  return [...ids].some((id) => started[id] !== now[id]);
}
