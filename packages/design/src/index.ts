export { type Missing, missingOf } from "./missing.ts";
export { readDescription } from "./read.ts";
export type { Direction, Doubt, MetricKind, Reading, ReadMetric, Said } from "./reading.ts";
