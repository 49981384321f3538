import { type Interval, normalQuantile, wilsonInterval } from "@assay/core/stats";

/** The error of a single finding: one finding in a thousand contradicts a correct engine. */
const MONTE_CARLO_ALPHA = 0.001;

/**
 * The theoretical value or range of a simulated value. `equals` is a value; `atMost`, `atLeast` and `within` are
 * ranges. `notAbove` is a rate that may lie at its limit, so it allows up to three standard errors above.
 */
export type Bound =
  | { kind: "equals"; value: number }
  | { kind: "atMost"; value: number }
  | { kind: "notAbove"; value: number }
  | { kind: "atLeast"; value: number }
  | { kind: "within"; lower: number; upper: number };

/** A simulated value with its Monte Carlo interval, and its bound. */
export interface Finding {
  claim: string;
  value: number;
  interval: Interval;
  bound: Bound;
  simulations: number;
}

/** Returns the finding of a rate, `hits` of `simulations`, with Wilson's interval. */
export function rateFinding(claim: string, hits: number, simulations: number, bound: Bound): Finding {
  const interval = wilsonInterval({ successes: hits, n: simulations }, { alpha: MONTE_CARLO_ALPHA });
  return { claim, value: hits / simulations, interval: interval ?? [0, 1], bound, simulations };
}

/** Returns the finding of a rate that was computed by enumeration, without Monte Carlo error. */
export function exactFinding(claim: string, value: number, bound: Bound): Finding {
  return { claim, value, interval: [value, value], bound, simulations: Infinity };
}

/** Returns a rate plus three standard errors of this many simulations. */
function limitOf(rate: number, simulations: number): number {
  return rate + 3 * Math.sqrt((rate * (1 - rate)) / simulations);
}

/** Returns the finding of an estimate with a known Monte Carlo standard error. */
export function estimateFinding(
  claim: string,
  value: number,
  standardError: number,
  simulations: number,
  bound: Bound,
): Finding {
  const half = -normalQuantile(MONTE_CARLO_ALPHA / 2) * standardError;
  return { claim, value, interval: [value - half, value + half], bound, simulations };
}

/** Returns the values that a bound allows. */
export function rangeOf(bound: Bound): Interval {
  switch (bound.kind) {
    case "equals":
      return [bound.value, bound.value];
    case "atMost":
    case "notAbove":
      return [-Infinity, bound.value];
    case "atLeast":
      return [bound.value, Infinity];
    case "within":
      return [bound.lower, bound.upper];
  }
}

/** Returns whether the Monte Carlo interval overlaps the bound. If not, that is evidence against the engine. */
export function isConsistent({ bound, interval }: Finding): boolean {
  const [lower, upper] = rangeOf(bound);
  return interval[0] <= upper && interval[1] >= lower;
}

/**
 * Returns whether the whole Monte Carlo interval lies within the bound. For a value, returns whether the interval
 * contains it.
 */
export function isProven(finding: Finding): boolean {
  if (finding.bound.kind === "equals") return isConsistent(finding);
  if (finding.bound.kind === "notAbove") return finding.value <= limitOf(finding.bound.value, finding.simulations);
  const [lower, upper] = rangeOf(finding.bound);
  return finding.interval[0] >= lower && finding.interval[1] <= upper;
}
