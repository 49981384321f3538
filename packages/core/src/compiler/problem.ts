import { toMessage } from "../format/definition-error.ts";

/** An error of a definition, with its location. */
export interface Problem {
  /** Path from the given object, such as `["rules", 0, "when", "all", 1, "operator"]`. */
  path: (string | number)[];
  message: string;
}

/** A path into a definition. */
export type Path = readonly (string | number)[];

/**
 * The limits of a definition: number of rules, total number of conditions, depth of conditions, values per list, and
 * total length of patterns in characters.
 */
export const LIMITS = { rules: 50, conditions: 100, depth: 8, listValues: 10_000, patternLength: 10_000 } as const;

/** Adds a problem. */
export function report(problems: Problem[], path: Path, message: string): void {
  problems.push({ path: [...path], message });
}

/** Runs a function that throws for an invalid part, and turns its error into a problem. */
export function attempt(problems: Problem[], path: Path, compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    report(problems, path, toMessage(error));
  }
}

/** Reports a list that exceeds the limit. */
export function checkLength(problems: Problem[], path: Path, list: unknown): void {
  if (!Array.isArray(list) || list.length <= LIMITS.listValues) return;
  report(problems, path, `At most ${LIMITS.listValues} values, not ${list.length}`);
}
