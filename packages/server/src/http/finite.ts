import type { z } from "zod";

type Path = (string | number)[];

/** The warning that a number of the response was NaN or infinite. */
export const NOT_FINITE = "NOT_FINITE";

/**
 * Parses a response by its schema. JSON cannot represent NaN and Infinity, so one such number would turn the whole
 * response into a 500 for as long as its events exist. Instead the number becomes null, or its parent does (an interval
 * for one of its ends), or it becomes 0 if the contract allows no null. `analysis_warnings` reports this, and `onHoles`
 * receives the paths.
 * @throws ZodError if another value violates the contract
 */
export function parseAnswer<T extends z.ZodType>(
  schema: T,
  value: unknown,
  onHoles: (paths: string[]) => void,
): z.output<T> {
  // What `safeParse` does without an error object: this is the hot path of every response.
  const parsed = schema._zod.run({ value, issues: [] }, { async: false });
  if ("value" in parsed && parsed.issues.length === 0) return parsed.value as z.output<T>;
  const holes = [...nonFinitePaths(value, [])];
  if (holes.length === 0) throw schema.safeParse(value).error;
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

/**
 * Sets the smallest nullable part around the number to null, but never an item of a list; otherwise sets the number to
 * 0.
 */
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

/** Replaces the value at a path and returns the old one. Does nothing if a parent is null already. */
function replace(answer: unknown, path: Path, value: unknown): unknown {
  let parent = answer as Record<string | number, unknown> | null;
  for (const name of path.slice(0, -1)) parent = (parent?.[name] ?? null) as typeof parent;
  const last = path.at(-1);
  if (parent === null || last === undefined) return null;
  const before = parent[last];
  parent[last] = value;
  return before;
}
