import { panels } from "../quadrature.ts";

/** Beyond this many standard deviations the normal density underflows. */
export const FARTHEST = 38;

/** Returns the nodes and weights of a quadrature from `low` to `high`, in panels of about `width`. */
export function grid(low: number, high: number, width: number): { nodes: number[]; weights: number[] } {
  const count = Math.max(1, Math.ceil((high - low) / width));
  return panels(Array.from({ length: count + 1 }, (_, i) => low + ((high - low) * i) / count));
}
