import type { SampleSize, SampleSizeQuery } from "@assay/contract";
import {
  meanMarginSampleSize,
  meanSampleSize,
  proportionMarginSampleSize,
  proportionSampleSize,
  type SampleSize as Size,
  treatmentRate,
} from "@assay/core/stats/planning";
import type { z } from "zod";

/** The input of a sample size computation. */
export type SampleSizeQuestion = z.output<typeof SampleSizeQuery>;

/** A sample size that cannot be computed, and the field that causes it. */
export class SampleSizeError extends Error {
  override readonly name = "SampleSizeError";
  readonly field: keyof SampleSizeQuestion;

  constructor(field: keyof SampleSizeQuestion, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Users and days an experiment needs: unpooled normal approximation for rates, Welch's t for means, two-sided, arms of
 * equal size, each treatment against control at alpha divided by the number of comparisons (Bonferroni). With a margin,
 * the size to show that the treatment is within it.
 *
 * @throws SampleSizeError without a baseline, if the effect leads to no possible rate, or lies beyond the margin
 */
export function toSampleSize(question: SampleSizeQuestion): SampleSize {
  const { alpha, power, variants, daily_users } = question;
  if (power <= alpha) throw new SampleSizeError("power", "Power must be above alpha");
  const margin = marginOf(question);
  if (question.mde === 0 && margin === null) throw new SampleSizeError("mde", "The effect must not be 0");
  const { size, effect, ...metric } =
    question.baseline_rate === undefined ? ofMeans(question, margin) : ofRates(question, margin);
  // Sizes beyond safe integers are not useful.
  if (!Number.isSafeInteger(size.total)) throw new SampleSizeError("mde", "The effect is too small to detect");
  const relative = metric.baseline ? effect / Math.abs(metric.baseline) : Number.NaN;
  return {
    ...metric,
    absolute_effect: effect,
    // With a baseline near 0 the relative effect may overflow.
    relative_effect: Number.isFinite(relative) ? relative : null,
    alpha,
    alpha_per_comparison: size.alphaPerComparison,
    power,
    variants,
    per_variant: size.control,
    total: size.total,
    daily_users: daily_users ?? null,
    days: daily_users === undefined ? null : Math.ceil(size.total / daily_users),
  };
}

/** A margin, and the hypothesis about it. */
interface Margin {
  margin: number;
  hypothesis: "NON_INFERIORITY" | "EQUIVALENCE";
  direction: "INCREASE" | "DECREASE";
}

function marginOf({ hypothesis = "SUPERIORITY", margin, direction = "INCREASE" }: SampleSizeQuestion): Margin | null {
  if (hypothesis === "SUPERIORITY") {
    if (margin === undefined) return null;
    throw new SampleSizeError("margin", "Only NON_INFERIORITY and EQUIVALENCE have a margin");
  }
  if (margin === undefined) throw new SampleSizeError("margin", "NON_INFERIORITY and EQUIVALENCE need a margin");
  return { margin, hypothesis, direction };
}

/** A size that needs the effect to lie within the margin. */
function withinMargin(size: () => Size): Size {
  try {
    return size();
  } catch (error) {
    if (error instanceof RangeError) throw new SampleSizeError("mde", "The effect lies at the margin or beyond it");
    throw error;
  }
}

function ofRates(question: SampleSizeQuestion, margin: Margin | null) {
  const { baseline_rate: baseline = 0, mde, relative, standard_deviation, mean } = question;
  if (mean !== undefined || standard_deviation !== undefined) {
    throw new SampleSizeError("baseline_rate", "Give either baseline_rate, or mean and standard_deviation");
  }
  const target = treatmentRate(baseline, mde, relative ? "relative" : "absolute");
  if (!(target > 0 && target < 1)) {
    throw new SampleSizeError("mde", `The effect leads to a rate of ${target}, which is not between 0 and 1`);
  }
  if (target === baseline && margin === null) throw new SampleSizeError("mde", "The effect is too small to detect");
  const size =
    margin === null
      ? proportionSampleSize(baseline, target, question)
      : withinMargin(() => proportionMarginSampleSize(baseline, target, margin.margin, { ...question, ...margin }));
  return { metric_kind: "CONVERSION" as const, baseline, target, effect: target - baseline, size };
}

function ofMeans(question: SampleSizeQuestion, margin: Margin | null) {
  const { mean, standard_deviation, mde, relative } = question;
  if (standard_deviation === undefined) {
    throw new SampleSizeError("baseline_rate", "Give either baseline_rate, or mean and standard_deviation");
  }
  if (relative && !mean) throw new SampleSizeError("mean", "A relative effect needs a mean that is not 0");
  const effect = relative ? mde * Math.abs(mean ?? 0) : mde;
  const target = mean === undefined ? null : mean + effect;
  if (effect === 0 && margin === null) throw new SampleSizeError("mde", "The effect is too small to detect");
  if (!Number.isFinite(target ?? effect)) throw new SampleSizeError("mde", "The effect is too large");
  const size =
    margin === null
      ? meanSampleSize(effect, standard_deviation, { ...question, distribution: "t" })
      : ofMeanMargin(question, margin, standard_deviation, effect);
  return { metric_kind: "MEAN" as const, baseline: mean ?? null, target, effect, size };
}

function ofMeanMargin(
  { mean, ...options }: SampleSizeQuestion,
  margin: Margin,
  deviation: number,
  effect: number,
): Size {
  if (!mean) throw new SampleSizeError("mean", "A margin needs a mean that is not 0");
  const all = { ...options, ...margin, distribution: "t" as const };
  return withinMargin(() => meanMarginSampleSize(mean, mean + effect, deviation, margin.margin, all));
}
