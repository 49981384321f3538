import type { ArmEstimate } from "./comparison.ts";
import { type JointMoments, jointMomentsOf } from "./joint-moments.ts";
import { type Observations, type QuantileEstimate, type QuantileOptions, quantileEstimate } from "./quantile.ts";
import { ratioEstimate } from "./ratio.ts";

/**
 * Returns the number of clusters of equal size that would be as informative as these: (sum of sizes)^2 / sum of squared
 * sizes. For k clusters whose sizes vary by cv it is k / (1 + cv^2). The size is the value `denominator` of the joint
 * moments.
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
 * Returns a comparable estimate of the mean over users who were assigned in clusters, from the joint moments of [sum of
 * the users' values, number of users] per cluster. From [numerator, denominator] per cluster it is the ratio of two
 * sums.
 *
 * Users of a cluster may depend on each other in any way. `n` is the effective number of clusters, G. The squared error
 * is that of the delta method over clusters, with G / (G - 1) in place of k / (k - 1): this is exact if users of a
 * cluster are independent. With one effective cluster the variance is unknown.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018. The factor follows from the expected square of a cluster's
 * residual.
 */
export function clusterEstimate(moments: JointMoments): ArmEstimate {
  return correctForSizes(ratioEstimate(moments), moments);
}

/**
 * Corrects an estimate whose `n` counts clusters: sets the effective number of clusters, and the error for unequal
 * sizes.
 */
export function correctForSizes({ n: clusters, value, variance }: ArmEstimate, moments: JointMoments): ArmEstimate {
  const n = effectiveClusters(moments);
  const isKnown = variance !== null && n > 1;
  return { n, value, variance: isKnown ? (variance / clusters) * correction(clusters, n) * n : null };
}

/**
 * Returns a quantile of the values of users who were assigned in clusters. `users` of the observations has the index of
 * each value's cluster. `users` of the answer is the effective number of clusters, by their numbers of values, and the
 * error is corrected for it as in {@link clusterEstimate}. Compare by the t-distribution. One arm has no interval.
 *
 * Source: Deng, Knoblich and Lu, KDD 2018, 4.3.
 *
 * @throws RangeError unless the quantile lies strictly between 0 and 1, and each value has a cluster index.
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
  // Fewer than two clusters have no error.
  const { standardError: error, users: clusters } = estimate;
  const standardError = error && error * Math.sqrt(correction(clusters, users));
  return { ...estimate, users, standardError, confidenceInterval: null };
}

/**
 * Returns the factor of the squared error: G / (G - 1) in place of k / (k - 1), for k clusters, of which G are
 * effective.
 */
function correction(clusters: number, effective: number): number {
  return (1 - 1 / clusters) / (1 - 1 / effective);
}
