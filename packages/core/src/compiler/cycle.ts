import type { FlagDefinition, SegmentDefinition } from "../format/definition.ts";
import { listSegmentReferences } from "./segment-reference.ts";

/** Finds the first cycle of prerequisites: flag keys from a flag back to itself (`["a", "b", "a"]`), or null. */
export function findPrerequisiteCycle(
  flags: readonly Pick<FlagDefinition, "key" | "prerequisites">[],
): string[] | null {
  const edges = new Map<string, string[]>();
  for (const flag of flags)
    edges.set(
      flag.key,
      (flag.prerequisites ?? []).map((prerequisite) => prerequisite.flag_key),
    );
  return findCycle(edges);
}

/** Finds the first cycle of segments that refer to segments: names from a segment back to itself, or null. */
export function findSegmentCycle(segments: readonly SegmentDefinition[]): string[] | null {
  const names = new Map<string, string>();
  for (const segment of segments) names.set(segment.name, segment.id);
  for (const segment of segments) names.set(segment.id, segment.id);
  const titles = new Map(segments.map((segment) => [segment.id, segment.name]));
  const edges = new Map<string, string[]>();
  for (const segment of segments) {
    const named = listSegmentReferences(segment.when).flatMap((reference) => reference.names);
    edges.set(
      segment.id,
      named.map((name) => names.get(name) ?? name),
    );
  }
  return findCycle(edges)?.map((id) => titles.get(id) ?? id) ?? null;
}

/**
 * Finds a cycle depth-first, with an explicit stack, so that a chain of ten thousand does not overflow the call stack.
 */
function findCycle(edges: ReadonlyMap<string, readonly string[]>): string[] | null {
  const done = new Set<string>();
  for (const root of edges.keys()) {
    const trail: { key: string; next: number }[] = [{ key: root, next: 0 }];
    const onTrail = new Set([root]);
    while (trail.length > 0) {
      const top = trail[trail.length - 1]!;
      const target = done.has(top.key) ? undefined : edges.get(top.key)?.[top.next];
      if (target === undefined) {
        done.add(top.key);
        onTrail.delete(top.key);
        trail.pop();
        continue;
      }
      top.next += 1;
      if (onTrail.has(target)) {
        const keys = trail.map((step) => step.key);
        return [...keys.slice(keys.indexOf(target)), target];
      }
      trail.push({ key: target, next: 0 });
      onTrail.add(target);
    }
  }
  return null;
}
