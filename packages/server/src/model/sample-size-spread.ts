import { quantileVariance, ratioVariance } from "@assay/core/stats/design";
import { SampleSizeError, type SampleSizeQuestion } from "./sample-size-question.ts";

/** The baseline and the variation of a metric other than a rate. */
export interface Spread {
  kind: "MEAN" | "RATIO" | "QUANTILE";
  baseline: number | undefined;
  /** Standard deviation per user, in the unit of the metric; for a quantile, per value. */
  deviation: number | undefined;
  /** The distribution that the test of the metric uses. */
  distribution: "t" | "normal";
}

/** @throws SampleSizeError if fields are missing or do not belong together */
export function spreadOf(question: SampleSizeQuestion): Spread {
  const { mean, standard_deviation, quantile, quantile_density } = question;
  const { denominator_mean, denominator_standard_deviation, denominator_correlation } = question;
  const ofRatio = { denominator_mean, denominator_standard_deviation, denominator_correlation };
  const isRatio = Object.values(ofRatio).some((value) => value !== undefined);
  if (quantile !== undefined || quantile_density !== undefined) {
    if (isRatio) throw new SampleSizeError("quantile", "A metric is either a quantile or a ratio");
    return ofQuantile(question);
  }
  if (isRatio) return { kind: "RATIO", ...ratioOf(question), distribution: "t" };
  return { kind: "MEAN", baseline: mean, deviation: standard_deviation, distribution: "t" };
}

function ofQuantile(question: SampleSizeQuestion): Spread {
  const { quantile, quantile_density: density, mean, standard_deviation, cuped_correlation } = question;
  if (quantile === undefined || density === undefined) {
    const field = quantile === undefined ? "quantile" : "quantile_density";
    throw new SampleSizeError(field, "A quantile needs both quantile and quantile_density");
  }
  if (standard_deviation !== undefined) {
    throw new SampleSizeError("standard_deviation", "Give quantile_density in place of standard_deviation");
  }
  if (cuped_correlation !== undefined) {
    throw new SampleSizeError("cuped_correlation", "Quantiles are not adjusted, so there is no cuped_correlation");
  }
  const deviation = Math.sqrt(quantileVariance(quantile, density));
  return {
    kind: "QUANTILE",
    baseline: mean,
    deviation: positive(deviation, "quantile_density"),
    distribution: "normal",
  };
}

/** All the values that a ratio needs. */
const OF_RATIO = [
  "mean",
  "standard_deviation",
  "denominator_mean",
  "denominator_standard_deviation",
  "denominator_correlation",
] as const;
/** The fields of metrics other than rates. */
export const SPREAD_FIELDS = [...OF_RATIO, "quantile", "quantile_density"] as const;

function ratioOf(question: SampleSizeQuestion): Pick<Spread, "baseline" | "deviation"> {
  const [mean, spread, divisor, otherSpread, correlation] = OF_RATIO.map((field) => {
    const value = question[field];
    if (value === undefined) throw new SampleSizeError(field, `A ratio needs ${OF_RATIO.join(", ")}`);
    return value;
  }) as [number, number, number, number, number];
  if (divisor === 0) throw new SampleSizeError("denominator_mean", "The denominator must not be 0 on average");
  const numerator = { mean, standardDeviation: spread };
  const variance = ratioVariance(numerator, { mean: divisor, standardDeviation: otherSpread }, correlation);
  return { baseline: mean / divisor, deviation: positive(Math.sqrt(variance), "denominator_mean") };
}

/** @throws SampleSizeError if the variance is 0 or beyond the range of doubles */
function positive(deviation: number, field: keyof SampleSizeQuestion): number {
  if (deviation > 0 && Number.isFinite(deviation)) return deviation;
  throw new SampleSizeError(field, "These numbers leave no variance, or one that is too large");
}
