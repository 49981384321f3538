import { between } from "./range.ts";
import { bothTails, invertTail, type LogTails, quantileBy } from "./tails.ts";

const HALF_LOG_TWO_PI = 0.9189385332046728;
/** Below this |x| the series converges faster, above it the continued fraction does. */
const SERIES_END = 3;

/**
 * Returns P(Z > x) divided by the normal density at x (Mills' ratio), for x of at least 3.
 *
 * Source: Laplace's continued fraction, Abramowitz and Stegun 26.2.14, evaluated from its far end.
 */
function millsRatio(x: number): number {
  let fraction = x;
  for (let k = Math.ceil(8 + 500 / (x * x)); k > 0; k--) fraction = x + k / fraction;
  return 1 / fraction;
}

/**
 * Returns P(0 < Z < x) divided by the normal density at x, for |x| below 3.
 *
 * Source: Abramowitz and Stegun 26.2.11.
 */
function centralSeries(x: number): number {
  let term = x;
  let sum = x;
  for (let k = 3; Math.abs(term) > 1e-17 * Math.abs(sum); k += 2) {
    term *= (x * x) / k;
    sum += term;
  }
  return sum;
}

/** Returns the standard normal density at x. */
export function normalDensity(x: number): number {
  return Math.exp(-0.5 * x * x - HALF_LOG_TWO_PI);
}

/** Returns the log tails of the standard normal distribution at x. */
export function normalTails(x: number): LogTails {
  const density = -0.5 * x * x - HALF_LOG_TWO_PI;
  const size = Math.abs(x);
  const small =
    size < SERIES_END ? Math.log(0.5 - Math.exp(density) * centralSeries(size)) : density + Math.log(millsRatio(size));
  return bothTails(small, x < 0, density);
}

/**
 * Returns P(Z > x) for a standard normal Z, computed without cancellation.
 *
 * Source: Abramowitz and Stegun 26.2.11 and 26.2.14.
 *
 * @throws RangeError if x is not a number.
 */
export function normalSf(x: number): number {
  between("x", x, -Infinity, Infinity);
  if (Math.abs(x) < SERIES_END) return 0.5 - normalDensity(x) * centralSeries(x);
  if (Math.abs(x) === Infinity) return x > 0 ? 0 : 1;
  const small = normalDensity(x) * millsRatio(Math.abs(x));
  return x > 0 ? small : 1 - small;
}

/**
 * Returns P(Z <= x) for a standard normal Z.
 *
 * Source: Abramowitz and Stegun 26.2.11 and 26.2.14.
 *
 * @throws RangeError if x is not a number.
 */
export function normalCdf(x: number): number {
  return normalSf(-x);
}

/**
 * Returns the x with P(Z <= x) = p for a standard normal Z.
 *
 * @throws RangeError unless p lies in [0, 1].
 */
export function normalQuantile(p: number): number {
  if (p === 0.5) return 0;
  return quantileBy(p, -Infinity, Infinity, (tail, q) => invertTail(tail, q, 0, normalTails));
}

/** Returns the z with P(|Z| > z) = alpha for a standard normal Z. */
export function twoSidedNormalQuantile(alpha: number): number {
  return -normalQuantile(alpha / 2);
}
