import type { Metric } from "@assay/contract";
import type { ExperimentRecord } from "./experiment.ts";

/** The hypotheses of metrics with a margin, by metric id. */
export type Margins = Record<string, string>;

/** Returns the hypotheses of the metrics with a margin, as text to compare. */
export function marginsOf(metrics: readonly Metric[]): Margins {
  const own = metrics.filter(({ margin }) => margin != null);
  return Object.fromEntries(own.map(({ id, hypothesis, margin }) => [id, `${hypothesis} ${margin}`]));
}

/**
 * Whether a hypothesis or a margin was added, changed or removed after the start of the experiment, and may therefore
 * depend on the results. False before the start, and for experiments that started before hypotheses existed.
 */
export function areMarginsChanged({ margins_at_start: started, metrics }: ExperimentRecord): boolean {
  if (started === undefined) return false;
  const now = marginsOf(metrics);
  const ids = new Set([...Object.keys(started), ...Object.keys(now)]);
  return [...ids].some((id) => started[id] !== now[id]);
}
