import { OPERATORS } from "../evaluation/definition.ts";
import type { Predicate } from "../program/program.ts";
import { isCaseless } from "./attribute.ts";
import { checkKeys, isAbsent, refuse, toScalars } from "./definition-error.ts";
import { toCheck } from "./operator.ts";
import { noted, type Scope } from "./scope.ts";
import { toMembership } from "./segment.ts";

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
 * Lowers a condition tree. An absent attribute (missing, undefined, null or inherited) satisfies only NOT_EQUALS,
 * NOT_IN and SEMVER_NOT_EQUALS, which are the exact complements of their positive twins, EXISTS with the value
 * false, and `not`. `all` of nothing holds, `any` of nothing does not, `not` of a list means that none of it holds.
 *
 * @throws DefinitionError, SyntaxError or TypeError for what is not understood.
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

/** Lowers a condition without parts: `{attribute, operator, value}`. @throws like {@link toPredicate} */
export function toComparison(condition: WireCondition, scope: Scope): Predicate {
  checkKeys(condition, ["attribute", "operator", "value"]);
  const predicate = compare(condition, scope);
  return scope.explains ? noted(scope, predicate, "CONDITION", describe(condition)) : predicate;
}

function compare({ attribute, operator, value }: WireCondition, scope: Scope): Predicate {
  if (!OPERATORS.some((known) => known === operator)) refuse(`Unknown operator ${JSON.stringify(operator)}`);
  if (operator === "IN_SEGMENT") return toMembership(value, scope);
  if (typeof attribute !== "string" || attribute === "") return refuse(`${operator} needs an attribute`);
  if (operator === "EXISTS") return value !== false ? ["exists", attribute] : ["not", ["exists", attribute]];
  if (isAbsent(value)) return refuse(`${operator} needs a value`);
  // NOT_EQUALS, NOT_IN and SEMVER_NOT_EQUALS are the complements of those without NOT_.
  const positive = String(operator).replace("NOT_", "");
  const values = toScalars(Array.isArray(value) ? value : [value]);
  const check = toCheck(positive, attribute, values, isCaseless(attribute));
  return positive === operator ? check : ["not", check];
}

function describe({ attribute, operator, value }: WireCondition): string {
  return [attribute, operator, JSON.stringify(value)].filter((part) => part !== undefined).join(" ");
}
