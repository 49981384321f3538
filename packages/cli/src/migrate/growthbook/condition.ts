import type { Condition, Operator } from "@assay/core";
import { allOf, anyOf, exists, NEVER, noneOf, where } from "../mapping/condition.ts";
import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";

/** Returns the condition of a saved group. Groups without an attribute of their own take that of the condition. */
export type GroupCondition = (id: string, attribute?: string) => Condition;

type Fields = Record<string, unknown>;
type Scalar = string | number | boolean;

const VERSION = /^\d{1,5}\.\d{1,5}\.\d{1,5}$/;
const VERSION_PATTERN = "^v?\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[0-9A-Za-z.]+)?(\\+.*)?$";
/** Operators on versions, and whether a missing attribute, which counts as 0, passes. */
const VERSIONS: Record<string, [Operator, passesMissing: boolean]> = {
  $veq: ["SEMVER_EQUALS", false],
  $vgt: ["SEMVER_GREATER_THAN", false],
  $vgte: ["SEMVER_GREATER_THAN_OR_EQUAL", false],
  $vlt: ["SEMVER_LESS_THAN", true],
  $vlte: ["SEMVER_LESS_THAN_OR_EQUAL", true],
};
const ORDERS: Record<string, [Operator, passes: (value: number) => boolean]> = {
  $lt: ["LESS_THAN", (value) => 0 < value],
  $lte: ["LESS_THAN_OR_EQUAL", (value) => 0 <= value],
  $gt: ["GREATER_THAN", (value) => 0 > value],
  $gte: ["GREATER_THAN_OR_EQUAL", (value) => 0 >= value],
};

/** Returns the attribute of a name: `id` is the user id of Assay. */
export function toAttribute(name: string): string {
  if (name.includes(".")) return noCounterpart(`The attribute ${name} is inside another one`);
  return name === "id" ? "user_id" : requireAttribute(name);
}

/** Converts a targeting condition: https://docs.growthbook.io/lib/build-your-own#conditions. @throws {NoCounterpart} */
export function toCondition(condition: Fields, group: GroupCondition): Condition | null {
  return allOf(
    Object.entries(condition).map(([name, value]): Condition | null => {
      const list = () => (Array.isArray(value) ? value : noCounterpart(`${name} needs a list`)) as Fields[];
      const each = () => list().map((one) => toCondition(one, group) ?? EVERYONE);
      if (name === "$and") return allOf(each());
      if (name === "$or") return list().length === 0 ? null : anyOf(each());
      if (name === "$nor") return list().length === 0 ? NEVER : noneOf(each());
      if (name === "$not") return { not: toCondition(value as Fields, group) ?? EVERYONE };
      if (name === "$savedGroup") return toReference(value as Fields, group);
      if (name.startsWith("$")) return noCounterpart(`The operator ${name} is unknown`);
      return toValue(toAttribute(name), value, group);
    }),
  );
}

function toReference({ id, attributeKey }: Fields, group: GroupCondition): Condition {
  if (typeof id !== "string") return noCounterpart("A reference to a saved group has no id");
  return group(id, typeof attributeKey === "string" ? toAttribute(attributeKey) : undefined);
}

function toValue(attribute: string, value: unknown, group: GroupCondition): Condition {
  if (typeof value === "string") return equals(attribute, value);
  if (typeof value === "boolean") return where(attribute, "EQUALS", value);
  if (typeof value === "number") return orMissing(attribute, toNumber(attribute, value), value === 0);
  if (value === null) return { not: exists(attribute) };
  const operators = Object.entries(value as Fields);
  if (Array.isArray(value) || operators.length === 0 || operators.some(([name]) => !name.startsWith("$")))
    return noCounterpart(`A comparison of ${attribute} with ${JSON.stringify(value)}`);
  return allOf(operators.map(([name, operand]) => toOperator(attribute, name, operand, group)))!;
}

/** Text without an operator is compared with the attribute as text. */
function equals(attribute: string, value: string): Condition {
  const boolean = value === "true" || value === "false" ? [value === "true"] : [];
  return orMissing(attribute, where(attribute, "IN", [value, ...boolean]), value === "null");
}

function toNumber(attribute: string, value: number): Condition {
  return { all: [where(attribute, "GREATER_THAN_OR_EQUAL", value), where(attribute, "LESS_THAN_OR_EQUAL", value)] };
}

/** GrowthBook gives operators null for a missing attribute, which some let pass. */
function orMissing(attribute: string, condition: Condition, passes: boolean): Condition {
  return passes ? { any: [condition, { not: exists(attribute) }] } : condition;
}

function toOperator(attribute: string, name: string, operand: unknown, group: GroupCondition): Condition {
  const order = ORDERS[name];
  if (order) {
    if (typeof operand !== "number") return noCounterpart(`${name} with text is an order of letters`);
    return orMissing(attribute, where(attribute, order[0], operand), order[1](operand));
  }
  if (VERSIONS[name] || name === "$vne") return toVersion(attribute, name, operand);
  switch (name) {
    case "$eq":
      return operand === null ? { not: exists(attribute) } : where(attribute, "EQUALS", scalar(name, operand));
    case "$ne":
      return operand === null ? exists(attribute) : where(attribute, "NOT_EQUALS", scalar(name, operand));
    case "$in":
      return isOneOf(attribute, name, operand, false);
    case "$nin":
      return { not: isOneOf(attribute, name, operand, false) };
    case "$ini":
      return isOneOf(attribute, name, operand, true);
    case "$nini":
      return { not: isOneOf(attribute, name, operand, true) };
    case "$exists":
      return operand ? exists(attribute) : { not: exists(attribute) };
    case "$not":
      return { not: toValue(attribute, operand, group) };
    case "$regex":
      return toPattern(attribute, operand);
    case "$inGroup":
      return group(String(operand), attribute);
    case "$notInGroup":
      return { not: group(String(operand), attribute) };
    default:
      return noCounterpart(`The operator ${name} has no counterpart`);
  }
}

function toVersion(attribute: string, name: string, operand: unknown): Condition {
  if (name === "$vne") return { not: toVersion(attribute, "$veq", operand) };
  const [operator, passes] = VERSIONS[name]!;
  const value = String(operand).replace(/^v/, "");
  if (!VERSION.test(value))
    return noCounterpart(`${name} with ${JSON.stringify(operand)}, which is not a version of three numbers`);
  const compared = { all: [where(attribute, "MATCHES", VERSION_PATTERN), where(attribute, operator, value)] };
  return orMissing(attribute, compared, passes);
}

function isOneOf(attribute: string, name: string, operand: unknown, caseless: boolean): Condition {
  if (!Array.isArray(operand)) return NEVER;
  return operand.length === 0
    ? NEVER
    : where(
        attribute,
        "IN",
        operand.map((one) => scalar(name, one)),
        caseless,
      );
}

function scalar(name: string, value: unknown): Scalar {
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  return isScalar ? (value as Scalar) : noCounterpart(`${name} with ${JSON.stringify(value)}`);
}

function toPattern(attribute: string, operand: unknown): Condition {
  const pattern = String(operand);
  try {
    return orMissing(attribute, where(attribute, "MATCHES", pattern), new RegExp(pattern).test("null"));
  } catch {
    return NEVER;
  }
}

/** Converts the values of a saved group. @throws {NoCounterpart} for values that are not text, numbers or booleans */
export function toMembers(attribute: string, values: readonly unknown[]): Condition {
  return isOneOf(attribute, "A saved group", values, false);
}
