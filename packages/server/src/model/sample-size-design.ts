import type { Clusters, Design } from "@assay/core/stats/design";
import { SampleSizeError, type SampleSizeQuestion } from "./sample-size-question.ts";

/**
 * Returns the weights, metrics, correlation and clusters of a sample size.
 *
 * @throws SampleSizeError if the weights do not fit the arms, or if the clusters lack a number
 */
export function designOf({ weights, variants, metrics = 1, ...question }: SampleSizeQuestion): Design {
  if (weights && variants !== undefined && weights.length !== variants) {
    throw new SampleSizeError("weights", `Give a weight for each of the ${variants} arms, or leave out variants`);
  }
  if (weights?.some((weight) => weight === 0)) {
    throw new SampleSizeError("weights", "An arm without weight gets no users: leave it out");
  }
  const clusters = clustersOf(question);
  return {
    weights: weights ?? Array.from({ length: variants ?? 2 }, () => 1),
    metrics,
    correlation: question.cuped_correlation ?? 0,
    ...(clusters && { clusters }),
  };
}

function clustersOf({
  cluster_size: size,
  cluster_size_cv: variation,
  icc,
}: Pick<SampleSizeQuestion, "cluster_size" | "cluster_size_cv" | "icc">): Clusters | undefined {
  if (size !== undefined && icc !== undefined) return { size, icc, variation: variation ?? 0 };
  const field = size === undefined ? "cluster_size" : "icc";
  if ([size, variation, icc].every((one) => one === undefined)) return undefined;
  throw new SampleSizeError(field, "Clusters need both cluster_size and icc");
}

/** Returns the number of clusters in all arms, or null without clusters. @param arms users of each arm */
export function clusterCount(arms: readonly number[], clusters: Clusters | undefined): number | null {
  return clusters ? arms.reduce((sum, users) => sum + Math.ceil(users / clusters.size), 0) : null;
}
