import type { Fields } from "./definition.ts";

/** A place in a definition that names segments or flags. */
export interface Reference {
  kind: "segment" | "flag";
  names: readonly string[];
  path: readonly (string | number)[];
}

/** Returns the segments and flags to which the fields of a definition refer: segments first. */
export function listReferences(fields: Fields): Reference[] {
  const { targeting_rules, rules, prerequisites, overrides, conditions, feature_flag_key } = fields;
  const { user_segments = [] } = (targeting_rules ?? {}) as { user_segments?: string[] };
  const segments = [
    ...user_segments.map((name, index) => ({ names: [name], path: ["targeting_rules", "user_segments", index] })),
    ...((rules ?? []) as { when: unknown }[]).flatMap(({ when }, index) =>
      listInConditions(when, ["rules", index, "when"]),
    ),
    ...listInConditions(conditions, ["conditions"]),
    ...((overrides ?? []) as { user_segment?: string }[]).map(({ user_segment }, index) => ({
      names: user_segment === undefined ? [] : [user_segment],
      path: ["overrides", index, "user_segment"],
    })),
  ];
  const flags = [
    ...((prerequisites ?? []) as { flag_key: string }[]).map(({ flag_key }, index) => ({
      names: [flag_key],
      path: ["prerequisites", index, "flag_key"],
    })),
    ...(typeof feature_flag_key === "string" ? [{ names: [feature_flag_key], path: ["feature_flag_key"] }] : []),
  ];
  return [
    ...segments.map((one) => ({ ...one, kind: "segment" as const })),
    ...flags.map((one) => ({ ...one, kind: "flag" as const })),
  ];
}

/** Returns the segments that a tree of conditions names. */
function listInConditions(node: unknown, path: readonly (string | number)[]): Omit<Reference, "kind">[] {
  if (Array.isArray(node)) return node.flatMap((part, index) => listInConditions(part, [...path, index]));
  if (typeof node !== "object" || node === null) return [];
  const { all, any, not, operator, value } = node as Record<string, unknown>;
  const names = operator === "IN_SEGMENT" ? [value].flat().filter((name) => typeof name === "string") : [];
  const inside = Object.entries({ all, any, not }).flatMap(([key, part]) => listInConditions(part, [...path, key]));
  return names.length > 0 ? [{ names, path: [...path, "value"] }, ...inside] : inside;
}
