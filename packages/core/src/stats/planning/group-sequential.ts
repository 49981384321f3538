import { normalDensity, normalQuantile, normalSf } from "../normal.ts";
import { findRoot } from "../quadrature.ts";
import { checkAlpha, positive, strictlyBetween } from "../range.ts";
import { type SpendingFunction, type SpendingLook, type SpendingOptions, spendingSchedule } from "./alpha-spending.ts";
import { FARTHEST, grid } from "./grid.ts";

/**
 * A look of a group-sequential test: its information, and the boundary of |z|; `null` if the test cannot stop there.
 */
export type GroupSequentialLook = Pick<SpendingLook, "information" | "zBoundary">;

/** One look of the test: probabilities over the paths that have not stopped before. */
interface Step {
  /** The probability of stopping at the upper boundary, and at the lower one. */
  above: number;
  below: number;
  /** Returns the probability that z is at least `z`. */
  atLeast(z: number): number;
}

/**
 * Walks through the looks of a test where z has the mean `drift` times the root of the information.
 *
 * Source: Armitage, McPherson and Rowe, JRSS A 132 (1969).
 */
function* walk(looks: readonly GroupSequentialLook[], drift: number): Generator<Step, void> {
  let state = { nodes: [0], masses: [1] };
  let before = 0;
  for (const [i, { information, zBoundary }] of looks.entries()) {
    const rise = positive("the rise of information", information - before);
    const [step, scale, mean] = [Math.sqrt(rise), Math.sqrt(information), drift * rise];
    const { nodes, masses } = state;
    const sum = (term: (distance: number) => number, x: number) =>
      nodes.reduce((total, node, j) => total + masses[j]! * term((x - node - mean) / step), 0);
    const atLeast = (z: number) => sum(normalSf, z * scale);
    const z = zBoundary ?? FARTHEST;
    yield { above: atLeast(z), below: sum((distance) => normalSf(-distance), -z * scale), atLeast };
    const next = (looks[i + 1]?.information ?? information + rise) - information;
    const cells = grid(-z * scale, z * scale, 4 * Math.sqrt(Math.min(rise, next)));
    const after = cells.nodes.map((x, j) => (cells.weights[j]! * sum(normalDensity, x)) / step);
    state = { nodes: cells.nodes, masses: after };
    before = information;
  }
}

/** The power of a group-sequential test. */
export interface GroupSequentialPower {
  /** The probability of stopping at or before the last look. */
  power: number;
  /** The probability of stopping at each look. */
  stopping: number[];
  /** Mean information when the test stops, in the unit of the looks. */
  expectedInformation: number;
}

/**
 * Yields the probability of stopping at each look, one by one: each takes milliseconds.
 *
 * @throws RangeError as `groupSequentialPower`, when it reaches the look that is wrong.
 */
export function* groupSequentialStops(looks: readonly GroupSequentialLook[], drift: number): Generator<number, void> {
  for (const { above, below } of walk(looks, drift)) yield above + below;
}

/**
 * Returns the power of a group-sequential test, and the information that it takes on average.
 *
 * `drift` is the mean of z at information 1: the effect divided by its standard error there.
 *
 * Source: Jennison and Turnbull, Group Sequential Methods (2000), 2 and 19.
 *
 * @throws RangeError unless the information of the looks rises.
 */
export function groupSequentialPower(looks: readonly GroupSequentialLook[], drift: number): GroupSequentialPower {
  const stopping = [...groupSequentialStops(looks, drift)];
  const power = stopping.reduce((sum, p) => sum + p, 0);
  const last = looks.at(-1)?.information ?? 0;
  const spent = stopping.reduce((sum, p, i) => sum + p * looks[i]!.information, 0);
  return { power, stopping, expectedInformation: spent + (1 - power) * last };
}

/**
 * Returns the maximum number of users of a group-sequential test, as a multiple of the users that a single look at
 * level alpha needs for the same power.
 *
 * @throws RangeError unless alpha and power lie strictly between 0 and 1 and the information of the looks rises.
 */
export function groupSequentialInflation(
  looks: readonly GroupSequentialLook[],
  { alpha = 0.05, power = 0.8 }: { alpha?: number; power?: number } = {},
): number {
  checkAlpha(alpha);
  strictlyBetween("power", power, alpha, 1);
  const last = looks.at(-1)?.information ?? 1;
  const fixed = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  const drift = findRoot(0, 4 * fixed, (x) => groupSequentialPower(looks, x / Math.sqrt(last)).power - power);
  return (drift / fixed) ** 2;
}

/** The estimate of the effect after a group-sequential test, in units of the standard error. */
export interface StagewiseEstimate {
  /**
   * The median-unbiased estimate: it is too high as often as too low. The observed difference at the last look is
   * biased away from 0.
   */
  estimate: number;
  confidenceInterval: [number, number];
  /** The two-sided p-value. */
  pValue: number;
}

/**
 * Returns the estimate, interval and p-value after the last of the looks, where the test stopped or ended with `z`.
 *
 * The estimate orders outcomes by the look and the side of their stop (stagewise), so it needs no later looks.
 *
 * Source: Tsiatis, Rosner and Mehta, Biometrics 40 (1984); Jennison and Turnbull (2000), 8.4 and 8.5.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1, the error is positive and the information rises.
 */
export function stagewiseEstimate(
  looks: readonly GroupSequentialLook[],
  z: number,
  standardError: number,
  { alpha = 0.05 }: { alpha?: number } = {},
): StagewiseEstimate {
  checkAlpha(alpha);
  positive("standardError", standardError);
  const scale = Math.sqrt(positive("information", looks.at(-1)?.information ?? Number.NaN));
  /** Returns the probability of an outcome at least as high, if the effect is `shift` standard errors. */
  const upper = (shift: number) => {
    const steps = [...walk(looks, shift / scale)];
    return steps.reduce((sum, { above }, i) => sum + (i < steps.length - 1 ? above : 0), steps.at(-1)!.atLeast(z));
  };
  const effectAt = (probability: number) => {
    let width = 8;
    // If the test stops long after the first look, the interval is wide.
    while (width < 1e3 && (upper(z - width) > probability || upper(z + width) < probability)) width *= 2;
    return standardError * findRoot(z - width, z + width, (shift) => upper(shift) - probability);
  };
  const one = upper(0);
  return {
    estimate: effectAt(0.5),
    confidenceInterval: [effectAt(alpha / 2), effectAt(1 - alpha / 2)],
    pValue: Math.min(1, 2 * Math.min(one, 1 - one)),
  };
}

/**
 * Returns the least level at which the looks so far would have crossed the boundary that spends this level; at most 1.
 *
 * The p-value falls below alpha at the first look beyond a boundary at alpha. Holm's method may adjust it for several
 * hypotheses.
 *
 * Source: Liu and Anderson, JASA 103 (2008); Maurer and Bretz, Statistics in Biopharmaceutical Research 5 (2013).
 *
 * @throws RangeError as `spendingSchedule`.
 */
export function groupSequentialPValue(
  spending: SpendingFunction,
  informationFractions: readonly number[],
  z: readonly number[],
  options: Omit<SpendingOptions, "alpha"> = {},
): number {
  const beyond = (logAlpha: number) => {
    const looks = spendingSchedule(spending, informationFractions, { ...options, alpha: Math.exp(logAlpha) });
    return Math.max(...looks.map(({ zBoundary }, i) => Math.abs(z[i] ?? 0) - (zBoundary ?? FARTHEST)));
  };
  const most = Math.log1p(-1e-9);
  if (z.length === 0 || beyond(most) <= 0) return 1;
  const least = Math.log(2 * normalSf(Math.max(...z.map(Math.abs)))) - 1e-9;
  if (!(least > -680)) return 0;
  return Math.exp(findRoot(least, most, beyond));
}
