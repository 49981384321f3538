import { toMessage } from "../format/definition-error.ts";

/** An error in a definition: where, and what. */
export interface Problem {
  /** From the given object: `["rules", 0, "when", "all", 1, "operator"]`. */
  path: (string | number)[];
  message: string;
}

/** A path into a definition. */
export type Path = readonly (string | number)[];

/**
 * The limits of a definition: rules, conditions in all, levels of conditions, values in one list, characters of all
 * patterns together.
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
