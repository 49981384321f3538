import { betaLogit, betaTails, logitBetaTails } from "./beta.ts";
import { between, positive } from "./range.ts";
import { quantileBy } from "./tails.ts";

/** Returns P(|T| > |t|) for Student's t with df degrees of freedom. */
function outside(t: number, df: number): number {
  if (t === 0) return 1;
  if (Math.abs(t) === Infinity) return 0;
  const ratio = (t / df) * t;
  // If the square overflows or vanishes, its logarithm does not.
  if (ratio > 1e300 || ratio < 1e-300) {
    return Math.exp(logitBetaTails(Math.log(df) - 2 * Math.log(Math.abs(t)), df / 2, 0.5).lower);
  }
  return Math.exp(betaTails(1 / (1 + ratio), ratio / (1 + ratio), df / 2, 0.5).lower);
}

/**
 * Returns P(T > t) for Student's t with df degrees of freedom, computed without cancellation.
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.7.1.
 *
 * @throws RangeError unless df is positive and finite and t is a number.
 */
export function tSf(t: number, df: number): number {
  positive("df", df);
  between("t", t, -Infinity, Infinity);
  const half = outside(t, df) / 2;
  return t > 0 ? half : 1 - half;
}

/**
 * Returns P(T <= t) for Student's t with df degrees of freedom.
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.7.1.
 *
 * @throws RangeError unless df is positive and finite and t is a number.
 */
export function tCdf(t: number, df: number): number {
  return tSf(-t, df);
}

/**
 * Returns the t with P(T <= t) = p for Student's t with df degrees of freedom.
 *
 * @throws RangeError unless p lies in [0, 1] and df is positive and finite.
 */
export function tQuantile(p: number, df: number): number {
  positive("df", df);
  if (p === 0.5) return 0;
  return quantileBy(p, -Infinity, Infinity, (side, tail) => {
    // Towards the middle the other tail of the beta variable is the small one, and 1 - 2 tail is exact there.
    const u = tail < 0.25 ? betaLogit("lower", 2 * tail, df / 2, 0.5) : betaLogit("upper", 1 - 2 * tail, df / 2, 0.5);
    return (side === "lower" ? -1 : 1) * Math.sqrt(df) * Math.exp(-u / 2);
  });
}
