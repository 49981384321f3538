import { between } from "./range.ts";

/** Natural logarithms of both tail probabilities at one point, and of the density on the search scale. */
export interface LogTails {
  lower: number;
  upper: number;
  density: number;
}

/** Both tails from the directly computed one, `small`, a natural logarithm; `isLower` if that is the lower one. */
export function bothTails(small: number, isLower: boolean, density: number): LogTails {
  // Rounding may leave a tail a hair above 1.
  const direct = Math.min(small, 0);
  const other = direct > -0.7 ? Math.log(-Math.expm1(direct)) : Math.log1p(-Math.exp(direct));
  return isLower ? { lower: direct, upper: other, density } : { lower: other, upper: direct, density };
}

/**
 * The point u where one tail has the probability `p`, by Newton's method on the logarithm of that tail.
 *
 * Both log tails of a log-concave density are concave, so from any start the second step onwards approaches from one
 * side and needs no bracket; callers search on a scale (logit, log) where their density is log-concave. `longest` bounds
 * a step, for tails so steep that the first one would leave the range of doubles.
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

/** The p-quantile by the tail that is the smaller one; `low` and `high` are the ends of the distribution. */
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
