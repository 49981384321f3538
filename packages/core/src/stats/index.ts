export {
  type AdjustedArms,
  type AdjustedComparison,
  type AdjustmentOptions,
  adjustArms,
  compareAdjusted,
  type Slopes,
} from "./adjustment.ts";
export {
  type AnytimeDecision,
  type AnytimeOptions,
  compareArmsAnytime,
  compareMeansAnytime,
  compareProportionsAnytime,
} from "./anytime.ts";
export { betaCdf, betaQuantile, betaSf } from "./beta.ts";
export { chiSquareCdf, chiSquareQuantile, chiSquareSf } from "./chi-square.ts";
export { clusterEstimate, clusterQuantileEstimate } from "./cluster.ts";
export { compareMeans, compareProportions } from "./compare.ts";
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
export { type Claim, type Conclusion, conclude, type Hypothesis, isEstablished, marginPValue } from "./conclusion.ts";
export { type CupedComparison, type CupedOptions, cupedRatioTest, cupedTest } from "./cuped.ts";
export { type Assumption, compareArms, type Decision } from "./decision.ts";
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
  armMarginTest,
  armMarginTestAnytime,
  type MarginTest,
  proportionMarginTest,
  proportionMarginTestAnytime,
} from "./margin.ts";
export {
  addToMoments,
  emptyMoments,
  type Moments,
  mergeMoments,
  momentsFromSums,
  momentsOf,
  skewnessOf,
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
export { normalCdf, normalQuantile, normalSf } from "./normal.ts";
export { type NoveltyTest, noveltyTest } from "./novelty.ts";
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
  estimateQuantile,
  type Observations,
  type ObservedQuantile,
  type QuantileEstimate,
  type QuantileOptions,
  quantileEstimate,
  quantileTest,
} from "./quantile.ts";
export { ratioEstimate, ratioTest } from "./ratio.ts";
export {
  type AnytimeSampleRatioTest,
  anytimeSampleRatioTest,
  periodSampleRatioTest,
  type SampleRatioPeriod,
  type SampleRatioTest,
  sampleRatioTest,
} from "./sample-ratio.ts";
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
