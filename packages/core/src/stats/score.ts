import type { Interval } from "./comparison.ts";
import { findRoot } from "./quadrature.ts";

/** The users of an arm, and how many of them converted. Both may be fractions. */
interface Arm {
  successes: number;
  n: number;
}

/** The quantity that a score compares: the difference of two rates, or their ratio. */
export type Contrast = "difference" | "ratio";

/** The score of one value of the contrast. */
export interface Score {
  z: number;
  /** That of the difference of the rates; for ratios, after the rate of the better arm is divided by the ratio. */
  variance: number;
}

/**
 * Returns the most likely rates if the difference of two rates is `theta`, by the smallest root of a cubic.
 *
 * Source: Farrington and Manning, Statistics in Medicine 9 (1990).
 */
function ratesByDifference(control: Arm, treatment: Arm, theta: number): [control: number, treatment: number] {
  const n = control.n + treatment.n;
  const successes = control.successes + treatment.successes;
  // The cubic would lose digits here.
  if (theta === 0) return [successes / n, successes / n];
  const square = ((treatment.n + 2 * control.n) * theta - n - successes) / (3 * n);
  const linear = ((control.n * theta - n - 2 * control.successes) * theta + successes) / n;
  const constant = (control.successes * theta * (1 - theta)) / n;
  const turn = square ** 3 - (linear * square) / 2 + constant / 2;
  const size = Math.sign(turn || 1) * Math.sqrt(Math.max(0, square * square - linear / 3));
  const angle = size === 0 ? 0 : Math.acos(Math.min(1, Math.max(-1, turn / size ** 3)));
  const root = 2 * size * Math.cos((Math.PI + angle) / 3) - square;
  const rate = Math.min(Math.max(root, 0, -theta), 1, 1 - theta);
  return [rate, rate + theta];
}

/**
 * Returns the most likely rates if their ratio is `theta`, by the smaller root of a quadratic.
 *
 * Source: P. A. R. Koopman, Biometrics 40 (1984).
 */
export function ratesByRatio(control: Arm, treatment: Arm, theta: number): [control: number, treatment: number] {
  const successes = control.successes + treatment.successes;
  if (successes === 0) return [0, 0];
  const b = treatment.n * theta + treatment.successes + control.n + control.successes * theta;
  const root = Math.sqrt(Math.max(0, b * b - 4 * (control.n + treatment.n) * theta * successes));
  const rate = Math.min(1, (2 * successes) / (b + root));
  return [rate, Math.min(1, rate * theta)];
}

/**
 * Returns the skewness-corrected score of two rates at a value `theta` of the contrast. It is positive if the treatment
 * is better.
 *
 * `continuity` is the share of the continuity correction: with 1 the test is as strict as Fisher's, with 0 there is no
 * correction. Without variance z is 0 if the data agree with `theta`, otherwise infinite.
 *
 * Source: Gart and Nam, Biometrics 46 (1990); Laud, Pharmaceutical Statistics 16 (2017).
 */
export function score(control: Arm, treatment: Arm, contrast: Contrast, theta: number, continuity: number): Score {
  const isRatio = contrast === "ratio";
  const r = isRatio ? theta : 1;
  const [c, t] = (isRatio ? ratesByRatio : ratesByDifference)(control, treatment, theta);
  const seen = treatment.successes / treatment.n - r * (control.successes / control.n) - (isRatio ? 0 : theta);
  const step = (continuity * (1 / treatment.n + r / control.n)) / 2;
  const excess = Math.sign(seen) * Math.max(0, Math.abs(seen) - step);
  const n = control.n + treatment.n;
  const [vt, vc] = [(t * (1 - t)) / treatment.n, (r * r * c * (1 - c)) / control.n];
  const variance = ((vt + vc) * n) / (n - 1);
  if (!(variance > 0)) return { z: Math.abs(excess) < 1e-15 ? 0 : excess * Infinity, variance: 0 };
  const skewed = (vt * (1 - 2 * t)) / treatment.n - (r * vc * (1 - 2 * c)) / control.n;
  const a = skewed / (6 * variance * Math.sqrt(variance));
  const u = excess / Math.sqrt(variance);
  const inner = 1 + 4 * a * (a + u);
  return {
    z: inner < 0 ? -1 / (2 * a) : (2 * (a + u)) / (1 + Math.sqrt(inner)),
    variance: variance / Math.max(1, r * r),
  };
}

/** Beyond this a score only has a sign, so that a search can go on from an infinite score. */
const MAX_DISTANCE = 1e6;

/**
 * Returns the interval of the values of the contrast whose score is not extreme. `distance` is negative inside the
 * interval.
 *
 * The upper end of a ratio is `Infinity` if the control has no successes.
 */
export function scoreInterval(
  control: Arm,
  treatment: Arm,
  contrast: Contrast,
  continuity: number,
  distance: (score: Score) => number,
): Interval {
  const at = (theta: number, side: 1 | -1) => {
    const own = score(control, treatment, contrast, theta, continuity);
    // On the other side of the estimate a score is never extreme.
    const value = own.z * side > 0 ? distance(own) : -1;
    return Math.min(MAX_DISTANCE, Math.max(-MAX_DISTANCE, value));
  };
  const [pc, pt] = [control.successes / control.n, treatment.successes / treatment.n];
  if (contrast === "difference") {
    const d = pt - pc;
    return [end(-1, d, (theta) => at(theta, 1)), end(1, d, (theta) => at(theta, -1))];
  }
  // The search covers ratios from 0 to infinity as x / (1 - x).
  const ratio = (x: number) => x / (1 - x);
  const x = pt / (pt + pc);
  const lower = pt === 0 ? 0 : ratio(end(0, x, (s) => at(ratio(s), 1)));
  return [lower, pc === 0 ? Infinity : ratio(end(1, x, (s) => (s === 1 ? MAX_DISTANCE : at(ratio(s), -1))))];
}

/** Returns where the distance changes its sign between an outer bound and the estimate; the bound if it does not. */
function end(bound: number, estimate: number, distance: (theta: number) => number): number {
  return distance(bound) <= 0 ? bound : findRoot(bound, estimate, distance);
}
