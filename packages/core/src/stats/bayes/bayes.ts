import type { Interval } from "../comparison.ts";
import { between } from "../range.ts";
import { armProbabilities, type Posterior } from "./posterior.ts";

/** The decision of a Bayesian comparison. */
export type BayesianDecision = "ROPE_ACCEPT" | "ACCEPT_ALTERNATIVE" | "ACCEPT_NULL" | "INCONCLUSIVE";

/**
 * Options of a Bayesian comparison.
 *
 * The region of practical equivalence is in the metric's units. It is -0.01 to 0.01 by default for rates, and 0 for
 * means.
 */
export interface BayesianOptions {
  ropeLow?: number;
  ropeHigh?: number;
  /** The probability that the true value lies in a credible interval, 0.95 by default. */
  credibleLevel?: number;
  /** The Bayes factor needed for a decision, 10 by default. */
  minimumBayesFactor?: number;
}

/** Treatment minus control under both posteriors, and the evidence for any difference at all. */
export interface BayesianComparison {
  difference: { mean: number; credibleInterval: Interval; ropeProbability: number };
  /** P(treatment > control). */
  probabilityOfSuperiority: number;
  /** Natural logarithm of the Bayes factor: the evidence for a difference against none. */
  logBayesFactor: number;
  /** The Bayes factor, between e^-700 and e^700. */
  bayesFactor: number;
  /** The expected loss of choosing each arm, in the metric's units. */
  expectedLoss: { control: number; treatment: number };
  decision: BayesianDecision;
}

/**
 * Decides: for equivalence if the interval lies within the region, otherwise by the Bayes factor for or against a
 * difference.
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
  between("ropeLow", ropeLow, -Infinity, ropeHigh);
  between("minimumBayesFactor", minimumBayesFactor, 1, Infinity);
  if (lower >= ropeLow && upper <= ropeHigh) return "ROPE_ACCEPT";
  if (logBayesFactor >= Math.log(minimumBayesFactor)) return "ACCEPT_ALTERNATIVE";
  if (logBayesFactor <= -Math.log(minimumBayesFactor)) return "ACCEPT_NULL";
  return "INCONCLUSIVE";
}

/** Clamps a probability to [0, 1], which quadrature may exceed by a rounding error. */
function probability(value: number): number {
  return Math.min(1, Math.max(0, value));
}

/** Returns the fields that both Bayesian tests have, from the posteriors and the distribution of the difference. */
export function bayesianComparison(
  control: Posterior,
  treatment: Posterior,
  difference: { mean: number; credibleInterval: Interval; cdf: (d: number) => number },
  logBayesFactor: number,
  { ropeLow = 0, ropeHigh = 0, minimumBayesFactor = 10 }: BayesianOptions,
): BayesianComparison {
  const { mean, credibleInterval, cdf } = difference;
  const { best, expectedLoss } = armProbabilities([control, treatment]);
  return {
    difference: { mean, credibleInterval, ropeProbability: probability(cdf(ropeHigh) - cdf(ropeLow)) },
    probabilityOfSuperiority: probability(best[1]!),
    logBayesFactor,
    bayesFactor: Math.exp(Math.min(700, Math.max(-700, logBayesFactor))),
    expectedLoss: { control: expectedLoss[0]!, treatment: expectedLoss[1]! },
    decision: bayesianDecision(credibleInterval, logBayesFactor, { ropeLow, ropeHigh, minimumBayesFactor }),
  };
}
