export { betaCdf, betaQuantile, betaSf } from "./beta.ts";
export { chiSquareCdf, chiSquareQuantile, chiSquareSf } from "./chi-square.ts";
export {
  type ArmEstimate,
  type Comparison,
  type ComparisonStatus,
  compareEstimates,
  type Interval,
  isSignificant,
  type TestOptions,
} from "./comparison.ts";
export { fCdf, fQuantile, fSf } from "./f.ts";
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
export { normalCdf, normalQuantile, normalSf } from "./normal.ts";
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
  periodSampleRatioTest,
  type SampleRatioPeriod,
  type SampleRatioTest,
  sampleRatioTest,
} from "./sample-ratio.ts";
export { tCdf, tQuantile, tSf } from "./student-t.ts";
export { meanEstimate, welchTest } from "./welch.ts";
