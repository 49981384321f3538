import { betaLogit, betaTails } from "./beta.ts";
import { between, positive } from "./range.ts";
import { quantileBy } from "./tails.ts";

function check(df1: number, df2: number): void {
  positive("df1", df1);
  positive("df2", df2);
}

function tailAt(tail: "lower" | "upper", x: number, df1: number, df2: number): number {
  check(df1, df2);
  const ratio = (df1 / df2) * Math.max(between("x", x, -Infinity, Infinity), 0);
  const y = 1 / (1 + ratio);
  return Math.exp(betaTails(ratio > 1 ? 1 - y : ratio * y, y, df1 / 2, df2 / 2)[tail]);
}

/**
 * Returns P(X <= x) for X ~ F(df1, df2).
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.6.2.
 *
 * @throws RangeError unless both degrees of freedom are positive and finite and x is a number.
 */
export function fCdf(x: number, df1: number, df2: number): number {
  return tailAt("lower", x, df1, df2);
}

/**
 * Returns P(X > x) for X ~ F(df1, df2), computed without cancellation.
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.6.2.
 *
 * @throws RangeError unless both degrees of freedom are positive and finite and x is a number.
 */
export function fSf(x: number, df1: number, df2: number): number {
  return tailAt("upper", x, df1, df2);
}

/**
 * Returns the x with P(X <= x) = p for X ~ F(df1, df2).
 *
 * @throws RangeError unless p lies in [0, 1] and both degrees of freedom are positive and finite.
 */
export function fQuantile(p: number, df1: number, df2: number): number {
  check(df1, df2);
  return quantileBy(p, 0, Infinity, (tail, q) => (df2 / df1) * Math.exp(betaLogit(tail, q, df1 / 2, df2 / 2)));
}
