import { estimateOf, type MetricStatistics, type SufficientStatistics } from "@assay/analysis";
import type { MetricResult } from "@assay/contract";

/**
 * Minimum number of effective clusters per arm. Below it, a few clusters decide the result, and the test has little
 * power.
 */
const MIN_CLUSTERS = 10;

/** Returns the fields of a row whose users were assigned in clusters; none otherwise. `arm` counts from 1. */
export function clusterFields({ clusters }: MetricStatistics, arm: number): Pick<MetricResult, "unit" | "clusters"> {
  return clusters ? { unit: "CLUSTER", clusters: { control: clusters[0]!, treatment: clusters[arm]! } } : {};
}

/** Returns the warnings about an experiment whose users were assigned in clusters. */
export function clusterWarnings({
  clusters,
  metrics,
  users,
}: Pick<SufficientStatistics, "clusters" | "metrics" | "users">): string[] {
  if (!clusters) return users.some((n) => n > 0) ? ["UNITS_NOT_INDEPENDENT"] : [];
  return [
    ...(clusters.unknown > 0 ? ["CLUSTER_UNKNOWN"] : []),
    ...(hasFew(clusters.clusters, metrics) ? ["FEW_CLUSTERS"] : []),
  ];
}

function hasFew(clusters: readonly number[], metrics: readonly MetricStatistics[]): boolean {
  // A quantile covers only the users with a value. The status of its row reports if they are too few.
  const means = metrics.filter(({ form }) => form !== "QUANTILE");
  const effective = means.flatMap((one) => one.arms.map((_, arm) => estimateOf(one, arm).n));
  return [...clusters, ...effective].some((n) => n < MIN_CLUSTERS);
}
