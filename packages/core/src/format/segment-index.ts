import type { SegmentProgram } from "./program.ts";

/** Indexes segments by id and by name; ids take precedence. */
export function indexSegments<T extends { program: SegmentProgram }>(segments: Iterable<T>): Map<string, T> {
  const all = [...segments];
  return new Map([
    ...all.map((segment) => [segment.program.name, segment] as const),
    ...all.map((segment) => [segment.program.id, segment] as const),
  ]);
}
