import type { ExperimentDesign } from "@assay/contract";

type Shape = Pick<ExperimentDesign, "variants" | "split_url_config" | "factors">;

/**
 * Returns the weights of the arms that get users, control first. SPLIT_URL experiments have equal weights, rounded to
 * whole percent. Combinations have equal weights.
 */
export function weightsOf({ variants, split_url_config, factors }: Shape): number[] {
  const weights = variants?.map(({ weight }) => weight).filter((weight) => weight > 0);
  if (weights && weights.length > 1) return weights;
  const combinations = (factors ?? []).reduce((product, { levels }) => product * levels.length, 1);
  return Array.from({ length: Math.max(2, split_url_config?.variants.length ?? combinations) }, () => 1);
}

/** Returns the smallest share of users of an arm, and whether all shares are equal. */
export function leastOf(weights: readonly number[]): { leastShare: number; isEven: boolean } {
  const leastShare = Math.min(...weights) / weights.reduce((sum, weight) => sum + weight, 0);
  return { leastShare, isEven: leastShare * weights.length > 0.999 };
}
