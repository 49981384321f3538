import { parsePattern } from "../values/pattern-syntax.ts";
import { CONDITION_KEYS, toComparison, type WireCondition } from "./condition.ts";
import { isOperator } from "./operator.ts";
import { attempt, checkLength, LIMITS, type Path, type Problem, report } from "./problem.ts";

/** Collects all errors in the conditions of one definition: operators, values, patterns, and their total number. */
export function createConditionCheck(problems: Problem[]): (condition: WireCondition, path: Path) => void {
  let count = 0;
  let patternLength = 0;

  /** Returns whether a condition may be compiled. Too many patterns are reported once and not parsed. */
  const isWithin = ({ operator, value }: WireCondition, path: Path): boolean => {
    if (operator !== "MATCHES") return true;
    const before = patternLength;
    for (const pattern of [value].flat()) {
      // An object is no pattern and is reported below. Its `toString` may be a value from outside.
      if (typeof pattern !== "object" && patternLength <= LIMITS.patternLength)
        patternLength += sizeOf(String(pattern));
    }
    if (patternLength <= LIMITS.patternLength) return true;
    if (before <= LIMITS.patternLength) {
      report(problems, [...path, "value"], `At most ${LIMITS.patternLength} characters in all patterns`);
    }
    return false;
  };

  const check = (condition: WireCondition, path: Path, depth: number): void => {
    if (typeof condition !== "object" || condition === null || Array.isArray(condition)) {
      report(problems, path, "Expected a condition");
      return;
    }
    count += 1;
    if (count > LIMITS.conditions) {
      if (count === LIMITS.conditions + 1) report(problems, path, `At most ${LIMITS.conditions} conditions`);
      return;
    }
    if (depth > LIMITS.depth) {
      report(problems, path, `Conditions may nest ${LIMITS.depth} deep`);
      return;
    }
    const branch = (["all", "any", "not"] as const).find((key) => condition[key] !== undefined);
    if (branch === undefined) {
      if (isWithin(condition, path)) checkComparison(problems, condition, path);
      return;
    }
    const other = Object.keys(condition).find((key) => key !== branch);
    if (other !== undefined) report(problems, [...path, other], `Unexpected beside ${branch}`);
    const parts = condition[branch];
    if (Array.isArray(parts))
      for (const [index, part] of parts.entries()) check(part, [...path, branch, index], depth + 1);
    else if (branch === "not" && parts !== undefined) check(parts, [...path, branch], depth + 1);
    else report(problems, [...path, branch], "Expected a list of conditions");
  };

  return (condition, path) => check(condition, path, 1);
}

/** The length of a pattern, or the number of its states before the last if repetitions make it larger. */
function sizeOf(pattern: string): number {
  try {
    return Math.max(pattern.length, parsePattern(pattern).states.length - 1);
  } catch {
    // Reported below.
    return pattern.length;
  }
}

function checkComparison(problems: Problem[], condition: WireCondition, path: Path): void {
  const { attribute, operator, value } = condition;
  const part = !isOperator(operator)
    ? "operator"
    : operator !== "IN_SEGMENT" && !attribute
      ? "attribute"
      : (Object.keys(condition).find((key) => !CONDITION_KEYS.includes(key)) ?? "value");
  attempt(problems, [...path, part], () => toComparison(condition, { references: [] }));
  checkLength(problems, [...path, "value"], value);
}
