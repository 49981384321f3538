import { chiSquarePoint, gammaTails } from "../chi-square.ts";
import { normalSf } from "../normal.ts";
import { integrate, PANEL_TAILS } from "../quadrature.ts";
import { checkAlpha, positive } from "../range.ts";
import { tQuantile } from "../student-t.ts";

/**
 * Returns the power of a two-sided t-test with `df` degrees of freedom at level alpha, given its noncentrality (effect
 * / standard error).
 *
 * Source: noncentral t as a mixture over the chi-square of the variance, Johnson, Kotz and Balakrishnan (1995), 31.
 *
 * @throws RangeError unless df is positive and alpha lies strictly between 0 and 1.
 */
export function tTestPower(df: number, noncentrality: number, { alpha = 0.05 }: { alpha?: number } = {}): number {
  positive("df", df);
  checkAlpha(alpha);
  const critical = -tQuantile(alpha / 2, df);
  const points = PANEL_TAILS.flatMap((p) => [chiSquarePoint("lower", p, df), chiSquarePoint("upper", p, df)]);
  return integrate(
    points.map((x) => Math.log(x / 2)),
    (u) => {
      const half = Math.exp(u);
      const bound = critical * Math.sqrt((2 * half) / df);
      return (
        Math.exp(gammaTails(half, df / 2).density) * (normalSf(bound - noncentrality) + normalSf(bound + noncentrality))
      );
    },
  );
}
