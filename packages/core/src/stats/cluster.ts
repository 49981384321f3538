import type { ArmEstimate } from "./comparison.ts";
import { addToJointMoments, emptyJointMoments, type JointMoments } from "./joint-moments.ts";
import { type Observations, type QuantileEstimate, type QuantileOptions, quantileEstimate } from "./quantile.ts";
import { ratioEstimate } from "./ratio.ts";

/**
 * The number of clusters of equal size that would tell as much as these: (sum of sizes)^2 / sum of squared sizes, which
 * is k / (1 + cv^2) for k clusters whose sizes vary by cv. The size is the value `denominator` of the joint moments.
 *
 * Source: Kish, Survey Sampling (1965), for weights; Carter, Schnepel and Steigerwald, Review of Economics and Statistics
 * 99 (2017), for the degrees of freedom of cluster-robust tests.
 */
export function effectiveClusters({ n, means, products }: JointMoments, denominator = 1): number {
  const mean = means[denominator]!;
  const square = products[denominator]![denominator]!;
  return n === 0 || mean === 0 ? 0 : n / (1 + square / n / mean / mean);
}

/**
 * The mean over users who were drawn in clusters, as a comparable estimate, from the joint moments of [sum of the users'
 * values, number of users] per cluster; or the ratio of two sums, from [numerator, denominator] per cluster.
 *
 * Users of a cluster may depend on each other in any way. `n` is the effective number of clusters, G, and the square of the
 * error is the delta method's over clusters, with G / (G - 1) in place of k / (k - 1): exact where users of a cluster are
 * independent. Of one effective cluster the variance is unknown.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018; the factor by the expected square of a cluster's residual.
 */
export function clusterEstimate(moments: JointMoments): ArmEstimate {
  return correctForSizes(ratioEstimate(moments), moments);
}

/** An estimate whose `n` counts clusters, with their effective number and the error corrected for their unequal sizes. */
export function correctForSizes({ n: clusters, value, variance }: ArmEstimate, moments: JointMoments): ArmEstimate {
  const n = effectiveClusters(moments);
  if (variance === null || n <= 1) return { n, value, variance: null };
  return { n, value, variance: (variance / clusters) * correction(clusters, n) * n };
}

/**
 * A quantile of the values of users who were drawn in clusters; `users` has the index of each value's cluster. In the answer
 * `users` is the effective number of clusters, by their numbers of values, and the error is corrected for it as in
 * {@link clusterEstimate}. Compare by the t-distribution. There is no interval of one arm.
 *
 * Source: Deng, Knoblich and Lu, KDD 2018, 4.3.
 *
 * @throws RangeError unless quantile lies strictly between 0 and 1, or for a cluster index per no value.
 */
export function clusterQuantileEstimate(
  observations: Required<Observations>,
  options: QuantileOptions = {},
): QuantileEstimate {
  const estimate = quantileEstimate(observations, options);
  const sizes = emptyJointMoments(1);
  const counts = new Map<number, number>();
  for (let i = 0; i < observations.users.length; i++) {
    const cluster = observations.users[i]!;
    counts.set(cluster, (counts.get(cluster) ?? 0) + 1);
  }
  for (const count of counts.values()) addToJointMoments(sizes, [count]);
  const users = effectiveClusters(sizes, 0);
  const nothing = { ...estimate, users, standardError: null, confidenceInterval: null };
  if (estimate.standardError === null) return nothing;
  if (users <= 1) return { ...nothing, status: "INSUFFICIENT_DATA" };
  const { standardError, users: clusters } = estimate;
  return { ...nothing, standardError: standardError * Math.sqrt(correction(clusters, users)) };
}

/** G / (G - 1) in place of k / (k - 1), for k clusters of which G are effective. */
function correction(clusters: number, effective: number): number {
  return (((clusters - 1) / clusters) * effective) / (effective - 1);
}
