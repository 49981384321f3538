import {
  adjustClusters,
  type Baseline,
  type Contributions,
  type MetricStatistics,
  mergeContributions,
} from "@assay/analysis";
import type { Adjustment } from "@assay/contract";
import {
  type AdjustedArms,
  adjustArms,
  type JointMoments,
  mergeJointMoments,
  type Proportion,
} from "@assay/core/stats";

/**
 * Minimum expected number of conversions, and of users without one, in the smaller arm for comparing rates as means.
 * Below it, the score test of the unadjusted rates keeps its level better (docs/statistics/regression-adjustment.md).
 */
const MIN_EXPECTED_CONVERSIONS = 20;
/**
 * Minimum number of users per arm whose covariate is not 0, for slopes per arm. Fewer users would determine the slope
 * alone.
 */
const MIN_CARRIERS = 20;

/** Two arms adjusted by their baseline. Without arms, `status` is the reason. */
export interface Adjusting {
  baseline: Baseline;
  status: Adjustment["status"];
  arms: AdjustedArms | null;
}

/** The arm that is adjusted, and those that are its control together, by their indexes. */
interface Sides {
  arm: number;
  against: readonly number[];
}

/** Cache by metric and arms, because several tests of one answer need the same adjusted arms. */
const known = new WeakMap<MetricStatistics, Map<string, Adjusting>>();

/**
 * Adjusts an arm and the arm or arms that it is compared with, control by default, to their common mean covariates.
 * Returns null if the experiment does not adjust.
 */
export function adjusting(
  statistics: MetricStatistics,
  arm: number,
  against: readonly number[] = [0],
): Adjusting | null {
  const { baseline } = statistics;
  if (!baseline) return null;
  const own = known.get(statistics) ?? new Map<string, Adjusting>();
  known.set(statistics, own);
  const name = [arm, ...against].join();
  const adjusted = own.get(name) ?? adjust(statistics, baseline, { arm, against });
  own.set(name, adjusted);
  return adjusted;
}

function adjust(statistics: MetricStatistics, baseline: Baseline, sides: Sides): Adjusting {
  if (baseline.clusters) return adjustInClusters(baseline, baseline.clusters, sides);
  if (!baseline.arms) {
    return { baseline, status: statistics.form === "QUANTILE" ? "NOT_APPLICABLE" : "NOT_AVAILABLE", arms: null };
  }
  const both = bothOf(baseline.arms, sides, mergeJointMoments);
  const reason = whyNot(statistics, both, sides);
  if (reason) return { baseline, status: reason, arms: null };
  const isPerArm = baseline.method === "REGRESSION" && isCarried(baseline, sides);
  const arms = adjustArms(...both, {
    outcome: statistics.form === "RATIO" ? "RATIO" : "MEAN",
    slopes: isPerArm ? "PER_ARM" : "COMMON",
  });
  if (arms.slopes === null) return { baseline, status: "NO_COVARIATE_VARIES", arms: null };
  const isCommon = baseline.method === "REGRESSION" && arms.slopes === "COMMON";
  return { baseline, status: isCommon ? "COMMON_SLOPES" : "OK", arms };
}

/** Returns what is known of the control side, of all its arms together, and of the arm. */
function bothOf<T>(all: readonly T[], { arm, against }: Sides, merge: (a: T, b: T) => T): [control: T, treatment: T] {
  const [first, ...rest] = against.map((one): T => all[one] as T);
  return [rest.reduce(merge, first as T), all[arm] as T];
}

/** Adjusts the contributions of clusters. */
function adjustInClusters(baseline: Baseline, clusters: readonly Contributions[], sides: Sides): Adjusting {
  const isRegression = baseline.method === "REGRESSION";
  const arms = adjustClusters(...bothOf(clusters, sides, mergeContributions), {
    slopes: isRegression ? "PER_ARM" : "COMMON",
  });
  if (!arms) return { baseline, status: "INSUFFICIENT_DATA", arms: null };
  if (arms.slopes === null) return { baseline, status: "NO_COVARIATE_VARIES", arms: null };
  return { baseline, status: isRegression && arms.slopes === "COMMON" ? "COMMON_SLOPES" : "OK", arms };
}

function whyNot(
  statistics: MetricStatistics,
  both: readonly JointMoments[],
  sides: Sides,
): Adjustment["status"] | null {
  const isDefined = both.every(({ n, means }) => n >= 2 && (statistics.form !== "RATIO" || means[1] !== 0));
  if (!isDefined) return "INSUFFICIENT_DATA";
  if (statistics.form !== "PROPORTION") return null;
  const together = (a: Proportion, b: Proportion) => ({ successes: a.successes + b.successes, n: a.n + b.n });
  return hasFew(...bothOf(statistics.arms, sides, together)) ? "TOO_FEW_CONVERSIONS" : null;
}

/** Whether the smaller side expects few conversions, or few users without one, at the rate of both together. */
function hasFew(control: Proportion, treatment: Proportion): boolean {
  const rate = (control.successes + treatment.successes) / (control.n + treatment.n);
  return Math.min(control.n, treatment.n) * Math.min(rate, 1 - rate) < MIN_EXPECTED_CONVERSIONS;
}

/** Whether enough users of both sides have each covariate that any of them has. */
function isCarried({ carriers }: Baseline, sides: Sides): boolean {
  const own = carriers.map((counts) => bothOf(counts, sides, (a, b) => a + b)).filter(([c, t]) => c + t > 0);
  return own.every((counts) => Math.min(...counts) >= MIN_CARRIERS);
}
