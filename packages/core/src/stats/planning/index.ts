export {
  type SpendingFunction,
  type SpendingLook,
  type SpendingOptions,
  spendingLooks,
  spendingSchedule,
  spentAlpha,
} from "./alpha-spending.ts";
export {
  type GroupSequentialLook,
  type GroupSequentialPower,
  groupSequentialInflation,
  groupSequentialPower,
  groupSequentialPValue,
  groupSequentialStops,
  type StagewiseEstimate,
  stagewiseEstimate,
} from "./group-sequential.ts";
export {
  type MarginSampleSizeOptions,
  meanMarginSampleSize,
  proportionMarginSampleSize,
} from "./margin-sample-size.ts";
export { tTestPower } from "./noncentral-t.ts";
export { achievedPower, minimumDetectableEffect } from "./power.ts";
export {
  meanSampleSize,
  proportionSampleSize,
  type SampleSize,
  type SampleSizeOptions,
  treatmentRate,
} from "./sample-size.ts";
