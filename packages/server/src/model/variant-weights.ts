import { normalizeWeights } from "@assay/core";
import { invalid } from "../ground/errors.ts";

/**
 * Fills in missing weights: equal shares of the remainder, in the same scale (fractions or percentages). @throws
 * ApiError 422 if they do not sum to 1 (or 100)
 */
export function withWeights<T extends { weight?: number | undefined }>(variants: T[]): (T & { weight: number })[] {
  if (variants.length === 0) return [];
  try {
    const shares = normalizeWeights(variants.map(({ weight }) => weight));
    const scale = variants.reduce((sum, { weight = 0 }) => sum + weight, 0) > 1.5 ? 100 : 1;
    return variants.map((variant, index) => ({ ...variant, weight: variant.weight ?? shares[index]! * scale }));
  } catch (error) {
    if (error instanceof RangeError) throw invalid(["body", "variants"], error.message);
    throw error;
  }
}
