import { type ArmEstimate, type JointMoments, meanEstimate, rateEstimate, ratioEstimate } from "@assay/core/stats";
import type { MetricStatistics } from "./metric.ts";

/** The metric in one arm as an estimate, the variance null where it is undefined; the value is then 0 at worst. */
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
        : ratioEstimate(moments);
    }
    case "QUANTILE": {
      // It has an error of its own; the variance per user is the one that makes it.
      const { users, value, standardError } = statistics.arms[arm]!;
      return { n: users, value: value ?? 0, variance: standardError === null ? null : standardError ** 2 * users };
    }
  }
}
