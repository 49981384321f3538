import { normalDensity, normalQuantile, normalSf } from "../normal.ts";
import { between, checkAlpha, positive } from "../range.ts";
import { invertTail } from "../tails.ts";
import { FARTHEST, grid } from "./grid.ts";

/** Spending functions of alpha over the information fraction; `obrien_fleming` spends alpha / 2 on each side. */
export type SpendingFunction = "obrien_fleming" | "obrien_fleming_total" | "pocock" | "power" | "hsd";

/** One planned look; `zBoundary` is `null` if too little alpha is spent (below 1e-300) to stop at all. */
export interface SpendingLook {
  look: number;
  /** The share of the planned sample size up to which alpha is spent. */
  informationFraction: number;
  /**
   * The information at the look, as a share of the planned information. It differs from `informationFraction` at a look
   * past the plan.
   */
  information: number;
  cumulativeAlpha: number;
  incrementalAlpha: number;
  zBoundary: number | null;
  /** Two-sided p-value of a fixed test at the boundary. */
  nominalPValue: number;
}

/** Looks that are closer than about 0.0001 (less a rounding error) would need ever finer grids. */
const MIN_STEP = 9.999e-5;

/**
 * Returns the two-sided alpha that is spent up to an information fraction in (0, 1].
 *
 * `parameter` is the exponent of `power` (3 by default) or the gamma of `hsd` (-4 by default).
 *
 * Source: Lan and DeMets, Biometrika 70 (1983); Kim and DeMets (1987); Hwang, Shih and DeCani (1990).
 *
 * @throws RangeError if the function is unknown, or the fraction lies outside (0, 1] or alpha outside (0, 1).
 */
export function spentAlpha(
  spending: SpendingFunction,
  informationFraction: number,
  { alpha = 0.05, parameter }: { alpha?: number; parameter?: number } = {},
): number {
  checkAlpha(alpha);
  const t = informationFraction;
  positive("informationFraction", between("informationFraction", t, 0, 1));
  const gamma = parameter ?? -4;
  switch (spending) {
    case "obrien_fleming":
      return 4 * normalSf(-normalQuantile(alpha / 4) / Math.sqrt(t));
    case "obrien_fleming_total":
      return 2 * normalSf(-normalQuantile(alpha / 2) / Math.sqrt(t));
    case "pocock":
      return alpha * Math.log1p((Math.E - 1) * t);
    case "power":
      return alpha * t ** (parameter ?? 3);
    case "hsd":
      return gamma === 0 ? alpha * t : (alpha * Math.expm1(-gamma * t)) / Math.expm1(-gamma);
    default:
      throw new RangeError(`unknown spending function ${String(spending)}`);
  }
}

/** The non-negative half of the score's distribution between looks: nodes and their probabilities. */
interface Continuation {
  nodes: number[];
  masses: number[];
}

/** Returns the density at x of the score after one more step of standard deviation `step`. */
function density({ nodes, masses }: Continuation, x: number, step: number): number {
  let sum = 0;
  for (let j = 0; j < nodes.length; j++) {
    const near = (x - nodes[j]!) / step;
    if (Math.abs(near) > FARTHEST) continue;
    // The score is symmetric about 0, so each node also represents its mirror image.
    sum += masses[j]! * (normalDensity(near) + normalDensity((x + nodes[j]!) / step));
  }
  return sum / step;
}

/** Returns the probability that the score passes `bound` upwards in one more step. */
function passing({ nodes, masses }: Continuation, bound: number, step: number): number {
  let sum = 0;
  for (let j = 0; j < nodes.length; j++) {
    sum += masses[j]! * (normalSf((bound - nodes[j]!) / step) + normalSf((bound + nodes[j]!) / step));
  }
  return sum;
}

/** Options of group-sequential boundaries. */
export interface SpendingOptions {
  /** Two-sided level of all looks together; 0.05 by default. */
  alpha?: number;
  /** The exponent of `power` (3 by default) or the gamma of `hsd` (-4 by default). */
  parameter?: number;
  /**
   * The information at each look, in the unit of the fractions; it rises from look to look. Pass it if it is not
   * proportional to the fractions that alpha is spent by: the last look, which spends all alpha, may come after more
   * users than planned.
   */
  information?: readonly number[];
}

/**
 * Returns the two-sided symmetric boundaries of a group-sequential test that spends alpha as planned.
 *
 * `informationFractions` are the shares of the planned sample size at the looks. They rise within (0, 1] by at least
 * 0.0001. The looks need not have been planned if their times do not depend on the results.
 *
 * Source: Lan and DeMets, Biometrika 70 (1983); recursion of Armitage, McPherson and Rowe, JRSS A 132 (1969).
 *
 * @throws RangeError if the fractions do not rise within (0, 1], there are more than 100 looks, or alpha lies outside
 * (0, 1).
 */
export function spendingSchedule(
  spending: SpendingFunction,
  informationFractions: readonly number[],
  options: SpendingOptions = {},
): SpendingLook[] {
  return [...spendingLooks(spending, informationFractions, options)];
}

/**
 * Yields the looks of {@link spendingSchedule} one by one: each takes milliseconds, and a hundred some tenths of a
 * second.
 *
 * @throws RangeError as `spendingSchedule`, when it reaches the look that is wrong.
 */
export function* spendingLooks(
  spending: SpendingFunction,
  informationFractions: readonly number[],
  { alpha = 0.05, parameter, information = informationFractions }: SpendingOptions = {},
): Generator<SpendingLook, void> {
  between("looks", informationFractions.length, 0, 100);
  let state: Continuation = { nodes: [0], masses: [0.5] };
  let before = { fraction: 0, information: 0, alpha: 0, bound: 0 };
  for (const [i, fraction] of informationFractions.entries()) {
    const own = information[i] ?? Number.NaN;
    between("the rise of informationFractions", fraction - before.fraction, MIN_STEP, 1);
    between("the rise of information", own - before.information, MIN_STEP, Number.MAX_VALUE);
    const cumulativeAlpha = spentAlpha(spending, fraction, { alpha, parameter });
    const incrementalAlpha = cumulativeAlpha - before.alpha;
    const step = Math.sqrt(own - before.information);
    const scale = Math.sqrt(own);
    let bound = FARTHEST * scale;
    let zBoundary: number | null = null;
    if (incrementalAlpha > 1e-300) {
      const side = incrementalAlpha / 2;
      // A start beyond the boundary: from there, Newton's method on the log of a log-concave tail cannot overshoot.
      const z = -normalQuantile(side);
      bound = invertTail("upper", side, Math.min(z * scale, before.bound + z * step), (b) => ({
        lower: 0,
        upper: Math.log(passing(state, b, step)),
        density: Math.log(density(state, b, step)),
      }));
      zBoundary = bound / scale;
    }
    const next = (information[i + 1] ?? own + 1) - own;
    const { nodes, weights } = grid(0, bound, 4 * Math.min(step, Math.sqrt(Math.max(next, MIN_STEP))));
    const last = i === informationFractions.length - 1;
    if (!last) state = { nodes, masses: nodes.map((x, k) => weights[k]! * density(state, x, step)) };
    before = { fraction, information: own, alpha: cumulativeAlpha, bound };
    yield {
      look: i + 1,
      informationFraction: fraction,
      information: own,
      cumulativeAlpha,
      incrementalAlpha,
      zBoundary,
      nominalPValue: zBoundary === null ? 0 : 2 * normalSf(zBoundary),
    };
  }
}
