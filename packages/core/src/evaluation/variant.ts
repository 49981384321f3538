import { normalizeWeights } from "../bucketing/weight.ts";
import { isAbsent, refuse } from "../targeting/definition-error.ts";
import type { FlagDefinition, FlagVariant } from "./definition.ts";

/** The variants of a flag, an experiment or a rule; weights are fractions that sum to 1. */
export interface VariantList {
  keys: string[];
  weights: number[];
}

/** A flag as its definition has it, or a program. */
type Armed<V> = Pick<FlagDefinition, "value_type" | "default_value"> & { variants: V[] };

/** Reads a list of variants; absent is an empty one. @throws DefinitionError, or RangeError for the weights. */
export function readVariants(variants: readonly { key: string; weight?: number }[] | null | undefined): VariantList {
  if (isAbsent(variants) || variants.length === 0) return { keys: [], weights: [] };
  const keys = variants.map(({ key }) => (typeof key === "string" ? key : refuse("Expected variants with a key")));
  if (new Set(keys).size < keys.length) refuse("Expected variants with different keys");
  return { keys, weights: normalizeWeights(variants.map(({ weight }) => weight)) };
}

/** A boolean flag that lists no variants: it has `on` and `off`. */
export function isPlainBoolean(definition: Armed<unknown> | null | undefined): boolean {
  const variants = definition?.variants ?? [];
  return Array.isArray(variants) && variants.length === 0 && (definition?.value_type ?? "BOOLEAN") === "BOOLEAN";
}

/** The variants of a flag, also of a boolean one that lists none. */
export function toArms<V extends Pick<FlagVariant, "key" | "value">>(flag: Armed<V>): (V | FlagVariant)[] {
  if (!isPlainBoolean(flag)) return flag.variants;
  return [
    { key: "on", weight: 1, value: true },
    { key: "off", weight: 0, value: flag.default_value ?? false },
  ];
}
