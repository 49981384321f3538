import { betaLogit, logitBetaTails } from "../beta.ts";
import { normalQuantile, normalTails } from "../normal.ts";
import { PANEL_TAILS, panels } from "../quadrature.ts";
import { positive } from "../range.ts";
import type { LogTails } from "../tails.ts";

/**
 * The posterior distribution of one arm's value on a scale u without ends: the logit of a rate, or the mean itself.
 *
 * Posteriors that are compared must be of one kind.
 */
export interface Posterior {
  kind: "beta" | "normal";
  mean: number;
  standardDeviation: number;
  /** Returns the log tails and log density on the scale u. */
  tails(u: number): LogTails;
  /** Returns the u below (or above) which the value lies with the probability `p` in (0, 1). */
  point(tail: "lower" | "upper", p: number): number;
}

/**
 * Returns the posterior Beta(alpha, beta) of a rate.
 *
 * @throws RangeError unless both shapes are positive and finite.
 */
export function betaPosterior(alpha: number, beta: number): Posterior {
  const n = positive("alpha", alpha) + positive("beta", beta);
  return {
    kind: "beta",
    mean: alpha / n,
    standardDeviation: Math.sqrt((alpha / n) * (beta / n) * (1 / (n + 1))),
    tails: (u) => logitBetaTails(u, alpha, beta),
    point: (tail, p) => betaLogit(tail, p, alpha, beta),
  };
}

/**
 * Returns the posterior N(mean, standardDeviation^2) of a mean.
 *
 * @throws RangeError unless the standard deviation is positive and finite.
 */
export function normalPosterior(mean: number, standardDeviation: number): Posterior {
  positive("standardDeviation", standardDeviation);
  return {
    kind: "normal",
    mean,
    standardDeviation,
    tails(u) {
      const { lower, upper, density } = normalTails((u - mean) / standardDeviation);
      return { lower, upper, density: density - Math.log(standardDeviation) };
    },
    point: (tail, p) => mean + (tail === "lower" ? 1 : -1) * standardDeviation * normalQuantile(p),
  };
}

/** Returns points that divide the posterior into panels of one to two standard deviations. */
export function panelPoints(posterior: Posterior): number[] {
  return PANEL_TAILS.flatMap((p) => [posterior.point("lower", p), posterior.point("upper", p)]);
}

/** For each arm, the chance to be the best, the chance to be the second best, and the expected loss of choosing it. */
export interface ArmProbabilities {
  best: number[];
  secondBest: number[];
  /** The expected shortfall against the best arm, in the metric's units. */
  expectedLoss: number[];
}

/**
 * Returns the chance of each arm to be best or second best (the greatest is best), and its expected loss, under
 * independent posteriors.
 *
 * Source: order statistics of independent variables, David and Nagaraja, Order Statistics (2003), 5; by quadrature.
 *
 * @throws RangeError if the posteriors are of different kinds.
 */
export function armProbabilities(posteriors: readonly Posterior[]): ArmProbabilities {
  const steps = armProbabilitySteps(posteriors);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * Computes {@link armProbabilities} in steps of less than a millisecond. The work grows with the square of the number
 * of arms, and fifty arms take seconds. The generator returns the probabilities; the values that it yields have no
 * meaning.
 */
export function* armProbabilitySteps(posteriors: readonly Posterior[]): Generator<void, ArmProbabilities> {
  const kind = posteriors[0]?.kind;
  if (posteriors.some((posterior) => posterior.kind !== kind)) throw new RangeError("posteriors must be of one kind");
  const points: number[] = [];
  for (const posterior of posteriors) {
    points.push(...panelPoints(posterior));
    yield;
  }
  const { nodes, weights } = panels(points);
  const answer: ArmProbabilities = {
    best: posteriors.map(() => 0),
    secondBest: posteriors.map(() => 0),
    expectedLoss: posteriors.map(() => 0),
  };
  for (const [k, u] of nodes.entries()) {
    const tails = posteriors.map((posterior) => posterior.tails(u));
    const belows = tails.map(({ lower }) => Math.exp(lower));
    const aboves = tails.map(({ upper }) => Math.exp(upper));
    // The derivative of the value, in the metric's units, by u: that of the logistic function, or 1.
    const slope = kind === "beta" ? 1 / (2 + Math.exp(u) + Math.exp(-u)) : 1;
    tails.forEach((own, i) => {
      let none = 1;
      let one = 0;
      let logNone = 0;
      tails.forEach((other, j) => {
        if (i === j) return;
        one = one * belows[j]! + none * aboves[j]!;
        none *= belows[j]!;
        logNone += other.lower;
      });
      const mass = weights[k]! * Math.exp(own.density);
      answer.best[i]! += mass * none;
      answer.secondBest[i]! += mass * one;
      answer.expectedLoss[i]! -= weights[k]! * slope * belows[i]! * Math.expm1(logNone);
    });
    yield;
  }
  return answer;
}
