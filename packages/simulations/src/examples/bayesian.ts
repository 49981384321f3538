import { type ArmEstimate, type Interval, meanEstimate, momentsOf } from "@assay/core/stats";
import {
  armProbabilities,
  type BayesianComparison,
  betaBinomialTest,
  betaPosterior,
  comparePeriods,
  normalBayesTest,
  normalPosterior,
  type Posterior,
  type RatePosterior,
  thompsonWeights,
  withFloor,
} from "@assay/core/stats/bayes";
import { type CookieCats, type Players, proportionOf, tenths, where } from "./cookie-cats.ts";

interface ArmAnswer {
  variant: string;
  n: number;
  alpha: number | null;
  beta: number | null;
  mean: number;
  credibleInterval: Interval;
  highestDensityInterval: Interval | null;
  posterior: Posterior;
}

function posteriorOf({ alpha, beta, mean, credibleInterval }: ArmAnswer) {
  return {
    posterior_alpha: alpha,
    posterior_beta: beta,
    posterior_mean: mean,
    credible_interval: credibleInterval,
  };
}

function evidenceOf(test: BayesianComparison | null) {
  return {
    bayes_factor: test?.bayesFactor ?? null,
    log_bayes_factor: test?.logBayesFactor ?? null,
    probability_of_superiority: test?.probabilityOfSuperiority ?? null,
    decision: test?.decision ?? null,
  };
}

/**
 * Returns the `bayesian_results` of two arms, as the API answers for a metric to increase and an experiment without an
 * end.
 */
function resultsOf(metric: string, arms: readonly [ArmAnswer, ArmAnswer], test: BayesianComparison, hasRope: boolean) {
  const { best, expectedLoss } = armProbabilities(arms.map(({ posterior }) => posterior));
  return {
    metric_id: metric,
    ...posteriorOf(arms[1]),
    ...evidenceOf(test),
    expected_loss: test.expectedLoss,
    stopped_early: false,
    difference: {
      mean: test.difference.mean,
      credible_interval: test.difference.credibleInterval,
      rope_probability: hasRope ? test.difference.ropeProbability : null,
    },
    variants: arms.map((arm, i) => ({
      variant: arm.variant,
      n: arm.n,
      ...posteriorOf(arm),
      highest_density_interval: arm.highestDensityInterval,
      probability_best: best[i],
      expected_loss: expectedLoss[i],
      ...evidenceOf(i === 0 ? null : test),
    })),
    status: "OK",
  };
}

/** Compares seven-day retention under flat priors, with a region of practical equivalence of one percentage point. */
export function betaBinomial({ control, treatment }: CookieCats) {
  const [c, t] = [proportionOf(control.retention7), proportionOf(treatment.retention7)];
  const test = betaBinomialTest(c, t, { ropeLow: -0.01, ropeHigh: 0.01 });
  const arm = (variant: string, n: number, posterior: RatePosterior): ArmAnswer => ({
    variant,
    n,
    ...posterior,
    posterior: betaPosterior(posterior.alpha, posterior.beta),
  });
  const arms = [arm(control.key, c.n, test.control), arm(treatment.key, t.n, test.treatment)] as const;
  return { bayesian_results: resultsOf("retention_7", arms, test, true) };
}

/** Compares rounds. Plausible effects are around 0, with a standard deviation of 5 % of the control's mean. */
export function normalBayes({ control, treatment }: CookieCats) {
  const [c, t] = [meanEstimate(momentsOf(control.rounds)), meanEstimate(momentsOf(treatment.rounds))];
  const test = normalBayesTest(c, t, (0.05 * c.value) ** 2);
  const arm = (variant: string, { n, value, variance }: ArmEstimate): ArmAnswer => {
    const posterior = normalPosterior(value, Math.sqrt((variance ?? 0) / n));
    const interval: Interval = [posterior.point("lower", 0.025), posterior.point("upper", 0.025)];
    const credible = { credibleInterval: interval, highestDensityInterval: interval };
    return { variant, n, alpha: null, beta: null, mean: value, ...credible, posterior };
  };
  const arms = [arm(control.key, c), arm(treatment.key, t)] as const;
  return { bayesian_results: test && resultsOf("rounds", arms, test, false) };
}

/**
 * Returns the shares of the next players after the first tenth. It also compares all tenths as the periods of a bandit.
 */
export function bandit(cats: CookieCats) {
  const ends = tenths(cats);
  const tenthOf = (players: Players, i: number) =>
    where(players, players.retention7, (userId) => userId > (ends[i - 1] ?? 0) && userId <= ends[i]!);
  const first = [cats.control, cats.treatment].map((players) => {
    const { successes, n } = proportionOf(tenthOf(players, 0));
    return betaPosterior(1 + successes, 1 + n - successes);
  });
  const best = thompsonWeights(armProbabilities(first));
  const periods = (players: Players) => ends.map((_, i) => momentsOf(tenthOf(players, i)));
  const [control, treatment] = [periods(cats.control), periods(cats.treatment)];
  const users = control.map(({ n }, i) => n + treatment[i]!.n);
  const weighted = comparePeriods(control, treatment, users);
  return {
    after_first_tenth: { probability_best: best, weights: withFloor(best, { minWeight: 0.05 }) },
    weighted_by_period: {
      difference: weighted.difference,
      standard_error: weighted.standardError,
      p_value: weighted.pValue,
      confidence_interval: weighted.confidenceInterval,
    },
  };
}
