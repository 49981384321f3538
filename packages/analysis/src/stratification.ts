import type { ArmEstimate } from "@assay/core/stats";
import { estimateOf } from "./estimate.ts";
import type { GroupStatistics } from "./groups.ts";
import type { MetricStatistics } from "./metric.ts";

/** One metric in one period, and the period's share of the counted users. */
interface Stratum {
  statistics: MetricStatistics;
  share: number;
}

/** An arm's combined estimate; the variance is that of one of `n` users. */
interface Combined {
  n: number;
  value: number;
  variance: number | null;
}

/**
 * Returns the metrics of an experiment whose weights changed, adjusted for changes over time: each period counts by its
 * share of all users, equally in every arm. Pooling the users of an arm instead would weight the periods by the arm's
 * own users, and an arm that grew while everything improved would look better than it is. Each period is randomised
 * separately, so the difference of two arms is that of comparable users.
 *
 * Counted are the periods in which each of `arms` has an estimate with an error, two users at least. The answer has the
 * form of the metric, with moments that produce this estimate and its error: a rate of p with error e has p (1 - p) /
 * e^2 users, which need not be whole.
 *
 * Source: post-stratification, W. G. Cochran, Sampling Techniques (3rd ed. 1977), 5A.
 *
 * @param arms the arms to compare; any other arm uses the periods in which it has users
 */
export function stratify(periods: readonly GroupStatistics[], arms: readonly number[]): MetricStatistics[] {
  const metrics = periods[0]?.metrics ?? [];
  return metrics.map((first, index) => {
    const all = periods.map(({ users, metrics: own }) => ({ statistics: own[index]!, users: sum(users) }));
    const strataOf = (needed: readonly number[]): Stratum[] => {
      const usable = all.filter(({ statistics }) => needed.every((arm) => isMeasured(estimateOf(statistics, arm))));
      const total = sum(usable.map(({ users }) => users));
      return usable.map(({ statistics, users }) => ({ statistics, share: users / total }));
    };
    const common = strataOf(arms);
    const combined = first.arms.map((_, arm) => combine(arms.includes(arm) ? common : strataOf([arm]), arm));
    return toStatistics(first, combined);
  });
}

function isMeasured({ n, variance }: ArmEstimate): boolean {
  return n >= 2 && variance !== null && Number.isFinite(variance);
}

function combine(strata: readonly Stratum[], arm: number): Combined {
  const estimates = strata.map(({ statistics, share }) => ({ share, ...estimateOf(statistics, arm) }));
  const n = sum(estimates.map((one) => one.n));
  const squaredError = sum(estimates.map((one) => (one.share ** 2 * (one.variance ?? 0)) / one.n));
  return {
    n,
    value: sum(estimates.map((one) => one.share * one.value)),
    variance: n === 0 ? null : squaredError * n,
  };
}

function toStatistics({ metric, form }: MetricStatistics, arms: readonly Combined[]): MetricStatistics {
  // The sum of squares that gives a sample of n this variance, with denominator n - 1.
  const m2 = ({ n, variance }: Combined) => (variance ?? 0) * Math.max(0, n - 1);
  switch (form) {
    case "PROPORTION":
      return { metric, form, arms: arms.map(toProportion) };
    case "MEAN":
      return { metric, form, arms: arms.map((arm) => ({ n: arm.n, mean: arm.value, m2: m2(arm) })) };
    case "RATIO":
      // A ratio to a denominator that is 1 for everyone.
      return {
        metric,
        form,
        arms: arms.map((arm) => ({ n: arm.n, means: [arm.value, arm.n > 0 ? 1 : 0], products: [[m2(arm)], [0, 0]] })),
      };
    case "QUANTILE":
      return { metric, form, arms: arms.map(toQuantile) };
  }
}

function toProportion({ n, value, variance }: Combined) {
  const rate = Math.min(1, Math.max(0, value));
  const users = variance ? (rate * (1 - rate) * n) / variance : n;
  return { n: users, successes: rate * users };
}

function toQuantile({ n, value, variance }: Combined) {
  const isKnown = variance !== null;
  return {
    n,
    users: n,
    value: isKnown ? value : null,
    standardError: isKnown ? Math.sqrt(variance / n) : null,
    confidenceInterval: null,
    status: isKnown ? ("OK" as const) : ("INSUFFICIENT_DATA" as const),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
