import { SCHEMA_VERSION } from "./definition.ts";

/** The error of an invalid definition. Evaluations of it return the default. */
export class DefinitionError extends Error {
  override readonly name = "DefinitionError";
}

/** The error of definitions with a newer format than this evaluator supports. */
export class SchemaVersionError extends Error {
  override readonly name = "SchemaVersionError";
  readonly version: number;

  constructor(version: number) {
    super(`Schema version ${version} is newer than ${SCHEMA_VERSION}`);
    this.version = version;
  }
}

/** Rejects a definition. @throws DefinitionError always */
export function refuse(message: string): never {
  throw new DefinitionError(message);
}

/** Returns the message of a thrown value. */
export function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : "unknown error";
}

/** Returns the value if it is an object and not an array. @throws DefinitionError for anything else. */
export function toRecord<T extends object>(value: T): T {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : refuse("Expected an object");
}

/**
 * Rejects unknown keys, because ignoring one would change who gets what.
 * @throws DefinitionError
 */
export function checkKeys(record: object, known: readonly string[]): void {
  for (const key of Object.keys(toRecord(record))) {
    if (!known.includes(key)) refuse(`Unknown key ${JSON.stringify(key)}`);
  }
}

/** Returns whether a value is undefined or null. */
export function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}

/** A value that conditions and blocks can compare. */
export type Scalar = string | number | boolean;

/** Reads a list of scalars; absent is an empty one. @throws DefinitionError for anything else. */
export function toScalars(value: unknown): Scalar[] {
  if (isAbsent(value)) return [];
  return Array.isArray(value) && value.every(isScalar)
    ? value
    : refuse("Expected a list of strings, numbers or booleans");
}

/** Reads a list of strings; absent is an empty one. @throws DefinitionError for anything else. */
export function toStrings(value: unknown): string[] {
  if (isAbsent(value)) return [];
  return Array.isArray(value) && value.every(isString) ? value : refuse("Expected a list of strings");
}

/** Reads a percentage; absent is 100. @throws DefinitionError for anything else. */
export function toPercentage(value: unknown): number {
  if (isAbsent(value)) return 100;
  return typeof value === "number" && value >= 0 && value <= 100
    ? value
    : refuse("Expected a percentage from 0 to 100");
}

/** Returns whether a value is a string. */
function isString(value: unknown): value is string {
  return typeof value === "string";
}

/** Returns whether a value is a string, a finite number or a boolean. */
function isScalar(value: unknown): value is Scalar {
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
}
