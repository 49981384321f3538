import { normalizeWeights } from "../bucketing/weight.ts";
import { isAbsent, isRecord, isString, own, type Path, type Problem } from "../targeting/problem.ts";

/** The variants of a flag, an experiment or a rule, read from a definition. */
export interface VariantList {
  keys: string[];
  /** Fractions that sum to 1. */
  weights: number[];
}

/** Reads a list of `{key, weight}`; absent or empty is an empty list. */
export function readVariants(value: unknown, path: Path, problems: Problem[]): VariantList {
  const list: VariantList = { keys: [], weights: [] };
  if (isAbsent(value)) return list;
  if (!Array.isArray(value)) {
    problems.push({ path: [...path], message: "Expected a list of variants" });
    return list;
  }
  const weights: (number | null)[] = [];
  value.forEach((variant: unknown, index) => {
    const at = (...below: string[]) => [...path, index, ...below];
    if (!isRecord(variant)) {
      problems.push({ path: at(), message: "Expected a variant" });
      return;
    }
    const key = own(variant, "key");
    const weight = own(variant, "weight");
    if (!isString(key)) problems.push({ path: at("key"), message: "Expected a string" });
    else if (list.keys.includes(key))
      problems.push({ path: at("key"), message: `Two variants ${JSON.stringify(key)}` });
    if (!isAbsent(weight) && typeof weight !== "number")
      problems.push({ path: at("weight"), message: "Expected a number" });
    list.keys.push(String(key));
    weights.push(typeof weight === "number" ? weight : null);
  });
  if (weights.length === 0) return list;
  try {
    list.weights = normalizeWeights(weights);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    problems.push({ path: [...path], message: error.message });
    list.weights = weights.map(() => 1 / weights.length);
  }
  return list;
}
