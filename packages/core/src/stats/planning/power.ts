import { finiteOrNull } from "../comparison.ts";
import { normalQuantile, normalSf, twoSidedNormalQuantile } from "../normal.ts";
import { checkAlpha, strictlyBetween } from "../range.ts";

/**
 * Returns the power of a two-sided z-test at level alpha to find `effect` with its standard error; `null` where
 * undefined.
 *
 * Pass the planned effect; the observed difference gives the achieved power of a row.
 *
 * Source: J. Cohen, Statistical Power Analysis for the Behavioral Sciences (2nd ed. 1988).
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function achievedPower(
  effect: number | null,
  standardError: number | null,
  { alpha = 0.05 }: { alpha?: number } = {},
): number | null {
  checkAlpha(alpha);
  if (effect === null || standardError === null) return null;
  const shift = finiteOrNull(Math.abs(effect) / standardError);
  if (shift === null) return null;
  const critical = twoSidedNormalQuantile(alpha);
  return normalSf(critical - shift) + normalSf(critical + shift);
}

/**
 * Returns the smallest effect that a two-sided z-test at level alpha finds with the given power, in the units of the
 * standard error.
 *
 * Source: (z_(1-alpha/2) + z_power) se; H. S. Bloom, Evaluation Review 19 (1995).
 *
 * @throws RangeError unless alpha and power lie strictly between 0 and 1.
 */
export function minimumDetectableEffect(
  standardError: number,
  { alpha = 0.05, power = 0.8 }: { alpha?: number; power?: number } = {},
): number | null {
  checkAlpha(alpha);
  strictlyBetween("power", power, 0, 1);
  return finiteOrNull((twoSidedNormalQuantile(alpha) + normalQuantile(power)) * standardError);
}
