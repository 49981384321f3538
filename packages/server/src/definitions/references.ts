import type { ExperimentDefinition, FlagDefinition, SegmentDefinition } from "@assay/core";
import { listSegmentReferences, type SegmentReference } from "@assay/core/server";

/** Definitions that may refer to segments. */
export type Referring = Partial<
  Pick<FlagDefinition, "targeting_rules" | "rules"> &
    Pick<ExperimentDefinition, "overrides"> &
    Pick<SegmentDefinition, "when">
>;

/**
 * Returns the ids and names of the segments that a definition refers to: in targeting, rules, overrides and conditions.
 */
export function namedSegments({ targeting_rules, rules, overrides, when }: Referring): Set<string> {
  const conditions = [...(rules ?? []).map((rule) => rule.when), when];
  return new Set([
    ...(targeting_rules?.user_segments ?? []),
    ...conditions.flatMap((condition) => listSegmentReferences(condition).flatMap(({ names }) => names)),
    ...(overrides ?? []).flatMap(({ user_segment }) => user_segment ?? []),
  ]);
}

/**
 * Returns the segments referred to by id or name, directly or through other segments. Adds the names in these segments
 * to `names`.
 */
export function neededSegments<T extends SegmentDefinition>(segments: readonly T[], names: Set<string>): T[] {
  const byName = new Map<string, T[]>();
  for (const segment of segments) {
    for (const name of new Set([segment.id, segment.name])) byName.set(name, [...(byName.get(name) ?? []), segment]);
  }
  const needed = new Set<T>();
  // Iterating a Set visits members added during the loop.
  for (const name of names) {
    for (const segment of byName.get(name) ?? []) {
      if (needed.has(segment)) continue;
      needed.add(segment);
      for (const reference of namedSegments({ when: segment.when })) names.add(reference);
    }
  }
  return segments.filter((segment) => needed.has(segment));
}

/** Returns the first reference to a segment that does not exist, or null if all exist. */
export function findMissing(
  references: readonly SegmentReference[],
  exists: (idOrName: string) => boolean,
): { name: string; path: (string | number)[] } | null {
  for (const { names, path } of references) {
    const name = names.find((one) => !exists(one));
    if (name !== undefined) return { name, path };
  }
  return null;
}
