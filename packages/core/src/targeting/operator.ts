import { refuse, type Scalar } from "./definition-error.ts";
import { createMembership, toNumber } from "./equality.ts";
import { toInstant } from "./instant.ts";
import { compilePattern } from "./pattern.ts";
import { compareVersions, parseVersion } from "./semver.ts";

/** Whether one value of an attribute satisfies an operator; lists are taken apart by the caller. */
export type Check = (actual: unknown) => boolean;

/**
 * Makes the check of an operator from the values of the definition, any of which may match.
 *
 * @throws DefinitionError for a value that the operator cannot read, SyntaxError for a pattern.
 */
export type CheckMaker = (values: readonly Scalar[], caseless: boolean) => Check;

/** Compares text; numbers and booleans are read as they are written. */
function onText(holds: (actual: string, expected: string) => boolean): CheckMaker {
  return (values, caseless) => {
    const fold = (value: unknown) => (caseless ? String(value).toLowerCase() : String(value));
    const expected = values.map(fold);
    return (actual) => typeof actual !== "object" && expected.some((text) => holds(fold(actual), text));
  };
}

/** Compares by an order that both sides have to be readable in. */
function onOrder<T>(
  what: string,
  parse: (value: unknown) => T | null,
  compare: (left: T, right: T) => number,
): (holds: (order: number) => boolean) => CheckMaker {
  return (holds) => (values) => {
    const expected = values.map((value) => parse(value) ?? refuse(`${JSON.stringify(value)} is not ${what}`));
    return (actual) => {
      const parsed = parse(actual);
      if (parsed === null) return false;
      // A loop, not `some`: this is the hot path of every numeric condition.
      for (const other of expected) if (holds(compare(parsed, other))) return true;
      return false;
    };
  };
}

const difference = (left: number, right: number) => left - right;
const onNumber = onOrder("a number", toNumber, difference);
const onInstant = onOrder("an ISO 8601 time", toInstant, difference);
const onVersion = onOrder("a version", parseVersion, compareVersions);

const matches: CheckMaker = (values) => {
  const patterns = values.map((value) => compilePattern(String(value)));
  return (actual) => typeof actual !== "object" && patterns.some((found) => found(String(actual)));
};

const above = (order: number) => order > 0;
const atLeast = (order: number) => order >= 0;
const below = (order: number) => order < 0;
const atMost = (order: number) => order <= 0;

/**
 * The operators that compare an attribute with values. NOT_EQUALS, NOT_IN and SEMVER_NOT_EQUALS are the complements
 * of what is listed without NOT_; EXISTS and IN_SEGMENT are conditions of their own.
 */
export const CHECKS: ReadonlyMap<string, CheckMaker> = new Map<string, CheckMaker>([
  ["EQUALS", createMembership],
  ["IN", createMembership],
  ["CONTAINS", onText((actual, expected) => actual.includes(expected))],
  ["STARTS_WITH", onText((actual, expected) => actual.startsWith(expected))],
  ["ENDS_WITH", onText((actual, expected) => actual.endsWith(expected))],
  ["GREATER_THAN", onNumber(above)],
  ["GREATER_THAN_OR_EQUAL", onNumber(atLeast)],
  ["LESS_THAN", onNumber(below)],
  ["LESS_THAN_OR_EQUAL", onNumber(atMost)],
  ["MATCHES", matches],
  ["SEMVER_EQUALS", onVersion((order) => order === 0)],
  ["SEMVER_GREATER_THAN", onVersion(above)],
  ["SEMVER_GREATER_THAN_OR_EQUAL", onVersion(atLeast)],
  ["SEMVER_LESS_THAN", onVersion(below)],
  ["SEMVER_LESS_THAN_OR_EQUAL", onVersion(atMost)],
  ["BEFORE", onInstant(below)],
  ["AFTER", onInstant(above)],
]);
