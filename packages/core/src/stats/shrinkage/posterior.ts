import type { Interval } from "../comparison.ts";
import { normalCdf, normalDensity } from "../normal.ts";
import { findRoot } from "../quadrature.ts";
import { strictlyBetween } from "../range.ts";

/** An estimated effect, absolute or relative, and its standard error in the same unit. */
export interface EffectEstimate {
  estimate: number;
  standardError: number;
}

/** The posterior of a true effect, after its estimate was shrunken towards a prior. */
export interface EffectPosterior {
  mean: number;
  standardDeviation: number;
  /** Equal-tailed. */
  interval: Interval;
  /** P(effect > 0). If the effect looks positive, 1 minus it is the probability of a false sign. */
  chanceToWin: number;
  /** The expected loss by shipping, E max(0, -effect), and by keeping control, E max(0, effect). */
  expectedLoss: { ship: number; keep: number };
}

/** Options of a posterior. */
export interface PosteriorOptions {
  /** The probability that the true value lies in the interval, 0.95 by default. */
  credibleLevel?: number;
}

/** One normal distribution of a mixture. The weights of a mixture sum to 1. */
export interface NormalComponent {
  weight: number;
  mean: number;
  variance: number;
}

/**
 * Returns the posterior of an effect from the mixture of normal distributions that it follows.
 *
 * @throws RangeError unless the level lies strictly between 0 and 1.
 */
export function mixturePosterior(
  components: readonly NormalComponent[],
  { credibleLevel = 0.95 }: PosteriorOptions = {},
): EffectPosterior {
  const tail = (1 - strictlyBetween("credibleLevel", credibleLevel, 0, 1)) / 2;
  const sum = (of: (mean: number, deviation: number) => number) =>
    components.reduce((total, { weight, mean, variance }) => total + weight * of(mean, Math.sqrt(variance)), 0);
  const mean = sum((own) => own);
  const standardDeviation = Math.sqrt(sum((own, deviation) => deviation ** 2 + (own - mean) ** 2));
  // By Cantelli's inequality no quantile lies further out.
  const reach = standardDeviation * Math.sqrt(1 / tail);
  const point = (side: 1 | -1) =>
    findRoot(
      mean,
      mean + side * reach,
      (x) => sum((own, deviation) => normalCdf((side * (own - x)) / deviation)) - tail,
    );
  const loss = (side: 1 | -1) =>
    sum((own, deviation) => {
      const z = (side * own) / deviation;
      return Math.max(0, deviation * (normalDensity(z) + z * normalCdf(z)));
    });
  return {
    mean,
    standardDeviation,
    interval: [point(-1), point(1)],
    chanceToWin: Math.min(
      1,
      sum((own, deviation) => normalCdf(own / deviation)),
    ),
    expectedLoss: { ship: loss(-1), keep: loss(1) },
  };
}
