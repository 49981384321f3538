import { normalizeWeights } from "../bucketing/weight.ts";
import { isAbsent, refuse } from "../format/definition-error.ts";

/** The variants of a flag, an experiment or a rule. Weights are fractions that sum to 1. */
export interface VariantList {
  keys: string[];
  weights: number[];
}

/** Reads a list of variants; absent is an empty one. @throws DefinitionError, or RangeError for the weights. */
export function readVariants(variants: readonly { key: string; weight?: number }[] | null | undefined): VariantList {
  if (isAbsent(variants) || variants.length === 0) return { keys: [], weights: [] };
  const keys = variants.map(({ key }) => (typeof key === "string" ? key : refuse("Expected variants with a key")));
  if (new Set(keys).size < keys.length) refuse("Expected variants with different keys");
  return { keys, weights: normalizeWeights(variants.map(({ weight }) => weight)) };
}
