import { between } from "./range.ts";

/** The natural logarithms of both tail probabilities at one point, and of the density on the search scale. */
export interface LogTails {
  lower: number;
  upper: number;
  density: number;
}

/**
 * Returns both tails from `small`, the natural logarithm of the tail that was computed directly. `isLower` if that is
 * the lower tail.
 */
export function bothTails(small: number, isLower: boolean, density: number): LogTails {
  // Rounding may leave a tail a hair above 1.
  const direct = Math.min(small, 0);
  const other = direct > -0.7 ? Math.log(-Math.expm1(direct)) : Math.log1p(-Math.exp(direct));
  return isLower ? { lower: direct, upper: other, density } : { lower: other, upper: direct, density };
}

/**
 * Returns the point u where one tail has the probability `p`, by Newton's method on the logarithm of that tail.
 *
 * Both log tails of a log-concave density are concave. So from any start, the steps after the first approach from one
 * side and need no bracket. Callers search on a scale (logit, log) where their density is log-concave. `longest` bounds
 * a step: some tails are so steep that the first step would leave the range of doubles.
 */
export function invertTail(
  tail: "lower" | "upper",
  p: number,
  start: number,
  at: (u: number) => LogTails,
  longest = Infinity,
): number {
  const target = Math.log(p);
  const sign = tail === "lower" ? 1 : -1;
  let u = start;
  for (let i = 0; i < 200; i++) {
    const tails = at(u);
    const step = sign * (target - tails[tail]) * Math.exp(tails[tail] - tails.density);
    u += Math.min(step, longest);
    if (Math.abs(step) <= 1e-14 * Math.max(1, Math.abs(u))) break;
  }
  return u;
}

/** Returns the p-quantile by the smaller tail; `low` and `high` are the ends of the distribution. */
export function quantileBy(
  p: number,
  low: number,
  high: number,
  point: (tail: "lower" | "upper", p: number) => number,
): number {
  between("p", p, 0, 1);
  if (p === 0 || p === 1) return p === 0 ? low : high;
  return p <= 0.5 ? point("lower", p) : point("upper", 1 - p);
}
