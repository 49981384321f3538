import type { Condition as Condition_, Operator } from "@assay/core";
import { allOf, anyOf, exists, NEVER, noneOf, STRICT_VERSION, where } from "../mapping/condition.ts";
import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import type { Condition, Rule } from "./payload.ts";

const ORDERS: Record<string, Operator> = {
  GREATER_THAN: "GREATER_THAN",
  GREATER_THAN_INCLUSIVE: "GREATER_THAN_OR_EQUAL",
  LESS_THAN: "LESS_THAN",
  LESS_THAN_INCLUSIVE: "LESS_THAN_OR_EQUAL",
};
const SEMVER = ":semver";

/** Converts the rules of a segment, which must all match; a segment without rules has no members. @throws {NoCounterpart} */
export function toMembers(rules: readonly Rule[]): Condition_ {
  return rules.length === 0 ? NEVER : allOf(rules.map(toRule))!;
}

function toRule({ type, conditions, rules }: Rule): Condition_ {
  return allOf([combine(type, conditions.map(toCondition)), combine(type, rules.map(toRule))]) ?? EVERYONE;
}

function combine(type: Rule["type"], parts: Condition_[]): Condition_ | null {
  if (parts.length === 0) return null;
  if (type === "ALL") return allOf(parts);
  return type === "ANY" ? anyOf(parts) : noneOf(parts);
}

function toAttribute(property: string): string {
  if (property === "$.identity.identifier") return "user_id";
  const [, dotted, quoted] = /^\$\.identity\.traits(?:\.(.+)|\['(.+)'\])$/.exec(property) ?? [];
  if (dotted !== undefined || quoted !== undefined) return requireAttribute((dotted ?? quoted)!);
  return property.startsWith("$.")
    ? noCounterpart(`A condition on ${property} has no counterpart`)
    : requireAttribute(property);
}

function toCondition({ property_, operator, value }: Condition): Condition_ {
  if (operator === "PERCENTAGE_SPLIT") return noCounterpart("A segment that draws a share of users has no counterpart");
  if (!property_) return NEVER;
  const attribute = toAttribute(property_);
  if (operator === "IS_SET") return exists(attribute);
  if (operator === "IS_NOT_SET") return { not: exists(attribute) };
  if (operator === "IN") return isOneOf(attribute, listOf(value));
  if (Array.isArray(value)) return noCounterpart(`${operator} with a list`);
  const text = value ?? "";
  // A trait that is missing matches none of these, also no negation.
  const given = exists(attribute);
  switch (operator) {
    case "EQUAL":
      return equals(attribute, text);
    case "NOT_EQUAL":
      return text.endsWith(SEMVER)
        ? noCounterpart("NOT_EQUAL with a version compares text in Flagsmith")
        : { all: [given, { not: equals(attribute, text) }] };
    case "CONTAINS":
      return where(attribute, "CONTAINS", text);
    case "NOT_CONTAINS":
      return text === "" ? NEVER : { all: [given, { not: where(attribute, "CONTAINS", text) }] };
    case "REGEX":
      return text === "" ? NEVER : where(attribute, "MATCHES", text);
    default:
      return Object.hasOwn(ORDERS, operator)
        ? toOrder(attribute, ORDERS[operator]!, text)
        : noCounterpart(`The operator ${operator} has no counterpart`);
  }
}

function equals(attribute: string, text: string): Condition_ {
  return text.endsWith(SEMVER) ? toVersion(attribute, "SEMVER_EQUALS", text) : isOneOf(attribute, [text]);
}

/** Values are text; a trait that is true or false is compared with its word. */
function isOneOf(attribute: string, values: readonly string[]): Condition_ {
  const booleans = [true, false].filter((one) => values.some((value) => value.toLowerCase() === String(one)));
  return where(attribute, "IN", [...values, ...booleans]);
}

function listOf(value: Condition["value"]): string[] {
  if (Array.isArray(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value ?? "");
    if (Array.isArray(parsed)) return parsed.map(String);
  } catch {
    // Not JSON: values between commas.
  }
  return (value ?? "").split(",");
}

function toOrder(attribute: string, operator: Operator, text: string): Condition_ {
  if (text.endsWith(SEMVER)) return toVersion(attribute, `SEMVER_${operator}` as Operator, text);
  const number = Number(text);
  if (text.trim() === "" || !Number.isFinite(number))
    return noCounterpart(`An order with "${text}", which is not a number`);
  return where(attribute, operator, number);
}

function toVersion(attribute: string, operator: Operator, text: string): Condition_ {
  const version = text.replace(SEMVER, "");
  if (!new RegExp(STRICT_VERSION).test(version)) return noCounterpart(`"${version}" is not a version with three parts`);
  return {
    all: [where(attribute, "MATCHES", STRICT_VERSION.replace("^", "^v?")), where(attribute, operator, version)],
  };
}
