import { estimateOf, type MetricStatistics } from "@assay/analysis";
import {
  type AnytimeOptions,
  type ArmEstimate,
  armMarginTest,
  armMarginTestAnytime,
  type Claim,
  type MarginTest,
  marginPValue,
  type Proportion,
  proportionMarginTest,
  proportionMarginTestAnytime,
} from "@assay/core/stats";
import { adjusting } from "./adjusting.ts";

type Metric = MetricStatistics["metric"];

/** Returns the claim of a metric: its hypothesis and the direction that is better. */
export function claimOf({ hypothesis = "SUPERIORITY", direction }: Pick<Metric, "hypothesis" | "direction">): Claim {
  return { hypothesis, direction };
}

/** Returns the fields of a row that contain the hypothesis of its metric. */
export function hypothesisFields({ hypothesis = "SUPERIORITY", margin = null }: Metric) {
  return { hypothesis, margin };
}

/**
 * Returns the estimates of control and of an arm for the test of a margin, adjusted if the experiment adjusts. Returns
 * null for rates, which have a score test.
 */
function estimatesOf(statistics: MetricStatistics, arm: number): [control: ArmEstimate, treatment: ArmEstimate] | null {
  const adjusted = adjusting(statistics, arm)?.arms;
  if (adjusted) return [adjusted.control, adjusted.treatment];
  return statistics.form === "PROPORTION" ? null : [estimateOf(statistics, 0), estimateOf(statistics, arm)];
}

/** Returns the rates of control and of an arm. */
function ratesOf({ form, arms }: MetricStatistics, arm: number): [control: Proportion, treatment: Proportion] {
  if (form !== "PROPORTION") throw new Error(`A ${form} has no rates`);
  return [arms[0]!, arms[arm]!];
}

/**
 * Computes the one-sided p-value of an arm against the margin of its metric. Returns null without a margin, or if the
 * p-value is undefined.
 */
export function marginPValueOf(statistics: MetricStatistics, arm: number, alpha: number): number | null {
  const { metric, form } = statistics;
  if (metric.margin == null) return null;
  const estimates = estimatesOf(statistics, arm);
  const referenceDistribution = form === "QUANTILE" && !statistics.clusters ? "normal" : "t";
  const test = estimates
    ? armMarginTest(...estimates, metric.margin, { alpha, referenceDistribution })
    : proportionMarginTest(...ratesOf(statistics, arm), metric.margin);
  return marginPValue(test, claimOf(metric));
}

/** Tests an arm against the margin of its metric, by a test that is valid at any time. */
export function testMarginAnytime(statistics: MetricStatistics, arm: number, options: AnytimeOptions): MarginTest {
  const { margin } = statistics.metric;
  if (margin == null) return { aboveLower: null, belowUpper: null };
  const estimates = estimatesOf(statistics, arm);
  return estimates
    ? armMarginTestAnytime(...estimates, margin, options)
    : proportionMarginTestAnytime(...ratesOf(statistics, arm), margin, options);
}

/** Combines both tests over all looks: each p-value is the smallest so far. */
export function replayMargin(tests: readonly MarginTest[]): MarginTest {
  const least = (values: (number | null)[]) => {
    const known = values.filter((value) => value !== null);
    return known.length === 0 ? null : Math.min(...known);
  };
  return {
    aboveLower: least(tests.map(({ aboveLower }) => aboveLower)),
    belowUpper: least(tests.map(({ belowUpper }) => belowUpper)),
  };
}
