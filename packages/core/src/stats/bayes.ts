import type { Interval } from "./comparison.ts";

/** What a Bayesian comparison decides. */
export type BayesianDecision = "ROPE_ACCEPT" | "ACCEPT_ALTERNATIVE" | "ACCEPT_NULL" | "INCONCLUSIVE";

/** Options of a Bayesian comparison; the region of practical equivalence is in the metric's own units. */
export interface BayesianOptions {
  ropeLow?: number;
  ropeHigh?: number;
  /** Probability that a credible interval holds, 0.95 by default. */
  credibleLevel?: number;
  /** From here the Bayes factor decides, 10 by default. */
  minimumBayesFactor?: number;
}

/** Treatment minus control under both posteriors, and the evidence for any difference at all. */
export interface BayesianComparison {
  difference: { mean: number; credibleInterval: Interval; ropeProbability: number };
  /** P(treatment > control). */
  probabilityOfSuperiority: number;
  /** Natural logarithm of the Bayes factor of a difference against none. */
  logBayesFactor: number;
  /** The Bayes factor, between e^-700 and e^700. */
  bayesFactor: number;
  /** What choosing either arm is expected to lose, in the metric's own units. */
  expectedLoss: { control: number; treatment: number };
  decision: BayesianDecision;
}

/** A probability that quadrature may have left a rounding error outside [0, 1]. */
export function probability(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** A Bayes factor from its logarithm, clamped where a double would overflow or vanish. */
export function clampedBayesFactor(logBayesFactor: number): number {
  return Math.exp(Math.min(700, Math.max(-700, logBayesFactor)));
}

/**
 * The decision: equivalence first (interval within the region), then the Bayes factor for or against a difference.
 *
 * Source: J. K. Kruschke, Advances in Methods and Practices in Psychological Science 1 (2018); H. Jeffreys (1961).
 *
 * @throws RangeError unless ropeLow <= ropeHigh and the minimum is at least 1.
 */
export function bayesianDecision(
  [lower, upper]: Interval,
  logBayesFactor: number,
  { ropeLow, ropeHigh, minimumBayesFactor }: Required<Omit<BayesianOptions, "credibleLevel">>,
): BayesianDecision {
  if (!(ropeLow <= ropeHigh)) throw new RangeError(`ropeLow must not exceed ropeHigh, got ${ropeLow} and ${ropeHigh}`);
  if (!(minimumBayesFactor >= 1)) throw new RangeError(`minimumBayesFactor must be at least 1`);
  if (lower >= ropeLow && upper <= ropeHigh) return "ROPE_ACCEPT";
  if (logBayesFactor >= Math.log(minimumBayesFactor)) return "ACCEPT_ALTERNATIVE";
  if (logBayesFactor <= -Math.log(minimumBayesFactor)) return "ACCEPT_NULL";
  return "INCONCLUSIVE";
}
