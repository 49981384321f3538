import type { ArmEstimate } from "@assay/core/stats";

/**
 * The lift that is expected of a treatment where nobody says: 10 % of the control's value, either way. Too much costs
 * the tests little (the logarithm of it), too little costs them their power.
 */
export const DEFAULT_EXPECTED_LIFT = 0.1;

/**
 * The variance of plausible effects, in squared units of the metric: the square of the expected lift times the control's
 * value, or times its standard deviation where the value is 0. Null where there is neither.
 */
export function mixingVarianceOf(control: ArmEstimate, expectedLift: number): number | null {
  const unit = Math.abs(control.value) || Math.sqrt(control.variance ?? 0);
  const variance = (expectedLift * unit) ** 2;
  return Number.isFinite(variance) && variance > 0 ? variance : null;
}
