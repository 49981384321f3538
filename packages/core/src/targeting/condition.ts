import type { EvaluationContext } from "../evaluation/result.ts";
import { isCaseless, readAttribute } from "./attribute.ts";
import { RULES } from "./operator.ts";
import { isAbsent, isRecord, isScalar, isString, LIMITS, own, type Path, readList, type Scalar } from "./problem.ts";
import { never, type Scope, type Test } from "./scope.ts";
import { createSegmentTest } from "./segment.ts";

/**
 * Compiles a condition tree. An absent attribute (missing, undefined, null or inherited) satisfies only NOT_EQUALS,
 * NOT_IN and SEMVER_NOT_EQUALS, which are the exact complements of their positive twins, `EXISTS` with the value
 * false, and `not`. `all` of nothing holds, `any` of nothing does not, `not` of a list means none of it holds.
 */
export function compileCondition(condition: unknown, scope: Scope, path: Path = [], depth = 1): Test {
  const refuse = (message: string, ...below: (string | number)[]) => {
    scope.problems.push({ path: [...path, ...below], message });
    return never;
  };
  if (!isRecord(condition)) return refuse("Expected a condition");
  scope.conditions += 1;
  if (scope.conditions === LIMITS.conditions + 1) return refuse(`At most ${LIMITS.conditions} conditions`);
  if (depth > LIMITS.depth) return refuse(`Conditions may nest ${LIMITS.depth} deep`);
  const [key, ...more] = Object.keys(condition);
  if (key !== "all" && key !== "any" && key !== "not") return compileAttribute(condition, scope, path);
  if (more.length > 0) return refuse(`Only ${key} is expected here`, more[0]!);

  const content = condition[key];
  if (!Array.isArray(content)) {
    if (key !== "not") return refuse("Expected a list of conditions", key);
    return negate(compileCondition(content, scope, [...path, key], depth + 1));
  }
  // The first one too many is reported by itself; compiling thousands after it would only cost time.
  const parts = content
    .slice(0, LIMITS.conditions + 1)
    .map((part: unknown, index) => compileCondition(part, scope, [...path, key, index], depth + 1));
  if (key === "all") return every(parts);
  return key === "any" ? some(parts) : negate(some(parts));
}

/** Holds where all tests do; checks them in order and stops at the first that fails. */
export function every(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (context, now, trace) => {
    for (const test of tests) if (!test(context, now, trace)) return false;
    return true;
  };
}

function some(tests: readonly Test[]): Test {
  if (tests.length === 1) return tests[0]!;
  return (context, now, trace) => {
    for (const test of tests) if (test(context, now, trace)) return true;
    return false;
  };
}

function negate(test: Test): Test {
  return (context, now, trace) => !test(context, now, trace);
}

const KEYS = ["attribute", "operator", "value"];

function compileAttribute(condition: Record<string, unknown>, scope: Scope, path: Path): Test {
  const refuse = (message: string, ...below: string[]) => {
    scope.problems.push({ path: [...path, ...below], message });
    return never;
  };
  const operator = own(condition, "operator");
  const value = own(condition, "value");
  const attribute = own(condition, "attribute");
  if (!isString(operator)) return refuse("Expected all, any, not or an operator", "operator");
  for (const key of Object.keys(condition)) if (!KEYS.includes(key)) return refuse(`Unknown key ${key}`, key);
  if (operator === "IN_SEGMENT") {
    const names = readList(
      isString(value) ? [value] : value,
      isString,
      "segment ids or names",
      [...path, "value"],
      scope.problems,
    );
    if (names.length === 0) return refuse("IN_SEGMENT needs a segment id or name", "value");
    return traced(`IN_SEGMENT ${names.join(", ")}`, createSegmentTest(names, scope));
  }
  const rule = RULES.get(operator);
  if (rule === undefined && operator !== "EXISTS")
    return refuse(`Unknown operator ${JSON.stringify(operator)}`, "operator");
  if (!isString(attribute) || attribute === "") return refuse(`${operator} needs an attribute`, "attribute");
  const subject = `${attribute} ${operator}`;
  if (rule === undefined) {
    if (!isAbsent(value) && typeof value !== "boolean") return refuse("EXISTS takes true, false or no value", "value");
    const wanted = value !== false;
    return traced(subject, (context) => !isAbsent(readAttribute(context, attribute)) === wanted);
  }
  if (isAbsent(value)) return refuse(`${operator} needs a value`, "value");
  const at = [...path, "value"];
  const values = readList<Scalar>(
    Array.isArray(value) ? value : [value],
    isScalar,
    "strings, numbers or booleans",
    at,
    scope.problems,
  );
  const check = rule.compile(values, isCaseless(attribute), scope, at);
  const positive = (context: EvaluationContext) => holds(check, readAttribute(context, attribute));
  return traced(`${subject} ${JSON.stringify(value)}`, rule.negated ? (context) => !positive(context) : positive);
}

/** A list holds where any element does; an absent value does not. */
export function holds(check: (actual: unknown) => boolean, actual: unknown): boolean {
  if (isAbsent(actual)) return false;
  return Array.isArray(actual) ? actual.some((element) => !isAbsent(element) && check(element)) : check(actual);
}

function traced(subject: string, test: Test): Test {
  return (context, now, trace) => {
    const matched = test(context, now, trace);
    if (trace !== null)
      trace.push({ step: "CONDITION", subject, matched, detail: matched ? "holds" : "does not hold" });
    return matched;
  };
}
