import type { AttributeCondition, Condition, JsonValue, Operator } from "@assay/core";

/** The attributes whose letter case Assay ignores unless a condition says otherwise. */
const CASELESS = ["country", "browser", "device_type"];

/** The condition that nothing meets. */
export const NEVER: Condition = { any: [] };

/** Operators that compare text, for which letter case is a question. */
const CASED: readonly Operator[] = ["EQUALS", "NOT_EQUALS", "IN", "NOT_IN", "CONTAINS", "STARTS_WITH", "ENDS_WITH"];

/** Creates a condition that respects letter case, or ignores it. */
export function where(attribute: string, operator: Operator, value: JsonValue, caseless = false): AttributeCondition {
  const isCased = CASED.includes(operator) && caseless !== CASELESS.includes(attribute);
  return { attribute, operator, value, ...(isCased && { case_insensitive: caseless }) };
}

/** Creates the condition that an attribute is given. */
export function exists(attribute: string): AttributeCondition {
  return { attribute, operator: "EXISTS", value: true };
}

/** Creates the condition that an attribute is given and not empty, without which a source draws nothing. */
export function isGiven(attribute: string): Condition {
  return { all: [exists(attribute), where(attribute, "NOT_EQUALS", "")] };
}

/** Joins conditions that must all hold, as flat as possible; null stands for no condition. */
export function allOf(conditions: readonly (Condition | null)[]): Condition | null {
  const given = conditions.flatMap((condition) =>
    condition === null ? [] : "all" in condition ? condition.all : [condition],
  );
  if (given.length !== 1) return conditions.every((condition) => condition === null) ? null : { all: given };
  return given[0]!;
}

/** Joins conditions of which one must hold, as flat as possible. */
export function anyOf(conditions: readonly Condition[]): Condition {
  const given = conditions.flatMap((condition) => ("any" in condition ? condition.any : [condition]));
  return given.length === 1 ? given[0]! : { any: given };
}

/** Joins conditions of which none may hold. */
export function noneOf(conditions: readonly Condition[]): Condition {
  const given = conditions.flatMap((condition) => ("any" in condition ? condition.any : [condition]));
  return { not: given.length === 1 ? given[0]! : given };
}

/** The syntax of Semantic Versioning 2.0.0, without the leading `v` and the missing parts that Assay tolerates. */
export const STRICT_VERSION =
  "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)" +
  "(-(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(\\.(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?" +
  "(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?$";

/**
 * Whether a pattern of another engine means the same in Assay: no flags, anchors, classes or escapes that engines read
 * differently. Assay itself refuses back-references and look-around.
 */
export function isPortable(pattern: string): boolean {
  return !/\\[AZzGQECKRXpPxuck]|\[\[|\(\?(?!:)|[^\x20-\x7e]/.test(pattern);
}
