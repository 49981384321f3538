import { type AdjustedArms, type ArmEstimate, adjustArms, type JointMoments } from "@assay/core/stats";
import type { ClusterSums } from "./clusters.ts";
import { jointMomentsOf } from "./metric.ts";

/** The minimum number of effective clusters of both arms together per coefficient: the slopes and the mean. */
const MIN_CLUSTERS_A_SLOPE = 20;

/** What clusters of one arm contribute to the means of an outcome and its covariates over users. */
export interface Contributions {
  /** The joint moments of [outcome, covariates] over clusters. Their means are those over users, or the ratio. */
  moments: JointMoments;
  /** The effective number of clusters, by the outcome's denominator. */
  effective: number;
}

/**
 * Returns per arm what each cluster contributes, from the sums of [numerator, denominator, users, covariates] of its
 * users: the mean m of the arm plus (sum - m users) / (mean users of a cluster), and of the outcome likewise by its
 * denominator, which is `users` for a mean. An arm without a denominator has no clusters.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 */
export function contributionsOf({ columns, arms: armOf }: ClusterSums, arms: number): Contributions[] {
  const totals = Array.from({ length: arms }, () => ({ clusters: 0, square: 0, sums: columns.map(() => 0) }));
  for (let cell = 0; cell < armOf.length; cell++) {
    const own = totals[armOf[cell]!]!;
    own.clusters++;
    own.square += columns[1]![cell]! ** 2;
    for (const [index, column] of columns.entries()) own.sums[index]! += column[cell]!;
  }
  const outcomeAndCovariates = [...columns.keys()].filter((index) => index === 0 || index > 2);
  const moments = jointMomentsOf(
    outcomeAndCovariates.map((index) => {
      const sizes = index === 0 ? 1 : 2;
      return columns[index]!.map((sum, cell) => {
        const { clusters, sums } = totals[armOf[cell]!]!;
        const mean = sums[index]! / sums[sizes]!;
        return mean + ((sum - mean * columns[sizes]![cell]!) * clusters) / sums[sizes]!;
      });
    }),
    armOf,
    arms,
  );
  return totals.map(({ sums, square }, arm) => {
    const isKnown = sums[1] !== 0 && Number.isFinite(square);
    return {
      moments: isKnown ? moments[arm]! : { ...moments[arm]!, n: 0 },
      effective: isKnown ? sums[1]! ** 2 / square : 0,
    };
  });
}

/**
 * Adjusts two arms of users in clusters to the mean covariates of both together, as `adjustArms` does with common
 * slopes: those of the clusters' contributions. The error is that over clusters, and `n` the effective number of them.
 *
 * @returns null with fewer than 20 effective clusters of both arms together per coefficient
 */
export function adjustClusters(control: Contributions, treatment: Contributions): AdjustedArms | null {
  const least = MIN_CLUSTERS_A_SLOPE * control.moments.means.length;
  if (Math.min(control.effective, treatment.effective) < 2 || control.effective + treatment.effective < least)
    return null;
  const arms = adjustArms(control.moments, treatment.moments, { slopes: "COMMON" });
  return { ...arms, control: overClusters(arms.control, control), treatment: overClusters(arms.treatment, treatment) };
}

/** Sets the effective number of clusters G, and the error with G / (G - 1) in place of k / (k - 1). */
function overClusters({ value, variance }: ArmEstimate, { moments, effective }: Contributions): ArmEstimate {
  const correction = (1 - 1 / moments.n) / (1 - 1 / effective);
  return { n: effective, value, variance: variance && (variance / moments.n) * correction * effective };
}
