import type { ArmEstimate } from "./comparison.ts";
import { type JointMoments, jointMomentsOf } from "./joint-moments.ts";
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
  const isKnown = variance !== null && n > 1;
  return { n, value, variance: isKnown ? (variance / clusters) * correction(clusters, n) * n : null };
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
  const sizes: number[] = [];
  for (const cluster of Array.from(observations.users)) sizes[cluster] = (sizes[cluster] ?? 0) + 1;
  // Clusters without a value have no size.
  const users = effectiveClusters(jointMomentsOf(sizes.flat()), 0);
  // There is no error of fewer than two clusters.
  const { standardError: error, users: clusters } = estimate;
  const standardError = error && error * Math.sqrt(correction(clusters, users));
  return { ...estimate, users, standardError, confidenceInterval: null };
}

/** G / (G - 1) in place of k / (k - 1), for k clusters of which G are effective. */
function correction(clusters: number, effective: number): number {
  return (1 - 1 / clusters) / (1 - 1 / effective);
}
