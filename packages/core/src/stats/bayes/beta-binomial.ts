import { betaLogit, betaTails } from "../beta.ts";
import type { Interval } from "../comparison.ts";
import { normalQuantile } from "../normal.ts";
import type { Proportion } from "../proportions.ts";
import { findRoot, findRootBySlope, panels } from "../quadrature.ts";
import { between, notNegative, strictlyBetween } from "../range.ts";
import { logBeta, logBetaDensity } from "../saddle-point.ts";
import { type BayesianComparison, type BayesianOptions, bayesianComparison } from "./bayes.ts";
import { betaPosterior, panelPoints } from "./posterior.ts";

/** The posterior distribution of one arm's conversion rate. */
export interface RatePosterior {
  alpha: number;
  beta: number;
  mean: number;
  standardDeviation: number;
  /** Equal-tailed. */
  credibleInterval: Interval;
  /** Highest-density interval; `null` if both shapes are at most 1, where the interval is not unique. */
  highestDensityInterval: Interval | null;
}

/** A Bayesian comparison of two conversion rates, with both posteriors. */
export interface BetaBinomialComparison extends BayesianComparison {
  control: RatePosterior;
  treatment: RatePosterior;
}

/** The prior Beta(priorAlpha, priorBeta) of each arm, flat by default. */
export interface BetaPrior {
  priorAlpha?: number;
  priorBeta?: number;
}

interface Shapes {
  alpha: number;
  beta: number;
}

const logistic = (u: number) => 1 / (1 + Math.exp(-u));
const logit = (x: number) => Math.log(x) - Math.log1p(-x);

function highestDensityInterval({ alpha, beta }: Shapes, level: number): Interval | null {
  if (alpha <= 1 && beta <= 1) return null;
  if (alpha <= 1) return [0, logistic(betaLogit("upper", 1 - level, alpha, beta))];
  if (beta <= 1) return [logistic(betaLogit("lower", 1 - level, alpha, beta)), 1];
  const ends = (below: number): Interval => [
    betaLogit("lower", below, alpha, beta),
    betaLogit("upper", 1 - level - below, alpha, beta),
  ];
  // The log density of the rate itself, up to a constant, not of its logit.
  const logDensity = (u: number) => (alpha - 1) * Math.log(logistic(u)) + (beta - 1) * Math.log(logistic(-u));
  const outside = 1 - level;
  const below = findRoot(outside * 1e-9, outside * (1 - 1e-9), (p) => {
    const [lower, upper] = ends(p);
    return logDensity(upper) - logDensity(lower);
  });
  const [lower, upper] = ends(below);
  return [logistic(lower), logistic(upper)];
}

/**
 * Returns the posterior of a conversion rate under a beta prior.
 *
 * Source: Gelman et al., Bayesian Data Analysis (3rd ed. 2013), 2.4.
 *
 * @throws RangeError unless the prior's shapes are positive, 0 <= successes <= n, and the level lies in (0, 1).
 */
export function ratePosterior(
  { successes, n }: Proportion,
  { priorAlpha = 1, priorBeta = 1, credibleLevel = 0.95 }: BetaPrior & { credibleLevel?: number } = {},
): RatePosterior {
  strictlyBetween("credibleLevel", credibleLevel, 0, 1);
  between("successes", successes, 0, notNegative("n", n));
  const [alpha, beta] = [priorAlpha + successes, priorBeta + n - successes];
  const { mean, standardDeviation, point } = betaPosterior(alpha, beta);
  const tail = (1 - credibleLevel) / 2;
  return {
    alpha,
    beta,
    mean,
    standardDeviation,
    credibleInterval: [logistic(point("lower", tail)), logistic(point("upper", tail))],
    highestDensityInterval: highestDensityInterval({ alpha, beta }, credibleLevel),
  };
}

/**
 * Calls `visit`, by quadrature over the logit of the control's rate c, with the probability of c, c + d and 1 - c - d.
 * Beyond the ends of the rates it does not.
 */
function overControl(
  control: Shapes,
  treatment: Shapes,
): (d: number, visit: (probability: number, x: number, y: number) => void) => void {
  const controlPoints = panelPoints(betaPosterior(control.alpha, control.beta));
  const treatmentPoints = panelPoints(betaPosterior(treatment.alpha, treatment.beta)).map(logistic);
  return (d, visit) => {
    const low = Math.max(0, -d);
    const high = Math.min(1, 1 - d);
    const [lowest, highest] = [logit(low), logit(high)];
    const shifted = treatmentPoints.map((x) => x - d).filter((x) => x > 0 && x < 1);
    const inside = [...controlPoints, ...shifted.map(logit), lowest, highest].filter(
      (u) => Number.isFinite(u) && u >= lowest && u <= highest,
    );
    const { nodes, weights } = panels(inside);
    nodes.forEach((u, i) => {
      const [c, rest] = [logistic(u), logistic(-u)];
      const [x, y] = [c + d, rest - d];
      if (x > 0) visit(weights[i]! * Math.exp(logBetaDensity(c, rest, control.alpha, control.beta)), x, y);
    });
  };
}

/** Returns P(treatment - control < d) and its derivative as a function of d, by quadrature over the control's logit. */
function differenceCdf(control: Shapes, treatment: Shapes): (d: number) => [probability: number, density: number] {
  const over = overControl(control, treatment);
  return (d) => {
    if (Math.abs(d) >= 1) return [d > 0 ? 1 : 0, 0];
    const high = Math.min(1, 1 - d);
    // A control beyond 1 - d is above any treatment less d.
    let probability = d > 0 ? Math.exp(betaTails(high, 1 - high, control.alpha, control.beta).upper) : 0;
    let density = 0;
    over(d, (mass, x, y) => {
      if (y <= 0) {
        probability += mass;
        return;
      }
      const tails = betaTails(x, y, treatment.alpha, treatment.beta);
      probability += mass * Math.exp(tails.lower);
      // The density on the scale of the logit is that of the rate times x (1 - x).
      density += (mass * Math.exp(tails.density)) / (x * y);
    });
    return [probability, density];
  };
}

/**
 * Returns the density of treatment - control, of two independent posteriors Beta(alpha, beta), by quadrature.
 *
 * @throws RangeError unless all shapes are positive and finite.
 */
export function rateDifferenceDensity(control: Shapes, treatment: Shapes): (difference: number) => number {
  const over = overControl(control, treatment);
  return (d) => {
    let density = 0;
    if (Math.abs(d) >= 1) return density;
    over(d, (mass, x, y) => {
      if (y > 0) density += (mass * Math.exp(logBetaDensity(x, y, treatment.alpha, treatment.beta))) / (x * y);
    });
    return density;
  };
}

/**
 * Compares two conversion rates by independent posteriors, by quadrature.
 *
 * The Bayes factor compares two independent rates with one common rate, both under the prior. With millions of users
 * and a flat prior it favours the null unless the difference is many standard errors (Lindley's paradox).
 *
 * Source: Gelman et al. (2013), 2.4; Bayes factor: Kass and Raftery, JASA 90 (1995).
 *
 * @throws RangeError if a count, the prior, the level, the region or the minimum is out of range.
 */
export function betaBinomialTest(
  control: Proportion,
  treatment: Proportion,
  options: BayesianOptions & BetaPrior = {},
): BetaBinomialComparison {
  const { priorAlpha = 1, priorBeta = 1, credibleLevel = 0.95, ropeLow = -0.01, ropeHigh = 0.01 } = options;
  const c = ratePosterior(control, options);
  const t = ratePosterior(treatment, options);
  const cdf = differenceCdf(c, t);
  const mean = t.mean - c.mean;
  const deviation = Math.hypot(c.standardDeviation, t.standardDeviation);
  const quantile = (p: number) =>
    findRootBySlope(-1, 1, mean + deviation * normalQuantile(p), deviation * 1e-12, (d) => {
      const [probability, density] = cdf(d);
      return [probability - p, density];
    });
  const tail = (1 - credibleLevel) / 2;
  const credibleInterval: Interval = [quantile(tail), quantile(1 - tail)];
  const logBayesFactor =
    logBeta(c.alpha, c.beta) +
    logBeta(t.alpha, t.beta) -
    logBeta(priorAlpha, priorBeta) -
    logBeta(c.alpha + t.alpha - priorAlpha, c.beta + t.beta - priorBeta);
  const comparison = bayesianComparison(
    betaPosterior(c.alpha, c.beta),
    betaPosterior(t.alpha, t.beta),
    { mean, credibleInterval, cdf: (d) => cdf(d)[0] },
    logBayesFactor,
    { ...options, ropeLow, ropeHigh },
  );
  return { control: c, treatment: t, ...comparison };
}
