import type { Reading } from "./reading.ts";

/** A value that a design needs and the description may omit. */
export type Missing = "metric" | "direction" | "baseline" | "effect" | "standard_deviation" | "traffic" | "audience";

/** Lists the missing values, the most important first. */
export function missingOf(reading: Reading): Missing[] {
  const kind = reading.metric?.value.kind;
  // The standard deviation of values is not that of their quantile.
  const needsDeviation =
    kind === "QUANTILE" || (kind !== undefined && kind !== "CONVERSION" && !reading.standardDeviation);
  const missing: [Missing, boolean][] = [
    ["metric", !reading.metric],
    ["direction", !reading.direction],
    ["baseline", !reading.baseline],
    ["effect", !reading.effect],
    ["standard_deviation", needsDeviation],
    ["traffic", !reading.dailyUsers],
    ["audience", reading.audience !== undefined],
  ];
  return missing.flatMap(([name, isMissing]) => (isMissing ? [name] : []));
}
