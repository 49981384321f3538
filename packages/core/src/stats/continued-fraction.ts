/** The number of terms after which a sum or fraction ends even without convergence. */
export const MAX_STEPS = 200_000;

/**
 * Returns 1 / (b0 + a1 / (b1 + a2 / (b2 + ...))) from b0 and the terms [a_k, b_k].
 *
 * Source: Lentz's method, Thompson and Barnett, Journal of Computational Physics 64 (1986).
 */
export function inverseFraction(
  first: number,
  term: (k: number) => readonly [numerator: number, denominator: number],
): number {
  let value = first || 1e-300;
  let c = value;
  let d = 0;
  for (let k = 1; k < MAX_STEPS; k++) {
    const [numerator, denominator] = term(k);
    d = 1 / (denominator + numerator * d || 1e-300);
    c = denominator + numerator / c || 1e-300;
    const change = c * d;
    value *= change;
    if (Math.abs(change - 1) < 2e-16) break;
  }
  return 1 / value;
}
