export {
  type SpendingFunction,
  type SpendingLook,
  spendingLooks,
  spendingSchedule,
  spentAlpha,
} from "./alpha-spending.ts";
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
export { betaCdf, betaQuantile, betaSf } from "./beta.ts";
export {
  type BetaBinomialComparison,
  type BetaPrior,
  betaBinomialTest,
  type RatePosterior,
  ratePosterior,
} from "./beta-binomial.ts";
export { chiSquareCdf, chiSquareQuantile, chiSquareSf } from "./chi-square.ts";
export {
  type ArmEstimate,
  type Comparison,
  type ComparisonStatus,
  compareEstimates,
  compareWeighted,
  type Interval,
  isSignificant,
  type TestOptions,
  type WeightedEstimate,
} from "./comparison.ts";
export { type CupedComparison, type CupedOptions, cupedRatioTest, cupedTest } from "./cuped.ts";
export { fCdf, fQuantile, fSf } from "./f.ts";
export { cochranQ, type Effect, type Heterogeneity, pooledEffect } from "./heterogeneity.ts";
export {
  assignmentDependenceTest,
  type ChiSquareTest,
  type Interaction,
  type InteractionOptions,
  interactionTest,
  interactionWaldTest,
} from "./interaction.ts";
export {
  addToJointMoments,
  emptyJointMoments,
  type JointMoments,
  jointMomentsFromSums,
  jointMomentsOf,
  mergeJointMoments,
} from "./joint-moments.ts";
export { type FactorialCell, type MainEffect, mainEffects } from "./main-effects.ts";
export {
  addToMoments,
  emptyMoments,
  type Moments,
  mergeMoments,
  momentsFromSums,
  momentsOf,
  varianceOf,
} from "./moments.ts";
export {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  bonferroniAlpha,
  holm,
  rejections,
} from "./multiple-comparisons.ts";
export { tTestPower } from "./noncentral-t.ts";
export { normalCdf, normalQuantile, normalSf } from "./normal.ts";
export { normalBayesTest } from "./normal-bayes.ts";
export { type NoveltyTest, noveltyTest } from "./novelty.ts";
export {
  type ArmProbabilities,
  armProbabilities,
  armProbabilitySteps,
  betaPosterior,
  normalPosterior,
  type Posterior,
} from "./posterior.ts";
export { achievedPower, minimumDetectableEffect } from "./power.ts";
export {
  newcombeInterval,
  type Proportion,
  type ProportionComparison,
  type ProportionTestOptions,
  rateEstimate,
  twoProportionTest,
  wilsonInterval,
} from "./proportions.ts";
export {
  type Observations,
  type QuantileEstimate,
  type QuantileOptions,
  quantileEstimate,
  quantileTest,
} from "./quantile.ts";
export { ratioEstimate, ratioTest } from "./ratio.ts";
export {
  periodSampleRatioTest,
  type SampleRatioPeriod,
  type SampleRatioTest,
  sampleRatioTest,
} from "./sample-ratio.ts";
export {
  meanSampleSize,
  proportionSampleSize,
  type SampleSize,
  type SampleSizeOptions,
  treatmentRate,
} from "./sample-size.ts";
export {
  alwaysValidRho,
  alwaysValidTest,
  mixtureTest,
  replayLooks,
  type SequentialLook,
  type SequentialTest,
} from "./sequential.ts";
export { tCdf, tQuantile, tSf } from "./student-t.ts";
export { meanEstimate, welchTest } from "./welch.ts";
export { sampleQuantile, winsorBounds, winsorise } from "./winsorising.ts";
