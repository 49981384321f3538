const ORDER = 16;

/**
 * Returns the nodes and weights of Gauss-Legendre quadrature on [-1, 1], by Newton's method on the Legendre polynomial.
 */
function legendre(): { nodes: number[]; weights: number[] } {
  const nodes: number[] = [];
  const weights: number[] = [];
  for (let i = 1; i <= ORDER; i++) {
    let x = -Math.cos((Math.PI * (i - 0.25)) / (ORDER + 0.5));
    let slope = 1;
    for (let step = 0; step < 6; step++) {
      let [before, value] = [1, x];
      for (let k = 2; k <= ORDER; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
      slope = (ORDER * (x * value - before)) / (x * x - 1);
      x -= value / slope;
    }
    nodes.push(x);
    weights.push(2 / ((1 - x * x) * slope * slope));
  }
  return { nodes, weights };
}

let rule: ReturnType<typeof legendre> | undefined;

/** Returns the nodes and weights of a composite quadrature: 16 Gauss-Legendre nodes between neighbouring points. */
export function panels(points: readonly number[]): { nodes: number[]; weights: number[] } {
  rule ??= legendre();
  const nodes: number[] = [];
  const weights: number[] = [];
  const sorted = [...points].sort((a, b) => a - b);
  for (let i = 1; i < sorted.length; i++) {
    const middle = (sorted[i]! + sorted[i - 1]!) / 2;
    const half = (sorted[i]! - sorted[i - 1]!) / 2;
    if (!(half > 0)) continue;
    for (let k = 0; k < ORDER; k++) {
      nodes.push(middle + half * rule.nodes[k]!);
      weights.push(half * rule.weights[k]!);
    }
  }
  return { nodes, weights };
}

/** Returns the integral of `f` from the least to the greatest of the points. Put points where `f` changes its shape. */
export function integrate(points: readonly number[], f: (x: number) => number): number {
  const { nodes, weights } = panels(points);
  let sum = 0;
  for (let i = 0; i < nodes.length; i++) sum += weights[i]! * f(nodes[i]!);
  return sum;
}

/** Tail probabilities whose quantiles divide a distribution into panels of one to two standard deviations. */
export const PANEL_TAILS = [1e-16, 1e-11, 1e-7, 1e-4, 0.01, 0.1, 0.3];

/**
 * Returns a root of `f` between `low` and `high`, where `f` changes sign. Without a change of sign, returns the end
 * where `f` is nearer to zero.
 *
 * Source: T. R. Chandrupatla, Advances in Engineering Software 28 (1997).
 */
export function findRoot(low: number, high: number, f: (x: number) => number): number {
  let [a, b] = [high, low];
  let [fa, fb] = [f(a), f(b)];
  if (fa > 0 === fb > 0) return Math.abs(fa) < Math.abs(fb) ? a : b;
  let [c, fc] = [a, fa];
  let share = 0.5;
  for (let i = 0; i < 100; i++) {
    const x = a + share * (b - a);
    const fx = f(x);
    if (fx > 0 === fa > 0) [c, fc] = [a, fa];
    else [c, b, fc, fb] = [b, a, fb, fa];
    [a, fa] = [x, fx];
    const best = Math.abs(fa) < Math.abs(fb) ? a : b;
    const least = (2e-16 * Math.abs(best) + 1e-300) / Math.abs(b - a);
    if (least > 0.5 || fa === 0) return best;
    const xi = (a - b) / (c - b);
    const phi = (fa - fb) / (fc - fb);
    const inverse = phi ** 2 < xi && (1 - phi) ** 2 < 1 - xi;
    share = inverse
      ? (fa / (fb - fa)) * (fc / (fb - fc)) + ((c - a) / (b - a)) * (fa / (fc - fa)) * (fb / (fc - fb))
      : 0.5;
    share = Math.min(1 - least, Math.max(least, share));
  }
  return a;
}

/**
 * Returns the root of an increasing `f` between `low` and `high`, by Newton's method from `start`. Halves the bracket
 * where Newton's steps leave it or do not become shorter. Ends with a step of at most `least`. `f` returns its value and
 * its slope.
 */
export function findRootBySlope(
  low: number,
  high: number,
  start: number,
  least: number,
  f: (x: number) => readonly [value: number, slope: number],
): number {
  let x = start;
  let before = Infinity;
  for (let i = 0; i < 200; i++) {
    const [value, slope] = f(x);
    if (value > 0) high = x;
    else low = x;
    const newton = x - value / slope;
    const step = Math.abs(newton - x);
    // Beside a pole, the slope is so steep that a step is short although the root is far.
    const isNear = step > least ? step < before / 2 : Math.abs(value) < 1e-12;
    const next = isNear && newton > low && newton < high ? newton : (low + high) / 2;
    before = Math.abs(next - x);
    x = next;
    if (!(before > least)) break;
  }
  return x;
}
