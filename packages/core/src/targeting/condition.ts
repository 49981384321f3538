import { noteCondition } from "#platform";
import { OPERATORS } from "../evaluation/definition.ts";
import type { EvaluationContext } from "../evaluation/result.ts";
import { isCaseless, readAttribute } from "./attribute.ts";
import { checkKeys, isAbsent, refuse, toScalars } from "./definition-error.ts";
import { type Check, createCheck } from "./operator.ts";
import type { Scope, Test } from "./scope.ts";
import { createSegmentTest } from "./segment.ts";

/** A condition as it may come over the wire: any of its fields, or none. */
export interface WireCondition {
  all?: WireCondition[];
  any?: WireCondition[];
  not?: WireCondition | WireCondition[];
  attribute?: string;
  operator?: string;
  value?: unknown;
}

/**
 * Compiles a condition tree. An absent attribute (missing, undefined, null or inherited) satisfies only NOT_EQUALS,
 * NOT_IN and SEMVER_NOT_EQUALS, which are the exact complements of their positive twins, EXISTS with the value
 * false, and `not`. `all` of nothing holds, `any` of nothing does not, `not` of a list means that none of it holds.
 *
 * @throws DefinitionError, SyntaxError or TypeError for what is not understood.
 */
export function compileCondition(condition: WireCondition, scope: Scope): Test {
  const { all, any, not } = condition;
  const compile = (part: WireCondition) => compileCondition(part, scope);
  if (all === undefined && any === undefined && not === undefined) return compileComparison(condition, scope);
  if (Object.keys(condition).length > 1) refuse("Expected one of all, any and not");
  if (all) return every(all.map(compile));
  const some = any ? any.map(compile) : Array.isArray(not) ? not.map(compile) : [compile(not!)];
  const wanted = any !== undefined;
  return (context, now, trace) => {
    for (const test of some) if (test(context, now, trace)) return wanted;
    return !wanted;
  };
}

/** Holds where all tests do; checks them in order and stops at the first that fails. */
export function every(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (context, now, trace) => {
    for (const test of tests) if (!test(context, now, trace)) return false;
    return true;
  };
}

/** Whether an attribute passes a check: a list does where any element does, an absent one does not. */
export function passes(context: EvaluationContext, attribute: string, check: Check): boolean {
  const actual = readAttribute(context, attribute);
  if (isAbsent(actual)) return false;
  return Array.isArray(actual) ? actual.some((element) => !isAbsent(element) && check(element)) : check(actual);
}

/** Compiles a condition without parts: `{attribute, operator, value}`. @throws like {@link compileCondition} */
export function compileComparison(condition: WireCondition, scope: Scope): Test {
  checkKeys(condition, ["attribute", "operator", "value"]);
  const test = toTest(condition, scope);
  return (context, now, trace) => {
    const held = test(context, now, trace);
    noteCondition(trace, condition, held);
    return held;
  };
}

function toTest({ attribute, operator, value }: WireCondition, scope: Scope): Test {
  if (!OPERATORS.some((known) => known === operator)) refuse(`Unknown operator ${JSON.stringify(operator)}`);
  if (operator === "IN_SEGMENT") return createSegmentTest(value, scope);
  if (typeof attribute !== "string" || attribute === "") return refuse(`${operator} needs an attribute`);
  if (operator === "EXISTS") {
    const expected = value !== false;
    return (context) => !isAbsent(readAttribute(context, attribute)) === expected;
  }
  if (isAbsent(value)) return refuse(`${operator} needs a value`);
  // NOT_EQUALS, NOT_IN and SEMVER_NOT_EQUALS are the complements of those without NOT_.
  const positive = String(operator).replace("NOT_", "");
  const wanted = positive === operator;
  const values = toScalars(Array.isArray(value) ? value : [value]);
  const check = createCheck(positive, values, isCaseless(attribute));
  return (context) => passes(context, attribute, check) === wanted;
}
