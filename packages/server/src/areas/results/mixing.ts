import { estimateOf, type MetricStatistics } from "@assay/analysis";
import type { ArmEstimate } from "@assay/core/stats";
import { minimumDetectableEffect } from "@assay/core/stats/planning";

/**
 * The default lift to tune a test for, if neither the request nor a plan names an effect: 10 % of the control's value.
 */
export const DEFAULT_EXPECTED_LIFT = 0.1;

/** The expected effect: a lift, or the effect that an experiment of the planned size detects. */
export type Expectation =
  | { kind: "LIFT"; lift: number }
  | { kind: "PLAN"; users: { control: number; treatment: number }; alpha: number };

/**
 * Returns the expected effect on a metric, in its units: the lift times the control's value, or the effect that the
 * planned users detect with 80 % power. If the control's value is 0, the lift is multiplied by its standard deviation.
 * Returns null if there is neither, or if the effect is 0.
 */
export function expectedEffect(control: ArmEstimate, expectation: Expectation): number | null {
  const effect =
    expectation.kind === "LIFT"
      ? expectation.lift * (Math.abs(control.value) || Math.sqrt(control.variance ?? 0))
      : detectableEffect(control.variance ?? 0, expectation);
  return effect !== null && Number.isFinite(effect) && effect > 0 ? effect : null;
}

function detectableEffect(variance: number, { users, alpha }: Extract<Expectation, { kind: "PLAN" }>): number | null {
  return minimumDetectableEffect(Math.sqrt(variance / users.control + variance / users.treatment), { alpha });
}

/** Returns the expected effect as a share of the control's value, or null if that is 0. */
export function expectedLift(statistics: MetricStatistics, expectation: Expectation): number | null {
  if (expectation.kind === "LIFT") return expectation.lift;
  const control = estimateOf(statistics, 0);
  const effect = expectedEffect(control, expectation);
  const lift = effect === null ? Number.NaN : effect / Math.abs(control.value);
  return Number.isFinite(lift) ? lift : null;
}

/**
 * Returns the variance of plausible effects of Bayesian tests, in squared units of the metric, or null if it is unknown
 * or 0.
 */
export function mixingVarianceOf(control: ArmEstimate, lift: number): number | null {
  const effect = expectedEffect(control, { kind: "LIFT", lift });
  const variance = effect === null ? 0 : effect * effect;
  return variance > 0 && Number.isFinite(variance) ? variance : null;
}
