import type { SampleSize, SampleSizeQuery } from "@assay/contract";
import { meanSampleSize, proportionSampleSize, treatmentRate } from "@assay/core/stats";
import type { z } from "zod";
import { invalid } from "../../http/errors.ts";

/** What a sample size is asked for; the API's query, also made from a design. */
export type SampleSizeRequest = z.output<typeof SampleSizeQuery>;

/**
 * Users and days an experiment needs: unpooled normal approximation for rates, Welch's t for means, two-sided, each
 * treatment against control at alpha over the comparisons.
 *
 * @param at where the request's fields came from, for errors: `query` or `body`
 * @throws ApiError 422 where there is no baseline, or the effect leads nowhere
 */
export function toSampleSize(request: SampleSizeRequest, at: "query" | "body" = "query"): SampleSize {
  const { alpha, power, variants, daily_users } = request;
  const { kind, baseline, target, effect, size } =
    request.baseline_rate === undefined ? ofMeans(request, at) : ofRates(request, at);
  const total = Math.max(size.total, variants);
  return {
    metric_kind: kind,
    baseline,
    target,
    absolute_effect: effect,
    relative_effect: baseline ? effect / Math.abs(baseline) : null,
    alpha,
    alpha_per_comparison: size.alphaPerComparison,
    power,
    variants,
    per_variant: size.control,
    total,
    daily_users: daily_users ?? null,
    days: daily_users === undefined ? null : Math.ceil(total / daily_users),
  };
}

function ofRates(request: SampleSizeRequest, at: string) {
  const { baseline_rate: baseline = 0, mde, relative, standard_deviation, mean } = request;
  if (mean !== undefined || standard_deviation !== undefined) {
    throw invalid([at, "baseline_rate"], "Give either baseline_rate, or mean and standard_deviation");
  }
  const target = treatmentRate(baseline, mde, relative ? "relative" : "absolute");
  if (target >= 1) throw invalid([at, "mde"], `The effect leads to a rate of ${target}, which is not below 1`);
  const size = bounded(proportionSampleSize(baseline, target, request), at);
  return { kind: "CONVERSION" as const, baseline, target, effect: target - baseline, size };
}

function ofMeans(request: SampleSizeRequest, at: string) {
  const { mean, standard_deviation, mde, relative } = request;
  if (standard_deviation === undefined) {
    throw invalid([at, "baseline_rate"], "Give either baseline_rate, or mean and standard_deviation");
  }
  if (relative && !mean) throw invalid([at, "mean"], "A relative effect needs a mean that is not 0");
  const effect = relative ? mde * Math.abs(mean ?? 0) : mde;
  const size = bounded(meanSampleSize(effect, standard_deviation, { ...request, distribution: "t" }), at);
  return {
    kind: "MEAN" as const,
    baseline: mean ?? null,
    target: mean === undefined ? null : mean + effect,
    effect,
    size,
  };
}

/** More users than numbers count exactly are no plan. */
function bounded<T extends { total: number }>(size: T, at: string): T {
  if (!Number.isSafeInteger(size.total)) throw invalid([at, "mde"], "An effect this small cannot be found");
  return size;
}
