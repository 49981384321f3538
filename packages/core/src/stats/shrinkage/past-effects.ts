import { panels } from "../quadrature.ts";
import { positive, strictlyBetween } from "../range.ts";
import {
  type EffectEstimate,
  type EffectPosterior,
  mixturePosterior,
  type NormalComponent,
  type PosteriorOptions,
} from "./posterior.ts";

/** The minimum number of effects to estimate a prior from. With fewer, intervals of weak programmes do not hold. */
export const MIN_EXPERIMENTS = 20;

/** The normal distribution of the true effects of experiments, estimated from their estimates. */
export interface EffectLaw {
  /** The mean of the true effects. */
  mean: number;
  /** The standard deviation between true effects. */
  standardDeviation: number;
  /**
   * Returns the posterior of the sum of some true effects, by their indexes; with one index, of that effect itself. Its interval
   * is wider than the level says: with 0.95, it leaves 1.75 % on each side.
   */
  sumOf(places: readonly number[], options?: PosteriorOptions): EffectPosterior;
}

/** The conclusions for one standard deviation between true effects. */
interface Node {
  weight: number;
  spread: number;
  mean: number;
  meanVariance: number;
}

/**
 * The tails outside an interval, compared with those that its level names. A posterior holds as often as it says on average over
 * all laws, but less often if the true effects are much smaller than the standard errors.
 */
const TAILS = 0.7;

/** The factor between neighbouring panels of the quadrature. */
const STEP = 1.5;

/**
 * Estimates the distribution of true effects from all experiments together, and shrinks each estimate accordingly;
 * `null` for fewer than `MIN_EXPERIMENTS`.
 *
 * This is empirical Bayes in its hierarchical form: true effects are N(mean, spread^2). The classical form takes one
 * estimate of both. This one averages over them, the mean with a flat prior in closed form, and the spread by quadrature
 * with a half-Cauchy prior whose scale is the typical standard error (the root of the harmonic mean of their squares).
 * So experiments whose estimates agree by chance do not shrink everything to one value. Pass the effects of all
 * experiments, not only of those that were shipped: then selection needs no other correction.
 *
 * Source: D. B. Rubin, J. Educational Statistics 6 (1981); Gelman et al., Bayesian Data Analysis (3rd ed. 2013), 5.4;
 * the prior on the spread: A. Gelman, Bayesian Analysis 1 (2006); N. Polson and J. Scott, Bayesian Analysis 7 (2012).
 *
 * @throws RangeError unless every estimate is finite, and every standard error and its square are positive and finite.
 */
export function effectLaw(effects: readonly EffectEstimate[]): EffectLaw | null {
  const variances = effects.map(({ estimate, standardError }) => {
    strictlyBetween("estimate", estimate, -Infinity, Infinity);
    return positive("standardError squared", positive("standardError", standardError) ** 2);
  });
  if (effects.length < MIN_EXPERIMENTS) return null;
  const nodes = nodesOf(effects, variances);
  const average = (of: (node: Node) => number) => nodes.reduce((sum, node) => sum + node.weight * of(node), 0);
  return {
    mean: average(({ mean }) => mean),
    standardDeviation: average(({ spread }) => spread),
    sumOf(places, { credibleLevel = 0.95 } = {}) {
      const component = ({ weight, spread, mean, meanVariance }: Node): NormalComponent => {
        let [sum, variance, shrinkage] = [0, 0, 0];
        for (const place of places) {
          const share = variances[place]! / (variances[place]! + spread * spread);
          sum += (1 - share) * effects[place]!.estimate;
          variance += (1 - share) * variances[place]!;
          shrinkage += share;
        }
        return { weight, mean: sum + shrinkage * mean, variance: variance + shrinkage ** 2 * meanVariance };
      };
      // Checked before it changes, since a level of 1.1 would be in range afterwards.
      const tails = TAILS * (1 - strictlyBetween("credibleLevel", credibleLevel, 0, 1));
      return mixturePosterior(nodes.map(component), { credibleLevel: 1 - tails });
    },
  };
}

/**
 * Returns the posterior of the standard deviation between true effects, as nodes of a quadrature with their weights.
 */
function nodesOf(effects: readonly EffectEstimate[], variances: readonly number[]): Node[] {
  const estimates = effects.map(({ estimate }) => estimate);
  const least = Math.sqrt(Math.min(...variances)) / 8;
  const range = Math.max(...estimates) - Math.min(...estimates);
  const most = 1000 * Math.max(range, Math.sqrt(Math.max(...variances)));
  const typical = variances.reduce((sum, variance) => sum + 1 / variance, 0) / variances.length;
  const points = [0, least];
  while (points.at(-1)! < most) points.push(points.at(-1)! * STEP);
  const { nodes, weights } = panels(points);
  const logs: number[] = [];
  const answer = nodes.map((spread, index): Node => {
    let [precision, weighted, log] = [0, 0, Math.log(weights[index]!) - Math.log1p(typical * spread * spread)];
    for (const [place, estimate] of estimates.entries()) {
      const own = 1 / (variances[place]! + spread * spread);
      precision += own;
      weighted += own * estimate;
      log += Math.log(own) / 2;
    }
    const mean = weighted / precision;
    for (const [place, estimate] of estimates.entries()) {
      log -= (estimate - mean) ** 2 / (variances[place]! + spread * spread) / 2;
    }
    logs.push(log - Math.log(precision) / 2);
    return { weight: 0, spread, mean, meanVariance: 1 / precision };
  });
  const top = logs.reduce((greatest, log) => Math.max(greatest, log), -Infinity);
  const masses = logs.map((log) => Math.exp(log - top));
  const total = masses.reduce((sum, mass) => sum + mass, 0);
  // Most nodes lie where the spread cannot be, so they are left out.
  return answer
    .map((node, index) => ({ ...node, weight: masses[index]! / total }))
    .filter(({ weight }) => weight > 1e-15);
}
