import type { ExperimentDesign } from "@assay/contract";

type Shape = Pick<ExperimentDesign, "variants" | "split_url_config" | "factors">;

/**
 * Weights of the arms that get users, control first; those of SPLIT_URL experiments are equal but for rounding to whole
 * percent, and those of combinations are equal.
 */
export function weightsOf({ variants, split_url_config, factors }: Shape): number[] {
  const weights = variants?.map(({ weight }) => weight).filter((weight) => weight > 0);
  if (weights && weights.length > 1) return weights;
  const combinations = (factors ?? []).reduce((product, { levels }) => product * levels.length, 1);
  return Array.from({ length: Math.max(2, split_url_config?.variants.length ?? combinations) }, () => 1);
}

/** The smallest share of users that an arm gets, and whether all get as many. */
export function leastOf(weights: readonly number[]): { leastShare: number; isEven: boolean } {
  const leastShare = Math.min(...weights) / weights.reduce((sum, weight) => sum + weight, 0);
  return { leastShare, isEven: leastShare * weights.length > 0.999 };
}
