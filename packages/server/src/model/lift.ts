import type { Metric, MetricResult } from "@assay/contract";
import { normalQuantile } from "@assay/core/stats";
import type { EffectEstimate } from "@assay/core/stats/shrinkage";
import type { Caller } from "./caller.ts";
import type { ExperimentRecord } from "./experiment.ts";

/** The lift of a treatment on a PRIMARY metric of a completed experiment. A positive lift is an improvement. */
export interface PastLift extends EffectEstimate {
  experiment: ExperimentRecord;
  metric: Metric;
  variant: string;
}

/**
 * Reads the lifts of the completed experiments that a caller may see, of winners and losers alike. Returns the same
 * list until one of them changes.
 */
export type PastLifts = (caller: Caller) => Promise<readonly PastLift[]>;

/** A lift or error beyond these limits carries no information: the control's value is almost 0, or nothing varies. */
const MAX_LIFT = 1e6;
const MIN_ERROR = 1e-9;

/**
 * Returns the lift of a row and its standard error. A positive lift is an improvement. The error is half the width of
 * the interval divided by the normal quantile, so it has the same adjustments as the test. Returns null if the row has
 * no lift, or one beyond the limits.
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
