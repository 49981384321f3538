import type { Interval } from "./comparison.ts";
import { between, positive } from "./range.ts";

/**
 * Returns a quantile of values in ascending order, interpolated between order statistics; `null` without values.
 *
 * Source: Hyndman and Fan, The American Statistician 50 (1996), type 7.
 *
 * @throws RangeError unless p lies in [0, 1].
 */
export function sampleQuantile(sorted: ArrayLike<number>, p: number): number | null {
  between("p", p, 0, 1);
  if (sorted.length === 0) return null;
  const position = p * (sorted.length - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (position - below) * (high - low);
}

/**
 * Returns the bounds at which winsorising clips: the type-7 quantiles of the values of all arms together. `null`
 * without values, or if one is NaN.
 *
 * @throws RangeError unless 0 <= lower < upper <= 1.
 */
export function winsorBounds(arms: readonly ArrayLike<number>[], lower: number, upper: number): Interval | null {
  between("lower", lower, 0, 1);
  between("upper", upper, 0, 1);
  positive("upper - lower", upper - lower);
  let n = 0;
  for (const arm of arms) n += arm.length;
  const sorted = new Float64Array(n);
  let at = 0;
  for (const arm of arms) {
    sorted.set(arm, at);
    at += arm.length;
  }
  sorted.sort();
  // Sorting puts NaN last.
  if (Number.isNaN(sorted[n - 1])) return null;
  const low = sampleQuantile(sorted, lower);
  const high = sampleQuantile(sorted, upper);
  return low === null || high === null ? null : [low, high];
}

/** Returns the values, with those outside the bounds moved to the nearer bound. */
export function winsorise(values: ArrayLike<number>, [lower, upper]: Interval): Float64Array {
  // Hot path: a million users; `Float64Array.from` with a function would take many times as long.
  return new Float64Array(values).map((value) => Math.min(Math.max(value, lower), upper));
}
