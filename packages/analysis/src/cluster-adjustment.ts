import {
  type AdjustedArms,
  type ArmEstimate,
  adjustArms,
  type JointMoments,
  mergeJointMoments,
  type Slopes,
} from "@assay/core/stats";
import type { ClusterSums } from "./clusters.ts";
import { jointMomentsOf } from "./metric.ts";

/**
 * The minimum number of effective clusters per coefficient (the slopes and the mean): of each arm for slopes per arm, of
 * both arms together for common slopes.
 */
const MIN_CLUSTERS_A_SLOPE = 20;
/**
 * The minimum number of clusters of each arm whose covariate is not 0, for slopes per arm. Fewer clusters would determine
 * the slope alone.
 */
const MIN_CARRIERS = 20;

/** What clusters of one arm contribute to the means of an outcome and its covariates over users. */
export interface Contributions {
  /** The joint moments of [outcome, covariates] over clusters. Their means are those over users, or the ratio. */
  moments: JointMoments;
  /** The effective number of clusters, by the outcome's denominator. */
  effective: number;
  /** The number of clusters whose sum is not 0, by covariate. */
  carriers: number[];
}

/**
 * Returns per arm what each cluster contributes, from the sums of [numerator, denominator, users, covariates] of its
 * users: the mean m of the arm plus (sum - m users) / (mean users of a cluster), and of the outcome likewise by its
 * denominator, which is `users` for a mean. An arm without a denominator has no clusters.
 *
 * Source: delta method, Deng, Knoblich and Lu, KDD 2018.
 */
export function contributionsOf({ columns, arms: armOf }: ClusterSums, arms: number): Contributions[] {
  const none = () => columns.map(() => 0);
  const totals = Array.from({ length: arms }, () => ({ clusters: 0, square: 0, sums: none(), carriers: none() }));
  for (let cell = 0; cell < armOf.length; cell++) {
    const own = totals[armOf[cell]!]!;
    own.clusters++;
    own.square += columns[1]![cell]! ** 2;
    for (const [index, column] of columns.entries()) {
      own.sums[index]! += column[cell]!;
      own.carriers[index]! += Number(column[cell] !== 0);
    }
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
  return totals.map(({ sums, square, carriers }, arm) => {
    const isKnown = sums[1] !== 0 && Number.isFinite(square);
    return {
      moments: isKnown ? moments[arm]! : { ...moments[arm]!, n: 0 },
      effective: isKnown ? sums[1]! ** 2 / square : 0,
      carriers: carriers.slice(3),
    };
  });
}

/** Merges the contributions of two arms, as those of one arm. */
export function mergeContributions(a: Contributions, b: Contributions): Contributions {
  return {
    moments: mergeJointMoments(a.moments, b.moments),
    effective: a.effective + b.effective,
    carriers: a.carriers.map((count, covariate) => count + b.carriers[covariate]!),
  };
}

/**
 * Adjusts two arms of users in clusters to the mean covariates of both together, as `adjustArms` does, by regressions of
 * the clusters' contributions. The error is that over clusters, and `n` the effective number of them, less one for each
 * slope per arm.
 *
 * Slopes are COMMON unless PER_ARM is given (Lin's interacted estimator), each arm has 20 effective clusters per
 * coefficient, and each arm has 20 clusters with a value other than 0 for each covariate.
 *
 * @returns null with fewer than 20 effective clusters of both arms together per coefficient
 */
export function adjustClusters(
  control: Contributions,
  treatment: Contributions,
  { slopes = "COMMON" }: { slopes?: Slopes } = {},
): AdjustedArms | null {
  const least = MIN_CLUSTERS_A_SLOPE * control.moments.means.length;
  const fewest = Math.min(control.effective, treatment.effective);
  if (fewest < 2 || control.effective + treatment.effective < least) return null;
  const hasOwn = slopes === "PER_ARM" && fewest >= least && isCarried(control, treatment);
  const arms = adjustArms(control.moments, treatment.moments, { slopes: hasOwn ? "PER_ARM" : "COMMON" });
  const own = arms.slopes === "PER_ARM" ? arms.covariates.length : 0;
  return {
    ...arms,
    control: overClusters(arms.control, control, own),
    treatment: overClusters(arms.treatment, treatment, own),
  };
}

/** Whether enough clusters of both arms have each covariate that any cluster has. */
function isCarried(control: Contributions, treatment: Contributions): boolean {
  return control.carriers.every((own, covariate) => {
    const other = treatment.carriers[covariate]!;
    return own + other === 0 || Math.min(own, other) >= MIN_CARRIERS;
  });
}

/**
 * Sets the effective number of clusters G, and the error with G / (G - 1 - slopes) in place of k / (k - 1 - slopes),
 * where `slopes` are those of the arm alone.
 */
function overClusters(
  { n, value, variance }: ArmEstimate,
  { moments, effective }: Contributions,
  slopes: number,
): ArmEstimate {
  const lost = 1 + slopes;
  const correction = (1 - lost / moments.n) / (1 - lost / effective);
  const left = effective - slopes;
  return { n: left, value, variance: variance && (variance / n) * correction * left };
}
