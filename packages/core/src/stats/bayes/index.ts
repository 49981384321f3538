export {
  type AllocationOptions,
  type ArmReward,
  comparePeriods,
  epsilonGreedyWeights,
  readyToUpdate,
  thompsonWeights,
  topTwoWeights,
  ucb1Weights,
  withFloor,
} from "./bandit.ts";
export {
  type BayesianComparison,
  type BayesianDecision,
  type BayesianOptions,
  bayesianDecision,
} from "./bayes.ts";
export {
  type BetaBinomialComparison,
  type BetaPrior,
  betaBinomialTest,
  type RatePosterior,
  rateDifferenceDensity,
  ratePosterior,
} from "./beta-binomial.ts";
export { normalBayesTest } from "./normal-bayes.ts";
export {
  type ArmProbabilities,
  armProbabilities,
  armProbabilitySteps,
  betaPosterior,
  normalPosterior,
  type Posterior,
} from "./posterior.ts";
