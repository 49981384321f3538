import { betaLogit, betaTails } from "./beta.ts";
import { between, positive } from "./range.ts";
import type { LogTails } from "./tails.ts";

function tailsAt(x: number, df1: number, df2: number): LogTails {
  const ratio = (df1 / df2) * x;
  return betaTails(ratio / (1 + ratio), 1 / (1 + ratio), df1 / 2, df2 / 2);
}

function check(x: number, df1: number, df2: number): void {
  positive("df1", df1);
  positive("df2", df2);
  between("x", x, -Infinity, Infinity);
}

/**
 * P(X <= x) for X ~ F(df1, df2).
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.6.2.
 *
 * @throws RangeError unless both degrees of freedom are positive and finite and x is a number.
 */
export function fCdf(x: number, df1: number, df2: number): number {
  check(x, df1, df2);
  if (x === Infinity) return 1;
  return x <= 0 ? 0 : Math.exp(tailsAt(x, df1, df2).lower);
}

/**
 * P(X > x) for X ~ F(df1, df2), computed without cancellation.
 *
 * Source: incomplete beta function, Abramowitz and Stegun 26.6.2.
 *
 * @throws RangeError unless both degrees of freedom are positive and finite and x is a number.
 */
export function fSf(x: number, df1: number, df2: number): number {
  check(x, df1, df2);
  if (x === Infinity) return 0;
  return x <= 0 ? 1 : Math.exp(tailsAt(x, df1, df2).upper);
}

/**
 * The x with P(X <= x) = p for X ~ F(df1, df2).
 *
 * @throws RangeError unless p lies in [0, 1] and both degrees of freedom are positive and finite.
 */
export function fQuantile(p: number, df1: number, df2: number): number {
  check(0, df1, df2);
  between("p", p, 0, 1);
  if (p === 0 || p === 1) return p === 0 ? 0 : Infinity;
  const u = p <= 0.5 ? betaLogit("lower", p, df1 / 2, df2 / 2) : betaLogit("upper", 1 - p, df1 / 2, df2 / 2);
  return (df2 / df1) * Math.exp(u);
}
