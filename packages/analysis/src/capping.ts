import { winsorBounds, winsorise } from "@assay/core/stats";
import type { Metric } from "./metric-definition.ts";

/** Clips values at the quantiles `lower` and `upper` of all arms together. */
export function winsorisedAt(cells: Float64Array, lower: number, upper: number): Float64Array {
  const bounds = winsorBounds([cells], lower, upper);
  return bounds ? winsorise(cells, bounds) : cells;
}

/** Clips values at the quantiles of all values that are not 0. A 0 does not change. */
function winsorisedNonZero(cells: Float64Array, lower: number, upper: number): Float64Array {
  const bounds = winsorBounds([cells.filter((value) => value !== 0)], lower, upper);
  if (!bounds) return cells;
  const clipped = winsorise(cells, bounds);
  for (let slot = 0; slot < cells.length; slot++) if (cells[slot] === 0) clipped[slot] = 0;
  return clipped;
}

/** Caps a column of numbers per participant at the metric's cap. The denominator of a ratio (`part` 1) has no cap. */
export function capped(metric: Metric, part: number, cells: Float64Array): Float64Array {
  const { cap } = metric;
  return cap == null || part > 0 ? cells : cells.map((value) => Math.min(value, cap));
}

/** Caps and then winsorises a column of numbers per participant, as the metric says. */
export function limited(metric: Metric, part: number, cells: Float64Array): Float64Array {
  const { winsorize_pct: share, winsorize_of } = metric;
  const values = capped(metric, part, cells);
  if (share == null) return values;
  const winsorised = winsorize_of === "NON_ZERO" ? winsorisedNonZero : winsorisedAt;
  return winsorised(values, share, 1 - share);
}
