import type { SegmentProgram } from "./program.ts";

/** Segments by id and by name; ids win. */
export function indexSegments<T extends { program: SegmentProgram }>(segments: Iterable<T>): Map<string, T> {
  const all = [...segments];
  const by = (name: "id" | "name") => all.map((segment) => [segment.program[name], segment] as const);
  return new Map([...by("name"), ...by("id")]);
}
