import type { FlagDefinition, SegmentDefinition } from "../format/definition.ts";
import type { WireCondition } from "./condition.ts";

/**
 * The first cycle of prerequisites, as flag keys from the flag that closes it back to itself (`["a", "b", "a"]`),
 * or null.
 */
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

/** The first cycle of segments that refer to segments, as names from one back to itself, or null. */
export function findSegmentCycle(segments: readonly SegmentDefinition[]): string[] | null {
  const names = new Map<string, string>();
  for (const segment of segments) names.set(segment.name, segment.id);
  for (const segment of segments) names.set(segment.id, segment.id);
  const titles = new Map(segments.map((segment) => [segment.id, segment.name]));
  const edges = new Map<string, string[]>();
  for (const segment of segments) {
    edges.set(
      segment.id,
      namedIn(segment.when).map((reference) => names.get(reference) ?? reference),
    );
  }
  return findCycle(edges)?.map((id) => titles.get(id) ?? id) ?? null;
}

/** The segments that a condition names, found without compiling it. */
function namedIn(condition: WireCondition | null | undefined): string[] {
  const { all, any, not, operator, value } = condition ?? {};
  const parts = [all, any, not].flat().filter((part) => typeof part === "object" && part !== null);
  const own = operator === "IN_SEGMENT" ? [value].flat().filter((name) => typeof name === "string") : [];
  return [...own, ...parts.flatMap(namedIn)];
}

/** Depth-first with an explicit stack, so that a chain of ten thousand does not overflow the call stack. */
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
