import {
  type ArmEstimate,
  clusterEstimate,
  type JointMoments,
  meanEstimate,
  rateEstimate,
  ratioEstimate,
} from "@assay/core/stats";
import type { MetricStatistics } from "./metric.ts";

/**
 * Estimates a metric in one arm. The variance is null if it is undefined, and an undefined value is 0. For clusters,
 * `n` is their effective number.
 */
export function estimateOf(statistics: MetricStatistics, arm: number): ArmEstimate {
  switch (statistics.form) {
    case "PROPORTION":
      return rateEstimate(statistics.arms[arm]!);
    case "MEAN":
      return meanEstimate(statistics.arms[arm]!);
    case "RATIO": {
      const moments: JointMoments = statistics.arms[arm]!;
      return moments.n === 0 || moments.means[1] === 0
        ? { n: moments.n, value: 0, variance: null }
        : statistics.clusters
          ? clusterEstimate(moments)
          : ratioEstimate(moments);
    }
    case "QUANTILE": {
      // It has its own error; the variance per user is derived from that.
      const { users, value, standardError } = statistics.arms[arm]!;
      return { n: users, value: value ?? 0, variance: standardError === null ? null : standardError ** 2 * users };
    }
  }
}
