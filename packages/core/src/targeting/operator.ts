import { compilePattern } from "#platform";
import { refuse, type Scalar } from "./definition-error.ts";
import { createMembership, toNumber } from "./equality.ts";
import { toInstant } from "./instant.ts";
import { compareVersions, parseVersion } from "./semver.ts";

/** Whether one value of an attribute satisfies an operator; lists are taken apart by the caller. */
export type Check = (actual: unknown) => boolean;

/** Compares text, of which numbers and booleans are read as they are written. */
function onText(
  values: readonly Scalar[],
  caseless: boolean,
  prepare: (expected: string) => (actual: string) => boolean,
): Check {
  const fold = (value: unknown) => (caseless ? String(value).toLowerCase() : String(value));
  const tests = values.map((value) => prepare(fold(value)));
  return (actual) => {
    if (typeof actual === "object") return false;
    const text = fold(actual);
    return tests.some((test) => test(text));
  };
}

/** Compares by an order that both sides have to be readable in. */
function onOrder<T>(
  values: readonly Scalar[],
  operator: string,
  what: string,
  parse: (value: unknown) => T | null,
  compare: (left: T, right: T) => number,
): Check {
  const direction = /GREATER|AFTER/.test(operator) ? 1 : /LESS|BEFORE/.test(operator) ? -1 : 0;
  const orEqual = operator.includes("EQUAL");
  const expected = values.map((value) => parse(value) ?? refuse(`${JSON.stringify(value)} is not ${what}`));
  return (actual) => {
    const parsed = parse(actual);
    if (parsed === null) return false;
    // A loop, not `some`: this is the hot path of every numeric condition.
    for (const other of expected) {
      const order = compare(parsed, other);
      if (order === 0 ? orEqual : order * direction > 0) return true;
    }
    return false;
  };
}

const difference = (left: number, right: number) => left - right;

/**
 * Makes the check of an operator from the values of the definition, any of which may match. Not for those with NOT_,
 * which are complements, nor for EXISTS and IN_SEGMENT, which are conditions of their own.
 *
 * @throws DefinitionError for a value that the operator cannot read, SyntaxError for a pattern.
 */
export function createCheck(operator: string, values: readonly Scalar[], caseless: boolean): Check {
  switch (operator) {
    case "EQUALS":
    case "IN":
      return createMembership(values, caseless);
    case "CONTAINS":
      return onText(values, caseless, (expected) => (actual) => actual.includes(expected));
    case "STARTS_WITH":
      return onText(values, caseless, (expected) => (actual) => actual.startsWith(expected));
    case "ENDS_WITH":
      return onText(values, caseless, (expected) => (actual) => actual.endsWith(expected));
    case "MATCHES":
      return onText(values, false, compilePattern);
    case "BEFORE":
    case "AFTER":
      return onOrder(values, operator, "an ISO 8601 time", toInstant, difference);
  }
  return operator.startsWith("SEMVER_")
    ? onOrder(values, operator, "a version", parseVersion, compareVersions)
    : onOrder(values, operator, "a number", toNumber, difference);
}
