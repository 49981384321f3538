/** Something wrong in a definition: where, and what. */
export interface Problem {
  /** From the object that was given: `["rules", 0, "when", "operator"]`. */
  path: (string | number)[];
  message: string;
}

/** A path into a definition. */
export type Path = readonly (string | number)[];

/** What a definition may hold at most; beyond it is a {@link Problem}. */
export const LIMITS = { rules: 50, conditions: 100, depth: 8, listValues: 10_000, patternLength: 1_000 } as const;

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property: whatever a definition or a context inherits is not in it. */
export function own(record: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Absent is undefined or null. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** Reports every key of a record that is not known: a misread key would change who gets what. */
export function checkKeys(record: object, known: readonly string[], path: Path, problems: Problem[]): void {
  for (const key of Object.keys(record)) {
    if (!known.includes(key)) problems.push({ path: [...path, key], message: `Unknown key ${JSON.stringify(key)}` });
  }
}

/** Reads a list whose values all pass the guard, reporting what does not; absent is an empty list. */
export function readList<T>(
  value: unknown,
  isValue: (value: unknown) => value is T,
  expected: string,
  path: Path,
  problems: Problem[],
): T[] {
  if (isAbsent(value)) return [];
  if (!Array.isArray(value)) {
    problems.push({ path: [...path], message: `Expected a list of ${expected}` });
    return [];
  }
  if (value.length > LIMITS.listValues) {
    problems.push({ path: [...path], message: `At most ${LIMITS.listValues} values, not ${value.length}` });
    return [];
  }
  const list: T[] = [];
  value.forEach((item: unknown, index) => {
    if (isValue(item)) list.push(item);
    else problems.push({ path: [...path, index], message: `Expected ${expected}` });
  });
  return list;
}

export function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** A value that conditions and blocks can compare. */
export type Scalar = string | number | boolean;

export function isScalar(value: unknown): value is Scalar {
  return (
    typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))
  );
}

/** A definition that cannot be evaluated: it is not understood, so nobody gets anything but the default. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
}

/** Says what was not understood and where, for an error message. */
export function describeProblem(problem: Problem): string {
  return problem.path.length === 0 ? problem.message : `${problem.path.join(".")}: ${problem.message}`;
}
