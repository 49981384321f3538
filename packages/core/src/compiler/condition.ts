import { checkKeys, refuse } from "../format/definition-error.ts";
import type { Predicate } from "../format/program.ts";
import { lowerOperator } from "./operator.ts";
import { noted, type Scope } from "./scope.ts";

/** A condition of unchecked JSON: any of its fields may be missing. */
export interface WireCondition {
  all?: WireCondition[];
  any?: WireCondition[];
  not?: WireCondition | WireCondition[];
  attribute?: string;
  operator?: string;
  value?: unknown;
  case_insensitive?: boolean;
}

/**
 * Lowers a condition tree. An absent attribute (missing, undefined, null or inherited) satisfies only NOT_EQUALS,
 * NOT_IN and SEMVER_NOT_EQUALS, which are the exact complements of their positive twins, EXISTS with the value false,
 * and `not`. An empty `all` holds, an empty `any` does not, and `not` of a list means that none of it holds.
 *
 * @throws DefinitionError, SyntaxError or TypeError for an invalid condition
 */
export function toPredicate(condition: WireCondition, scope: Scope): Predicate {
  const { all, any, not } = condition;
  const lower = (part: WireCondition) => toPredicate(part, scope);
  if (all === undefined && any === undefined && not === undefined) return toComparison(condition, scope);
  if (Object.keys(condition).length > 1) refuse("Expected one of all, any and not");
  if (all) return ["all", all.map(lower)];
  if (any) return ["any", any.map(lower)];
  return ["not", Array.isArray(not) ? ["any", not.map(lower)] : lower(not!)];
}

/** The fields of a condition without parts. */
export const CONDITION_KEYS: readonly string[] = ["attribute", "operator", "value", "case_insensitive"];

/** Lowers a condition without parts: `{attribute, operator, value}`. @throws like {@link toPredicate} */
export function toComparison(condition: WireCondition, scope: Scope): Predicate {
  checkKeys(condition, CONDITION_KEYS);
  const predicate = lowerOperator(condition, scope);
  return scope.describe ? noted(scope, predicate, "CONDITION", scope.describe(condition)) : predicate;
}
