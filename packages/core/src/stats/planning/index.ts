export {
  type SpendingFunction,
  type SpendingLook,
  spendingLooks,
  spendingSchedule,
  spentAlpha,
} from "./alpha-spending.ts";
export { tTestPower } from "./noncentral-t.ts";
export { achievedPower, minimumDetectableEffect } from "./power.ts";
export {
  meanSampleSize,
  proportionSampleSize,
  type SampleSize,
  type SampleSizeOptions,
  treatmentRate,
} from "./sample-size.ts";
