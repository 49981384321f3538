import type { Condition, FlagVariant, JsonValue } from "@assay/core";
import { anyOf } from "../mapping/condition.ts";
import { requireKey } from "../mapping/key.ts";
import type { FlagBody } from "../mapping/migration.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { isOneOf, toAttribute } from "./constraint.ts";
import type { Variant } from "./payload.ts";

type ValueType = FlagBody["value_type"];

/** Converts weights to percentages. */
export function toShares(variants: readonly Variant[]): { key: string; weight: number }[] {
  const total = variants.reduce((sum, { weight }) => sum + weight, 0);
  if (total <= 0) return noCounterpart("No variant has a weight");
  return variants.map(({ name, weight }) => ({ key: requireKey(name), weight: (weight * 100) / total }));
}

/** Joins the variants of all strategies by name, weighted as in the last list, which becomes the rollout of the flag. */
export function toVariants(lists: readonly (readonly Variant[])[]): { value_type: ValueType; variants: FlagVariant[] } {
  const all = lists.flat();
  const value_type = typeOf(all);
  const own = new Map(toShares(lists.at(-1)!).map(({ key, weight }) => [key, weight]));
  const variants = new Map<string, FlagVariant>();
  for (const variant of all) {
    const value = payloadOf(variant, value_type);
    const known = variants.get(variant.name);
    if (known && JSON.stringify(known.value) !== JSON.stringify(value))
      return noCounterpart(`Strategies give the variant ${variant.name} different payloads`);
    variants.set(variant.name, { key: requireKey(variant.name), weight: own.get(variant.name) ?? 0, value });
  }
  return { value_type, variants: [...variants.values()] };
}

/** The users who always get a variant, in the order in which Unleash looks for them. */
export function toOverrides(variants: readonly Variant[]): { key: string; when: Condition }[] {
  return variants.flatMap(({ name, overrides }) => {
    const conditions = (overrides ?? [])
      .filter(({ values }) => values.length > 0)
      .map(({ contextName, values }) => isOneOf(toAttribute(contextName), values));
    return conditions.length > 0 ? [{ key: name, when: anyOf(conditions) }] : [];
  });
}

function typeOf(variants: readonly Variant[]): ValueType {
  const areAll = (type: string, isValid: (value: string) => boolean) =>
    variants.every(({ payload }) => payload?.type === type && isValid(payload.value));
  if (areAll("number", (value) => value.trim() !== "" && Number.isFinite(Number(value)))) return "NUMBER";
  return areAll("json", isObject) ? "OBJECT" : "STRING";
}

function payloadOf({ name, payload }: Variant, type: ValueType): JsonValue {
  if (type === "NUMBER") return Number(payload!.value);
  if (type === "OBJECT") return JSON.parse(payload!.value) as JsonValue;
  return payload?.value ?? name;
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null;
  } catch {
    return false;
  }
}
