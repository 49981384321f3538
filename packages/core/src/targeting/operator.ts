import { createMembership, toNumber } from "./equality.ts";
import { toInstant } from "./instant.ts";
import { compilePattern } from "./pattern.ts";
import { isScalar, LIMITS, type Path, type Scalar } from "./problem.ts";
import type { Scope } from "./scope.ts";
import { compareVersions, parseVersion } from "./semver.ts";

/** Whether one value of an attribute satisfies an operator; lists are taken apart by the caller. */
export type Check = (actual: unknown) => boolean;

/** What one operator makes of the values it is given, and whether it is the exact complement of that. */
export interface OperatorRule {
  compile: (values: readonly Scalar[], caseless: boolean, scope: Scope, path: Path) => Check;
  negated?: boolean;
}

const equals: OperatorRule["compile"] = (values, caseless) => createMembership(values, caseless);

/** Operators on text: numbers and booleans are read as they are written. */
function onText(holds: (actual: string, expected: string) => boolean): OperatorRule {
  return {
    compile(values, caseless) {
      const fold = (value: unknown) => (caseless ? String(value).toLowerCase() : String(value));
      const expected = values.map(fold);
      return (actual) => isScalar(actual) && expected.some((text) => holds(fold(actual), text));
    },
  };
}

/** Operators on an order: both sides must parse, a value of the definition that does not is a problem. */
function onOrder<T>(
  what: string,
  parse: (value: unknown) => T | null,
  compare: (left: T, right: T) => number,
  holds: (order: number) => boolean,
  negated = false,
): OperatorRule {
  return {
    negated,
    compile(values, _caseless, scope, path) {
      const expected: T[] = [];
      for (const value of values) {
        const parsed = parse(value);
        if (parsed === null)
          scope.problems.push({ path: [...path], message: `${JSON.stringify(value)} is not ${what}` });
        else expected.push(parsed);
      }
      return (actual) => {
        const parsed = parse(actual);
        return parsed !== null && expected.some((other) => holds(compare(parsed, other)));
      };
    },
  };
}

const difference = (left: number, right: number) => left - right;
const onNumber = (holds: (order: number) => boolean) => onOrder("a number", toNumber, difference, holds);
const onInstant = (holds: (order: number) => boolean) => onOrder("an ISO 8601 time", toInstant, difference, holds);
const onVersion = (holds: (order: number) => boolean, negated = false) =>
  onOrder("a version", parseVersion, compareVersions, holds, negated);

const above = (order: number) => order > 0;
const atLeast = (order: number) => order >= 0;
const below = (order: number) => order < 0;
const atMost = (order: number) => order <= 0;
const level = (order: number) => order === 0;

const matches: OperatorRule["compile"] = (values, _caseless, scope, path) => {
  const patterns: ((text: string) => boolean)[] = [];
  for (const value of values) {
    const source = String(value);
    try {
      if (source.length > LIMITS.patternLength) throw new SyntaxError(`At most ${LIMITS.patternLength} characters`);
      patterns.push(compilePattern(source));
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      scope.problems.push({ path: [...path], message: `Unsupported pattern: ${error.message}` });
    }
  }
  return (actual) => isScalar(actual) && patterns.some((found) => found(String(actual)));
};

/** The operators on an attribute and values; EXISTS and IN_SEGMENT are conditions of their own. */
export const RULES: ReadonlyMap<string, OperatorRule> = new Map<string, OperatorRule>([
  ["EQUALS", { compile: equals }],
  ["NOT_EQUALS", { compile: equals, negated: true }],
  ["IN", { compile: equals }],
  ["NOT_IN", { compile: equals, negated: true }],
  ["CONTAINS", onText((actual, expected) => actual.includes(expected))],
  ["STARTS_WITH", onText((actual, expected) => actual.startsWith(expected))],
  ["ENDS_WITH", onText((actual, expected) => actual.endsWith(expected))],
  ["GREATER_THAN", onNumber(above)],
  ["GREATER_THAN_OR_EQUAL", onNumber(atLeast)],
  ["LESS_THAN", onNumber(below)],
  ["LESS_THAN_OR_EQUAL", onNumber(atMost)],
  ["MATCHES", { compile: matches }],
  ["SEMVER_EQUALS", onVersion(level)],
  ["SEMVER_NOT_EQUALS", onVersion(level, true)],
  ["SEMVER_GREATER_THAN", onVersion(above)],
  ["SEMVER_GREATER_THAN_OR_EQUAL", onVersion(atLeast)],
  ["SEMVER_LESS_THAN", onVersion(below)],
  ["SEMVER_LESS_THAN_OR_EQUAL", onVersion(atMost)],
  ["BEFORE", onInstant(below)],
  ["AFTER", onInstant(above)],
]);
