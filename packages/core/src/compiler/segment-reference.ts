import type { Condition } from "../format/definition.ts";
import type { WireCondition } from "./condition.ts";
import type { Path } from "./problem.ts";

/** An IN_SEGMENT condition. */
export interface SegmentReference {
  /** The ids or names of the segments that it names. */
  names: string[];
  /** Path of the names. */
  path: (string | number)[];
}

/**
 * Lists the IN_SEGMENT conditions of a tree without compiling it.
 * @param path where the tree is
 */
export function listSegmentReferences(condition: Condition | null | undefined, path: Path = []): SegmentReference[] {
  const { all, any, not, operator, value }: WireCondition = condition ?? {};
  const own = operator === "IN_SEGMENT" ? [value].flat().filter((name) => typeof name === "string") : [];
  const inside = Object.entries({ all, any, not }).flatMap(([key, parts]) => listWithin(parts, [...path, key]));
  return own.length > 0 ? [{ names: own, path: [...path, "value"] }, ...inside] : inside;
}

function listWithin(parts: unknown, path: Path): SegmentReference[] {
  if (Array.isArray(parts)) return parts.flatMap((part, index) => listWithin(part, [...path, index]));
  return typeof parts === "object" && parts !== null ? listSegmentReferences(parts as Condition, path) : [];
}
