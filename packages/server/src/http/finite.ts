import type { z } from "zod";

type Path = (string | number)[];

/** Says that a number of an answer was beyond what a number can hold. */
export const NOT_FINITE = "NOT_FINITE";

/**
 * What leaves by a response schema. JSON has no word for NaN and the infinities, so one number that went wrong would be
 * a 500 for the whole answer, and for as long as its events are there: instead it is null, or what it belongs to is
 * (an interval for one end of it), or it is 0 where the contract allows neither. `analysis_warnings` says so, and
 * `onHoles` is told where.
 * @throws ZodError where something else is not as the contract says
 */
export function parseAnswer<T extends z.ZodType>(
  schema: T,
  value: unknown,
  onHoles: (paths: string[]) => void,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const holes = [...nonFinitePaths(value, [])];
  if (holes.length === 0) throw parsed.error;
  onHoles(holes.map((path) => path.join(".")));
  const answer: unknown = structuredClone(value);
  for (const path of holes) fill(schema, answer, path);
  const warnings = (answer as { analysis_warnings?: unknown }).analysis_warnings;
  if (Array.isArray(warnings)) warnings.push(NOT_FINITE);
  return schema.parse(answer);
}

function* nonFinitePaths(value: unknown, path: Path): Generator<Path> {
  if (typeof value === "number") {
    if (!Number.isFinite(value)) yield path;
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* nonFinitePaths(item, [...path, index]);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) yield* nonFinitePaths(item, [...path, name]);
  }
}

/** Makes null of the smallest part with the number that may be null, but of no item of a list; else 0 of the number. */
function fill(schema: z.ZodType, answer: unknown, path: Path): void {
  for (let end = path.length; end > 0; end--) {
    const part = path.slice(0, end);
    if (end < path.length && typeof part.at(-1) === "number") break;
    const before = replace(answer, part, null);
    const issues = schema.safeParse(answer).error?.issues ?? [];
    if (!issues.some((issue) => part.every((name, index) => issue.path[index] === name))) return;
    replace(answer, part, before);
  }
  replace(answer, path, 0);
}

/** Puts a value at a path, and answers what was there; nothing happens where the way there has become null. */
function replace(answer: unknown, path: Path, value: unknown): unknown {
  let parent = answer as Record<string | number, unknown> | null;
  for (const name of path.slice(0, -1)) parent = (parent?.[name] ?? null) as typeof parent;
  const last = path.at(-1);
  if (parent === null || last === undefined) return null;
  const before = parent[last];
  parent[last] = value;
  return before;
}
