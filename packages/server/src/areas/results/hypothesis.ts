import { estimateOf, type MetricStatistics } from "@assay/analysis";
import {
  type AnytimeOptions,
  armMarginTest,
  armMarginTestAnytime,
  type Claim,
  type MarginTest,
  marginPValue,
  proportionMarginTest,
  proportionMarginTestAnytime,
} from "@assay/core/stats";
import { adjusting } from "./adjusted.ts";

type Metric = MetricStatistics["metric"];

/** What a metric is to show, and which direction is better. */
export function claimOf({ hypothesis = "SUPERIORITY", direction }: Pick<Metric, "hypothesis" | "direction">): Claim {
  return { hypothesis, direction };
}

/** The fields of a row that say what its metric is to show. */
export function hypothesisFields({ hypothesis = "SUPERIORITY", margin = null }: Metric) {
  return { hypothesis, margin };
}

/** The one-sided p-value of an arm against its metric's margin; null without a margin, and where it is undefined. */
export function marginPValueOf(statistics: MetricStatistics, arm: number, alpha: number): number | null {
  const { metric, form } = statistics;
  if (metric.margin == null) return null;
  const adjusted = adjusting(statistics, arm)?.arms;
  if (adjusted) {
    return marginPValue(armMarginTest(adjusted.control, adjusted.treatment, metric.margin, { alpha }), claimOf(metric));
  }
  if (form === "PROPORTION") {
    const test = proportionMarginTest(statistics.arms[0]!, statistics.arms[arm]!, metric.margin);
    return marginPValue(test, claimOf(metric));
  }
  const referenceDistribution = form === "QUANTILE" ? "normal" : "t";
  const [control, treatment] = [estimateOf(statistics, 0), estimateOf(statistics, arm)];
  const test = armMarginTest(control, treatment, metric.margin, { alpha, referenceDistribution });
  return marginPValue(test, claimOf(metric));
}

/** An arm against its metric's margin, so that it may be read at any time. */
export function testMarginAnytime(statistics: MetricStatistics, arm: number, options: AnytimeOptions): MarginTest {
  const { margin } = statistics.metric;
  if (margin == null) return { aboveLower: null, belowUpper: null };
  const adjusted = adjusting(statistics, arm)?.arms;
  if (adjusted) return armMarginTestAnytime(adjusted.control, adjusted.treatment, margin, options);
  return statistics.form === "PROPORTION"
    ? proportionMarginTestAnytime(statistics.arms[0]!, statistics.arms[arm]!, margin, options)
    : armMarginTestAnytime(estimateOf(statistics, 0), estimateOf(statistics, arm), margin, options);
}

/** Both tests over all looks: each p-value is the least so far. */
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
