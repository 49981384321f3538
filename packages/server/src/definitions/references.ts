import type { Condition, ExperimentDefinition, FlagDefinition, SegmentDefinition } from "@assay/core";

/** Definitions that may refer to segments. */
export type Referring = Partial<
  Pick<FlagDefinition, "targeting_rules" | "rules"> &
    Pick<ExperimentDefinition, "overrides"> &
    Pick<SegmentDefinition, "when">
>;

/** Adds the ids and names of the segments that a definition refers to. */
export function collectReferences(
  names: Set<string>,
  { targeting_rules, rules, overrides, when }: Referring,
): Set<string> {
  for (const name of targeting_rules?.user_segments ?? []) names.add(name);
  for (const { when } of rules ?? []) collectFrom(names, when);
  for (const { user_segment } of overrides ?? []) if (user_segment !== undefined) names.add(user_segment);
  if (when) collectFrom(names, when);
  return names;
}

/**
 * The segments referred to by id or name, directly or through other segments. Adds the names these refer to to `names`.
 */
export function neededSegments<T extends SegmentDefinition>(segments: readonly T[], names: Set<string>): T[] {
  const known = new Map<string, T[]>();
  for (const segment of segments) {
    for (const name of new Set([segment.id, segment.name])) known.set(name, [...(known.get(name) ?? []), segment]);
  }
  const needed = new Set<T>();
  // Iterating a Set visits members added during the loop.
  for (const name of names) {
    for (const segment of known.get(name) ?? []) {
      if (!needed.has(segment)) collectReferences(names, { when: segment.when });
      needed.add(segment);
    }
  }
  return segments.filter((segment) => needed.has(segment));
}

/** The IN_SEGMENT conditions of a tree: the segment each names, and its path. */
export function segmentConditions(
  condition: Condition,
  path: readonly (string | number)[],
): { names: string[]; path: (string | number)[] }[] {
  const inside = (parts: readonly Condition[], key: string) =>
    parts.flatMap((part, index) => segmentConditions(part, [...path, key, index]));
  if ("all" in condition) return inside(condition.all, "all");
  if ("any" in condition) return inside(condition.any, "any");
  if ("not" in condition) {
    return Array.isArray(condition.not)
      ? inside(condition.not, "not")
      : segmentConditions(condition.not, [...path, "not"]);
  }
  if (condition.operator !== "IN_SEGMENT") return [];
  return [{ names: [condition.value].flat().map(String), path: [...path, "value"] }];
}

function collectFrom(names: Set<string>, condition: Condition): void {
  for (const found of segmentConditions(condition, [])) for (const name of found.names) names.add(name);
}
