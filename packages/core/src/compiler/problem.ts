import { toMessage } from "../format/definition-error.ts";

/** Something in a definition that no evaluator would understand: where, and what. */
export interface Problem {
  /** From the object that was given: `["rules", 0, "when", "all", 1, "operator"]`. */
  path: (string | number)[];
  message: string;
}

/** A path into a definition. */
export type Path = readonly (string | number)[];

/**
 * What a definition may hold at most: rules, conditions in all, levels of conditions, values in one list, characters of
 * all patterns together.
 */
export const LIMITS = { rules: 50, conditions: 100, depth: 8, listValues: 10_000, patternLength: 10_000 } as const;

/** Adds a problem. */
export function report(problems: Problem[], path: Path, message: string): void {
  problems.push({ path: [...path], message });
}

/** Runs what throws for a part that is not understood, and turns what it throws into a problem. */
export function attempt(problems: Problem[], path: Path, compile: () => unknown): void {
  try {
    compile();
  } catch (error) {
    report(problems, path, toMessage(error));
  }
}

/** Reports a list that is longer than a list of a definition may be. */
export function checkLength(problems: Problem[], path: Path, list: unknown): void {
  if (!Array.isArray(list) || list.length <= LIMITS.listValues) return;
  report(problems, path, `At most ${LIMITS.listValues} values, not ${list.length}`);
}
