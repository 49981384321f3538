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
  holds: (order: number) => boolean,
): CheckMaker {
  return (values) => {
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

const matches: CheckMaker = (values) => {
  const patterns = values.map((value) => compilePattern(String(value)));
  return (actual) => typeof actual !== "object" && patterns.some((found) => found(String(actual)));
};

const above = (order: number) => order > 0;
const below = (order: number) => order < 0;

/** How operators by order are called: as they are for numbers, behind SEMVER_ for versions. */
const ORDERS: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ["EQUALS", (order) => order === 0],
  ["GREATER_THAN", above],
  ["GREATER_THAN_OR_EQUAL", (order) => order >= 0],
  ["LESS_THAN", below],
  ["LESS_THAN_OR_EQUAL", (order) => order <= 0],
]);

/**
 * Finds what an operator compares an attribute with its values by. NOT_EQUALS, NOT_IN and SEMVER_NOT_EQUALS are the
 * complements of those without NOT_; EXISTS and IN_SEGMENT are conditions of their own.
 */
export function findCheck(operator: string): CheckMaker | undefined {
  switch (operator) {
    case "EQUALS":
    case "IN":
      return createMembership;
    case "CONTAINS":
      return onText((actual, expected) => actual.includes(expected));
    case "STARTS_WITH":
      return onText((actual, expected) => actual.startsWith(expected));
    case "ENDS_WITH":
      return onText((actual, expected) => actual.endsWith(expected));
    case "MATCHES":
      return matches;
    case "BEFORE":
    case "AFTER":
      return onOrder("an ISO 8601 time", toInstant, difference, operator === "AFTER" ? above : below);
  }
  const ofNumbers = ORDERS.get(operator);
  if (ofNumbers) return onOrder("a number", toNumber, difference, ofNumbers);
  const ofVersions = operator.startsWith("SEMVER_") && ORDERS.get(operator.slice(7));
  return ofVersions ? onOrder("a version", parseVersion, compareVersions, ofVersions) : undefined;
}
