import { inverseFraction, MAX_STEPS } from "./continued-fraction.ts";
import { between, positive } from "./range.ts";
import { logGamma, logGammaDensity } from "./saddle-point.ts";
import { bothTails, invertTail, type LogTails, quantileBy } from "./tails.ts";

/**
 * Returns the lower incomplete gamma function divided by its prefix x^a e^-x / Γ(a), by power series.
 *
 * Source: NIST DLMF 8.11.4.
 */
function lowerSeries(x: number, a: number): number {
  let term = 1 / a;
  let sum = term;
  for (let k = 1; k < MAX_STEPS && term > 1e-17 * sum; k++) {
    term *= x / (a + k);
    sum += term;
  }
  return sum;
}

/**
 * Returns the upper incomplete gamma function divided by its prefix, by continued fraction.
 *
 * Source: NIST DLMF 8.9.2.
 */
function upperFraction(x: number, a: number): number {
  const first = x + 1 - a;
  return inverseFraction(first, (k) => [k * (a - k), first + 2 * k]);
}

/** Returns the log tails of the gamma distribution with shape a and scale 1 at x > 0. The density is that of ln x. */
export function gammaTails(x: number, a: number): LogTails {
  const density = logGammaDensity(x, a);
  const isLower = x < a + 1;
  return bothTails(density + Math.log(isLower ? lowerSeries(x, a) : upperFraction(x, a)), isLower, density);
}

/** Returns the natural logarithm of P(X > x) for X ~ chi-square with df degrees of freedom and x > 0. */
export function chiSquareLogSf(x: number, df: number): number {
  return x <= 0 ? 0 : gammaTails(x / 2, df / 2).upper;
}

/**
 * Returns the log tails of the gamma distribution at e^u. If e^u underflows, only the first term of its series remains.
 */
function logGammaTails(u: number, a: number): LogTails {
  if (u > -700) return gammaTails(Math.exp(u), a);
  const density = a * u - logGamma(a);
  return bothTails(density - Math.log(a), true, density);
}

/** Returns the point below (or above) which a chi-square variable lies with the probability p in (0, 1). */
export function chiSquarePoint(tail: "lower" | "upper", p: number, df: number): number {
  return 2 * Math.exp(invertTail(tail, p, Math.log(df / 2), (u) => logGammaTails(u, df / 2), 3));
}

/**
 * Returns P(X <= x) for X ~ chi-square with df degrees of freedom.
 *
 * Source: regularised incomplete gamma function, NIST DLMF 8.2.
 *
 * @throws RangeError unless df is positive and finite and x is a number.
 */
export function chiSquareCdf(x: number, df: number): number {
  positive("df", df);
  between("x", x, -Infinity, Infinity);
  if (x === Infinity) return 1;
  return x <= 0 ? 0 : Math.exp(gammaTails(x / 2, df / 2).lower);
}

/**
 * Returns P(X > x) for X ~ chi-square with df degrees of freedom, computed without cancellation.
 *
 * Source: regularised incomplete gamma function, NIST DLMF 8.2.
 *
 * @throws RangeError unless df is positive and finite and x is a number.
 */
export function chiSquareSf(x: number, df: number): number {
  positive("df", df);
  between("x", x, -Infinity, Infinity);
  return x === Infinity ? 0 : Math.exp(chiSquareLogSf(x, df));
}

/**
 * Returns the x with P(X <= x) = p for X ~ chi-square with df degrees of freedom.
 *
 * @throws RangeError unless p lies in [0, 1] and df is positive and finite.
 */
export function chiSquareQuantile(p: number, df: number): number {
  positive("df", df);
  return quantileBy(p, 0, Infinity, (tail, q) => chiSquarePoint(tail, q, df));
}
