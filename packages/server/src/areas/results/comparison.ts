import { clusterLiftInterval, estimateOf, type MetricStatistics } from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import {
  type AnytimeDecision,
  type AnytimeOptions,
  compareArms,
  compareArmsAnytime,
  compareMeans,
  compareProportions,
  compareProportionsAnytime,
  type Decision,
  type Interval,
  newcombeInterval,
  type Proportion,
} from "@assay/core/stats";
import { decideAdjusted } from "./adjusted.ts";
import { adjusting } from "./adjusting.ts";

/** A metric in one arm. */
export interface Arm {
  n: number;
  /** Value of the arm; null if it is undefined, without users or with a denominator of 0. */
  value: number | null;
}

/** A treatment against control, and how it was tested. */
export interface Pair {
  control: Arm;
  treatment: Arm;
  test: string;
  compared: Decision;
  /** Newcombe's interval of a proportion with few successes or failures, for comparison with other tools. */
  newcombeInterval: Interval | null;
  /** The adjustment of `compared`; absent if the experiment does not adjust metrics. */
  adjustment?: Adjustment;
}

/** Fewer successes or failures than this count as few. */
const FEW = 5;

/** Tests an arm, counted from 1, against control, by the settings of the experiment and the kind of the metric. */
export function comparePair(statistics: MetricStatistics, arm: number, alpha: number): Pair {
  const pair = compareUnadjusted(statistics, arm, alpha);
  const adjusted = adjusting(statistics, arm);
  return adjusted ? { ...pair, ...decideAdjusted(adjusted, pair, alpha) } : pair;
}

function compareUnadjusted(statistics: MetricStatistics, arm: number, alpha: number): Pair {
  const pair = { control: toArm(statistics, 0), treatment: toArm(statistics, arm), newcombeInterval: null };
  switch (statistics.form) {
    case "PROPORTION": {
      const [control, treatment] = [statistics.arms[0]!, statistics.arms[arm]!];
      const compared = compareProportions(control, treatment, { alpha });
      const isSmall = hasFew(control) || hasFew(treatment);
      const interval = isSmall ? newcombeInterval(control, treatment, { alpha }) : null;
      return { ...pair, test: "TWO_PROPORTION_SCORE", compared, newcombeInterval: interval };
    }
    case "MEAN": {
      const compared = compareMeans(statistics.arms[0]!, statistics.arms[arm]!, { alpha });
      return { ...pair, test: "WELCH_AND_POOLED_T", compared };
    }
    case "RATIO": {
      const test = statistics.clusters ? "CLUSTER_ROBUST_T" : "RATIO_DELTA_T";
      return { ...pair, test, compared: compareOthers(statistics, arm, alpha, "t") };
    }
    case "QUANTILE": {
      const [test, reference] = statistics.clusters
        ? (["CLUSTER_ROBUST_T", "t"] as const)
        : (["QUANTILE_Z", "normal"] as const);
      return { ...pair, test, compared: compareOthers(statistics, arm, alpha, reference) };
    }
  }
}

function hasFew({ successes, n }: Proportion): boolean {
  return Math.min(successes, n - successes) < FEW;
}

/** Tests an arm against control by a test that is valid at any time. */
export function comparePairAnytime(
  statistics: MetricStatistics,
  arm: number,
  options: AnytimeOptions,
): AnytimeDecision {
  const adjusted = adjusting(statistics, arm)?.arms;
  if (adjusted) return compareArmsAnytime(adjusted.control, adjusted.treatment, options);
  return statistics.form === "PROPORTION"
    ? compareProportionsAnytime(statistics.arms[0]!, statistics.arms[arm]!, options)
    : compareArmsAnytime(estimateOf(statistics, 0), estimateOf(statistics, arm), options);
}

/** Tests a ratio or a quantile by the estimates of the arms. Without an estimate there is no difference either. */
function compareOthers(
  statistics: MetricStatistics,
  arm: number,
  alpha: number,
  referenceDistribution: "t" | "normal",
): Decision {
  const [control, treatment] = [estimateOf(statistics, 0), estimateOf(statistics, arm)];
  const decided = compareArms(control, treatment, { alpha, referenceDistribution });
  const lift = decided.relativeConfidenceInterval;
  const compared =
    lift && statistics.clusters
      ? { ...decided, relativeConfidenceInterval: clusterLiftInterval(lift, control, treatment, alpha) }
      : decided;
  const missing = [0, arm].find((one) => isEmpty(statistics, one));
  if (missing === undefined) return compared;
  const isDivided = statistics.form === "RATIO" && statistics.arms[0]!.n > 0 && statistics.arms[arm]!.n > 0;
  return {
    ...compared,
    difference: null,
    relativeDifference: null,
    status: isDivided ? "ZERO_DENOMINATOR" : "INSUFFICIENT_DATA",
  };
}

/** Returns the metric in one arm. */
function toArm(statistics: MetricStatistics, arm: number): Arm {
  const { n, value } = estimateOf(statistics, arm);
  return { n, value: n > 0 && !isEmpty(statistics, arm) ? finite(value) : null };
}

/** Whether an arm has no data to compute the metric from. */
function isEmpty(statistics: MetricStatistics, arm: number): boolean {
  if (statistics.form === "RATIO") return statistics.arms[arm]!.means[1] === 0;
  return statistics.form === "QUANTILE" && statistics.arms[arm]!.value === null;
}

/** Returns a number that JSON can represent, or null. */
export function finite(value: number | null): number | null {
  return value !== null && Number.isFinite(value) ? value : null;
}
