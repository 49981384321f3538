import type { SampleSize } from "@assay/contract";
import { designSampleSize } from "@assay/core/stats/design";
import {
  type MarginSampleSizeOptions,
  meanMarginSampleSize,
  meanSampleSize,
  proportionMarginSampleSize,
  proportionSampleSize,
  type SampleSize as Size,
  treatmentRate,
} from "@assay/core/stats/planning";
import { clusterCount, designOf } from "./sample-size-design.ts";
import { SampleSizeError, type SampleSizeQuestion } from "./sample-size-question.ts";
import { SPREAD_FIELDS, spreadOf } from "./sample-size-spread.ts";

/** Computes a sample size by the normal distribution, for users who are assigned individually. */
type SizeOf = (options: MarginSampleSizeOptions) => Size;

/**
 * Users and days an experiment needs: unpooled normal approximation for rates and quantiles, Welch's t for means, ratios
 * and clusters, two-sided, each treatment against control at alpha divided by the number of comparisons and of metrics
 * (Bonferroni). With a margin, the size to show that the treatment is within it.
 *
 * @throws SampleSizeError without a baseline, if the effect leads to no possible rate, or lies beyond the margin, and for
 * fields that do not belong together
 */
export function toSampleSize(question: SampleSizeQuestion): SampleSize {
  const { alpha, power, daily_users } = question;
  if (power <= alpha) throw new SampleSizeError("power", "Power must be above alpha");
  const margin = marginOf(question);
  if (question.mde === 0 && margin === null) throw new SampleSizeError("mde", "The effect must not be 0");
  const { sizeOf, distribution, effect, ...metric } =
    question.baseline_rate === undefined ? ofMeans(question, margin) : ofRates(question, margin);
  const design = designOf(question);
  const hypothesis = margin && { hypothesis: margin.hypothesis };
  const size = designSampleSize(sizeOf, { ...design, ...hypothesis, alpha, power, distribution });
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
    variants: size.arms.length,
    per_variant: Math.min(...size.arms),
    arms: size.arms,
    total: size.total,
    clusters: clusterCount(size.arms, design.clusters),
    variance_factor: size.varianceFactor,
    looks: null,
    mean_users: null,
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

/** Computes a size that needs the effect to lie within the margin. */
function withinMargin(size: () => Size): Size {
  try {
    return size();
  } catch (error) {
    if (error instanceof RangeError) throw new SampleSizeError("mde", "The effect lies at the margin or beyond it");
    throw error;
  }
}

function ofRates(question: SampleSizeQuestion, margin: Margin | null) {
  const { baseline_rate: baseline = 0, mde, relative } = question;
  if (SPREAD_FIELDS.some((field) => question[field] !== undefined)) {
    throw new SampleSizeError("baseline_rate", "Give either baseline_rate, or mean and standard_deviation");
  }
  const target = treatmentRate(baseline, mde, relative ? "relative" : "absolute");
  if (!(target > 0 && target < 1)) {
    throw new SampleSizeError("mde", `The effect leads to a rate of ${target}, which is not between 0 and 1`);
  }
  if (target === baseline && margin === null) throw new SampleSizeError("mde", "The effect is too small to detect");
  const { direction } = margin ?? {};
  const sizeOf: SizeOf = (options) =>
    margin === null
      ? proportionSampleSize(baseline, target, options)
      : withinMargin(() =>
          proportionMarginSampleSize(baseline, target, margin.margin, { ...options, ...(direction && { direction }) }),
        );
  const metric_kind = "CONVERSION" as const;
  return { metric_kind, baseline, target, effect: target - baseline, sizeOf, distribution: "normal" as const };
}

function ofMeans(question: SampleSizeQuestion, margin: Margin | null) {
  const { kind, baseline, deviation, distribution } = spreadOf(question);
  const { mde, relative } = question;
  if (deviation === undefined) {
    throw new SampleSizeError("baseline_rate", "Give either baseline_rate, or mean and standard_deviation");
  }
  if (relative && !baseline) throw new SampleSizeError("mean", "A relative effect needs a mean that is not 0");
  const effect = relative ? mde * Math.abs(baseline ?? 0) : mde;
  const target = baseline === undefined ? null : baseline + effect;
  if (effect === 0 && margin === null) throw new SampleSizeError("mde", "The effect is too small to detect");
  if (!Number.isFinite(target ?? effect)) throw new SampleSizeError("mde", "The effect is too large");
  const sizeOf: SizeOf = (options) =>
    margin === null
      ? meanSampleSize(effect, deviation, options)
      : ofMeanMargin(baseline, margin, deviation, effect, options);
  return { metric_kind: kind, baseline: baseline ?? null, target, effect, sizeOf, distribution };
}

function ofMeanMargin(
  mean: number | undefined,
  { margin, direction }: Margin,
  deviation: number,
  effect: number,
  options: MarginSampleSizeOptions,
): Size {
  if (!mean) throw new SampleSizeError("mean", "A margin needs a mean that is not 0");
  return withinMargin(() => meanMarginSampleSize(mean, mean + effect, deviation, margin, { ...options, direction }));
}
