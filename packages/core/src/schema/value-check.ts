import type { JsonValue } from "../format/definition.ts";
import type { JsonSchema, SchemaProblem } from "./schema.ts";
import type { Work } from "./work.ts";

/** The place of a part in a value: a name in the place of the part around it. Null is the whole. */
export type Place = { name: string | number; around: Place } | null;

/** Where a check reports what is wrong. */
export interface Run {
  problems: SchemaProblem[];
  work: Work;
}

/** Checks a value, and reports what is wrong with it. */
export type Check = (value: JsonValue, place: Place, run: Run) => void;

/** Compiles a schema within a schema, or the one that a reference names. */
export interface Compile {
  schema(schema: JsonSchema): Check;
  reference(pointer: string): Check;
}

/** The most problems that are reported of one value. */
export const MAX_REPORTED = 100;

export function report(run: Run, place: Place, message: string): void {
  if (run.problems.length >= MAX_REPORTED) return;
  const path: (string | number)[] = [];
  for (let one = place; one; one = one.around) path.unshift(one.name);
  run.problems.push({ path, message });
}

/** Returns the problems of a check, without reporting them. */
export function attempt(check: Check, value: JsonValue, place: Place, { work }: Run): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  check(value, place, { problems, work });
  return problems;
}

/** Returns a value as text, equal for equal values whatever the order of their names. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}
