import type { FlagHistory } from "@assay/contract";
import type { JsonValue } from "@assay/core";

type Difference = FlagHistory["items"][number]["diff"][number];

/**
 * Returns the differences of two values, by JSON Pointer (RFC 6901). Recurses into objects and lists of equal length.
 * Compares lists of different lengths as a whole, because their members cannot be matched.
 */
export function toDifferences(old: JsonValue, next: JsonValue, path = ""): Difference[] {
  if (old === next) return [];
  const names = sharedNames(old, next);
  if (!names) return [{ path, op: "REPLACE", old_value: old, new_value: next }];
  return names.flatMap((name): Difference[] => {
    const inner = `${path}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    const [before, after] = [memberOf(old, name), memberOf(next, name)];
    if (before === undefined) return [{ path: inner, op: "ADD", old_value: null, new_value: after! }];
    if (after === undefined) return [{ path: inner, op: "REMOVE", old_value: before, new_value: null }];
    return toDifferences(before, after, inner);
  });
}

/** Returns the keys to compare, or null if the values are compared as a whole. */
function sharedNames(old: JsonValue, next: JsonValue): string[] | null {
  if (typeof old !== "object" || typeof next !== "object" || old === null || next === null) return null;
  if (Array.isArray(old) !== Array.isArray(next)) return null;
  if (Array.isArray(old) && Array.isArray(next) && old.length !== next.length) return null;
  return [...new Set([...Object.keys(old), ...Object.keys(next)])];
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  const members = value as Record<string, JsonValue>;
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
