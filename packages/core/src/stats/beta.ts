import { inverseFraction } from "./continued-fraction.ts";
import { between, positive } from "./range.ts";
import { logBeta, logBetaDensity } from "./saddle-point.ts";
import { bothTails, invertTail, type LogTails, quantileBy } from "./tails.ts";

/**
 * Returns the incomplete beta function divided by its prefix x^a y^b / B(a, b), by continued fraction.
 *
 * Source: Didonato and Morris, ACM TOMS 18 (1992), BFRAC.
 */
function betaFraction(x: number, y: number, a: number, b: number): number {
  const excess = a * y - b * x;
  return inverseFraction((a * (excess + 1)) / (a + 1), (m) => {
    const s = a + 2 * m - 1;
    return [
      (((a + m - 1) * x) / s) * (((a + b + m - 1) * x) / s) * m * (b - m),
      m + (m * (b - m) * x) / s + ((a + m) * (excess + 1 + m * (1 + y))) / (s + 2),
    ];
  });
}

/** Returns the log tails of Beta(a, b) at x, given y = 1 - x as well. The density is that of the logit. */
export function betaTails(x: number, y: number, a: number, b: number): LogTails {
  const density = logBetaDensity(x, y, a, b);
  const isLower = x * (a + b + 2) < a + 1;
  // At an end the density is undefined, and the continued fraction may be too.
  if (density === -Infinity) return bothTails(density, isLower, density);
  const fraction = isLower ? betaFraction(x, y, a, b) : betaFraction(y, x, b, a);
  return bothTails(density + Math.log(fraction), isLower, density);
}

/** Returns the log tails of Beta(a, b) at the point whose logit is u. The density is that of the logit. */
export function logitBetaTails(u: number, a: number, b: number): LogTails {
  // Where x or y would underflow, only the first term of its power series remains.
  if (Math.abs(u) > 700) {
    const shape = u < 0 ? a : b;
    const density = -shape * Math.abs(u) - logBeta(a, b);
    return bothTails(density - Math.log(shape), u < 0, density);
  }
  const e = Math.exp(-Math.abs(u));
  const small = e / (1 + e);
  const large = 1 / (1 + e);
  return u < 0 ? betaTails(small, large, a, b) : betaTails(large, small, a, b);
}

/**
 * Returns the logit of the point below (or above) which a Beta(a, b) variable lies with the probability p in (0, 1).
 */
export function betaLogit(tail: "lower" | "upper", p: number, a: number, b: number): number {
  return invertTail(tail, p, Math.log(a / b), (u) => logitBetaTails(u, a, b));
}

function tailAt(tail: "lower" | "upper", x: number, a: number, b: number): number {
  positive("a", a);
  positive("b", b);
  const clamped = Math.min(Math.max(between("x", x, -Infinity, Infinity), 0), 1);
  return Math.exp(betaTails(clamped, 1 - clamped, a, b)[tail]);
}

/**
 * Returns P(X <= x) for X ~ Beta(a, b).
 *
 * Source: incomplete beta function, NIST DLMF 8.17.
 *
 * @throws RangeError unless a and b are positive and finite and x is a number.
 */
export function betaCdf(x: number, a: number, b: number): number {
  return tailAt("lower", x, a, b);
}

/**
 * Returns P(X > x) for X ~ Beta(a, b), computed without cancellation.
 *
 * Source: incomplete beta function, NIST DLMF 8.17.
 *
 * @throws RangeError unless a and b are positive and finite and x is a number.
 */
export function betaSf(x: number, a: number, b: number): number {
  return tailAt("upper", x, a, b);
}

/**
 * Returns the x with P(X <= x) = p for X ~ Beta(a, b).
 *
 * @throws RangeError unless p lies in [0, 1] and a and b are positive and finite.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  positive("a", a);
  positive("b", b);
  return quantileBy(p, 0, 1, (tail, q) => 1 / (1 + Math.exp(-betaLogit(tail, q, a, b))));
}
