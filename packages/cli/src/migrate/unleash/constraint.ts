import type { AttributeCondition, Condition, Operator } from "@assay/core";
import { allOf, anyOf, isPortable, NEVER, STRICT_VERSION, where } from "../mapping/condition.ts";
import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import type { Constraint } from "./payload.ts";

const TEXT: Record<string, Operator> = {
  STR_CONTAINS: "CONTAINS",
  STR_STARTS_WITH: "STARTS_WITH",
  STR_ENDS_WITH: "ENDS_WITH",
};
const NUMBER: Record<string, Operator> = {
  NUM_EQ: "EQUALS",
  NUM_GT: "GREATER_THAN",
  NUM_GTE: "GREATER_THAN_OR_EQUAL",
  NUM_LT: "LESS_THAN",
  NUM_LTE: "LESS_THAN_OR_EQUAL",
};
const VERSION: Record<string, Operator> = {
  SEMVER_EQ: "SEMVER_EQUALS",
  SEMVER_GT: "SEMVER_GREATER_THAN",
  SEMVER_GTE: "SEMVER_GREATER_THAN_OR_EQUAL",
  SEMVER_LT: "SEMVER_LESS_THAN",
  SEMVER_LTE: "SEMVER_LESS_THAN_OR_EQUAL",
};

/** Returns the attribute of a context field: Unleash's `userId` is the user id of Assay. */
export function toAttribute(contextName: string): string {
  return contextName === "userId" ? "user_id" : requireAttribute(contextName);
}

/** Converts a constraint. @throws {NoCounterpart} */
export function toCondition(constraint: Constraint): Condition {
  const isNegated = (constraint.operator === "NOT_IN") !== (constraint.inverted === true);
  const condition = toPositive(constraint);
  return isNegated ? { not: condition } : condition;
}

function toPositive({ contextName, operator, values, value, caseInsensitive }: Constraint): Condition {
  const attribute = toAttribute(contextName);
  const listed = (values ?? []).filter((one) => one !== "").map((one) => one.trim());
  const listedOr = (condition: Condition) => (listed.length > 0 ? condition : NEVER);
  if (operator === "IN" || operator === "NOT_IN") return listedOr(isOneOf(attribute, listed));
  if (TEXT[operator]) return listedOr(where(attribute, TEXT[operator], listed, caseInsensitive === true));
  if (NUMBER[operator]) return toNumberCondition(attribute, NUMBER[operator], Number(value ?? Number.NaN));
  if (VERSION[operator]) return toVersionCondition(attribute, VERSION[operator], String(value ?? ""));
  if (operator === "REGEX") return toPattern(attribute, String(value ?? ""), caseInsensitive === true);
  if (operator === "IN_CIDR") return listedOr(toRanges(attribute, listed));
  if (operator === "DATE_AFTER" || operator === "DATE_BEFORE")
    return noCounterpart("A constraint on the current time has a counterpart only in a flag with one strategy");
  return noCounterpart(`The operator ${operator} is unknown`);
}

/** Unleash compares texts; an attribute that is true or false counts as its word. */
export function isOneOf(attribute: string, values: readonly string[]): AttributeCondition {
  const booleans = [true, false].filter((one) => values.includes(String(one)));
  return where(attribute, "IN", [...values, ...booleans]);
}

function toNumberCondition(attribute: string, operator: Operator, value: number): Condition {
  if (Number.isNaN(value)) return NEVER;
  if (!Number.isFinite(value)) return noCounterpart(`${value} is not a finite number`);
  if (operator !== "EQUALS") return where(attribute, operator, value);
  // As two bounds, because equality also compares text as it is spelt.
  return {
    all: [where(attribute, "GREATER_THAN_OR_EQUAL", value), where(attribute, "LESS_THAN_OR_EQUAL", value)],
  };
}

function toVersionCondition(attribute: string, operator: Operator, value: string): Condition {
  if (!new RegExp(STRICT_VERSION).test(value)) return noCounterpart(`"${value}" is not a version with three parts`);
  return { all: [where(attribute, "MATCHES", STRICT_VERSION), where(attribute, operator, value)] };
}

function toPattern(attribute: string, pattern: string, caseless: boolean): Condition {
  if (caseless) return noCounterpart("A pattern that ignores letter case has no counterpart");
  return isPortable(pattern)
    ? where(attribute, "MATCHES", pattern)
    : noCounterpart(`The pattern ${pattern} may mean something else in Assay`);
}

/** Unleash compares addresses only with ranges of their own version, Assay also with IPv4 addresses in IPv6. */
export function toRanges(attribute: string, ranges: readonly string[]): Condition {
  const isSix = where(attribute, "CONTAINS", ":");
  const [four, six] = [ranges.filter((one) => !one.includes(":")), ranges.filter((one) => one.includes(":"))];
  const parts: Condition[] = [];
  if (four.length > 0) parts.push(allOf([where(attribute, "IN_CIDR", four), { not: isSix }])!);
  if (six.length > 0) parts.push(allOf([where(attribute, "IN_CIDR", six), isSix])!);
  return anyOf(parts);
}
