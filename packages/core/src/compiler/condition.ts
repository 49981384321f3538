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

/** The maximum length of a condition in an explanation. */
const MAX_DETAIL_LENGTH = 500;

/** Lowers a condition without parts: `{attribute, operator, value}`. @throws like {@link toPredicate} */
export function toComparison(condition: WireCondition, scope: Scope): Predicate {
  checkKeys(condition, ["attribute", "operator", "value"]);
  const predicate = lowerOperator(condition, scope);
  return scope.explains ? noted(scope, predicate, "CONDITION", describe(condition)) : predicate;
}

function describe({ attribute, operator, value }: WireCondition): string {
  const text = [attribute, operator, JSON.stringify(value)].filter((part) => part !== undefined).join(" ");
  return text.length > MAX_DETAIL_LENGTH ? `${text.slice(0, MAX_DETAIL_LENGTH)}…` : text;
}
