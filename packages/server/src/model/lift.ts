import type { Metric, MetricResult } from "@assay/contract";
import { normalQuantile } from "@assay/core/stats";
import type { EffectEstimate } from "@assay/core/stats/shrinkage";
import type { Caller } from "./caller.ts";
import type { ExperimentRecord } from "./experiment.ts";

/** The lift of a PRIMARY metric by a treatment of a completed experiment; more is better. */
export interface PastLift extends EffectEstimate {
  experiment: ExperimentRecord;
  metric: Metric;
  variant: string;
}

/**
 * Reads the lifts of the completed experiments that a caller may see, whether they won or not. Returns the same list
 * until one of them changes.
 */
export type PastLifts = (caller: Caller) => Promise<readonly PastLift[]>;

/** A lift or an error beyond these says nothing: the control's value is as good as 0, or nothing varies. */
const MAX_LIFT = 1e6;
const MIN_ERROR = 1e-9;

/**
 * The lift of a row, turned so that more is better, and its standard error: half the width of its interval over the
 * normal quantile, so that it has the same adjustments as the test. Null where the row has none, or one that says nothing.
 */
export function liftOf(
  row: Pick<MetricResult, "relative_difference" | "relative_confidence_interval">,
  direction: Metric["direction"],
  confidenceLevel: number,
): EffectEstimate | null {
  const { relative_difference: lift, relative_confidence_interval: interval } = row;
  if (lift === null || interval === null) return null;
  const standardError = (interval[1] - interval[0]) / (-2 * normalQuantile((1 - confidenceLevel) / 2));
  if (!(standardError >= MIN_ERROR && standardError <= MAX_LIFT && Math.abs(lift) <= MAX_LIFT)) return null;
  return { estimate: direction === "DECREASE" ? -lift : lift, standardError };
}
