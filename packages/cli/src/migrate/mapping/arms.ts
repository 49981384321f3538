import type { FlagVariant, JsonValue } from "@assay/core";
import { isKey } from "./key.ts";
import type { FlagBody } from "./migration.ts";
import { noCounterpart } from "./no-counterpart.ts";

/** The variants of a flag whose source has values instead of keys. */
export interface Arms {
  /** Returns the key of the variant with a value; a new one gets the preferred key, or one made from the value. */
  keyOf(value: unknown, preferred?: string): string;
  /** The type that all values have. @throws {NoCounterpart} for values of several types */
  valueType(): FlagBody["value_type"];
  /** The variants with these weights, by key. */
  list(weights: ReadonlyMap<string, number>): FlagVariant[];
}

/** Creates the variants of a flag. @param first the value that decides the type */
export function createArms(): Arms {
  const values = new Map<string, JsonValue>();
  return {
    keyOf(value, preferred) {
      const same = JSON.stringify(value);
      const known = [...values].find(([key, one]) => JSON.stringify(one) === same && (preferred ?? key) === key);
      if (known) return known[0];
      const wanted = preferred !== undefined && isKey(preferred) ? preferred : toKey(value, values.size + 1);
      let key = wanted;
      for (let copy = 2; values.has(key); copy++) key = `${wanted}-${copy}`;
      values.set(key, value as JsonValue);
      return key;
    },
    valueType() {
      const [type, ...others] = new Set([...values.values()].map(typeOf));
      return others.length === 0 && type !== undefined ? type : noCounterpart("Its values have several types");
    },
    list: (weights) => [...values].map(([key, value]) => ({ key, weight: weights.get(key) ?? 0, value })),
  };
}

function toKey(value: unknown, place: number): string {
  if (typeof value === "boolean") return value ? "on" : "off";
  return typeof value === "string" && value.length <= 40 && isKey(value) ? value : `variant-${place}`;
}

/** Returns the type of flags with a value. @throws {NoCounterpart} for null */
export function typeOf(value: unknown): FlagBody["value_type"] {
  switch (typeof value) {
    case "boolean":
      return "BOOLEAN";
    case "string":
      return "STRING";
    case "number":
      return "NUMBER";
    default:
      return value === null || value === undefined ? noCounterpart("One of its values is null") : "OBJECT";
  }
}
