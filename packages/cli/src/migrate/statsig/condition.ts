import type { Condition as AssayCondition, Operator } from "@assay/core";
import { anyOf, exists, isPortable, NEVER, where } from "../mapping/condition.ts";
import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import type { Condition } from "./payload.ts";

/** What a condition may refer to. */
export interface Scope {
  /** Returns the condition that a gate passes. @throws {NoCounterpart} */
  gate(name: string): AssayCondition;
  environment: string | undefined;
  /** Collects how the condition differs. */
  differences: Set<string>;
}

const ORDERS: Record<string, Operator> = {
  gt: "GREATER_THAN",
  gte: "GREATER_THAN_OR_EQUAL",
  lt: "LESS_THAN",
  lte: "LESS_THAN_OR_EQUAL",
};
const VERSIONS: Record<string, Operator> = {
  version_gt: "SEMVER_GREATER_THAN",
  version_gte: "SEMVER_GREATER_THAN_OR_EQUAL",
  version_lt: "SEMVER_LESS_THAN",
  version_lte: "SEMVER_LESS_THAN_OR_EQUAL",
  version_eq: "SEMVER_EQUALS",
  version_neq: "SEMVER_NOT_EQUALS",
};
/** Operators on lists of texts: of which operator of Assay, whether they are its complement, and ignore letter case. */
const LISTS: Record<string, [Operator, isNone: boolean, caseless: boolean]> = {
  any: ["IN", false, true],
  none: ["IN", true, true],
  any_case_sensitive: ["IN", false, false],
  none_case_sensitive: ["IN", true, false],
  str_starts_with_any: ["STARTS_WITH", false, true],
  str_ends_with_any: ["ENDS_WITH", false, true],
  str_contains_any: ["CONTAINS", false, true],
  str_contains_none: ["CONTAINS", true, true],
};
const VERSION = /^\d+(\.\d+){0,2}$/;

/** Returns the attribute of a type of id. */
export function toUnit(idType: string | null | undefined): string {
  return !idType || idType.toLowerCase() === "userid" ? "user_id" : requireAttribute(idType);
}

/** Converts a condition. @throws {NoCounterpart} */
export function toCondition(condition: Condition, scope: Scope): AssayCondition {
  const { field, targetValue: target } = condition;
  const type = condition.type.toLowerCase();
  switch (type) {
    case "public":
      return EVERYONE;
    case "pass_gate":
      return scope.gate(String(target));
    case "fail_gate":
      return { not: scope.gate(String(target)) };
    case "multi_pass_gate":
      return anyOf(listOf(target).map(scope.gate));
    case "multi_fail_gate":
      return anyOf(listOf(target).map((name) => ({ not: scope.gate(name) })));
    case "unit_id":
      return toComparison(toUnit(condition.idType), condition);
    case "environment_field":
      return toEnvironment(condition, scope);
    case "ip_based":
    case "ua_based":
      scope.differences.add(
        `Statsig reads ${field} from the ${type === "ip_based" ? "IP address" : "user agent"}; pass it as an attribute`,
      );
      return toComparison(toField(field), condition);
    case "user_field":
      return toComparison(toField(field), condition);
    default:
      return noCounterpart(`A condition of the type ${condition.type} has no counterpart`);
  }
}

function toField(field: string | null | undefined): string {
  return field?.toLowerCase() === "userid" ? "user_id" : requireAttribute(field ?? "");
}

function toComparison(attribute: string, { operator, targetValue: target }: Condition): AssayCondition {
  const name = (operator ?? "").toLowerCase();
  const found = <T>(table: Record<string, T>) => (Object.hasOwn(table, name) ? table[name] : undefined);
  const order = found(ORDERS);
  if (order) return where(attribute, order, requireNumber(name, target));
  const version = found(VERSIONS);
  if (version) return toVersion(attribute, version, name, target);
  const list = found(LISTS);
  if (list) return toList(attribute, list, listOf(target));
  switch (name) {
    case "eq":
      return toEqual(attribute, target);
    case "neq":
      return { not: toEqual(attribute, target) };
    case "str_matches":
      return typeof target === "string" && isPortable(target)
        ? where(attribute, "MATCHES", target)
        : noCounterpart(`The pattern ${JSON.stringify(target)} may mean something else in Assay`);
    case "before":
    case "after":
      return where(attribute, name === "before" ? "BEFORE" : "AFTER", toTime(target));
    case "array_contains_any":
      return isOneOf(attribute, listOf(target));
    case "array_contains_none":
      return { all: [exists(attribute), { not: isOneOf(attribute, listOf(target)) }] };
    case "array_contains_all":
      return hasAll(attribute, listOf(target));
    case "not_array_contains_all":
      return { all: [exists(attribute), { not: hasAll(attribute, listOf(target)) }] };
    default:
      return noCounterpart(`The operator ${operator} has no counterpart`);
  }
}

function listOf(target: unknown): string[] {
  return Array.isArray(target)
    ? target.map(String)
    : noCounterpart(`A condition needs a list, not ${JSON.stringify(target)}`);
}

/** Statsig compares the texts of values, so that true equals "true". */
function toList(attribute: string, [operator, isNone, caseless]: (typeof LISTS)[string], texts: string[]) {
  const booleans =
    operator === "IN" ? [true, false].filter((one) => texts.some((text) => text.toLowerCase() === String(one))) : [];
  const any = texts.length > 0 ? where(attribute, operator, [...texts, ...booleans], caseless) : NEVER;
  return isNone ? { not: any } : any;
}

function isOneOf(attribute: string, texts: string[]): AssayCondition {
  return texts.length > 0 ? where(attribute, "IN", texts) : NEVER;
}

function hasAll(attribute: string, texts: string[]): AssayCondition {
  return { all: [exists(attribute), ...texts.map((text) => where(attribute, "IN", [text]))] };
}

function toEqual(attribute: string, target: unknown): AssayCondition {
  const isScalar = ["string", "number", "boolean"].includes(typeof target);
  return isScalar
    ? where(attribute, "EQUALS", target as string | number | boolean)
    : noCounterpart(`A comparison of ${attribute} with ${JSON.stringify(target)}`);
}

function requireNumber(name: string, target: unknown): number {
  const number = typeof target === "string" && target.trim() !== "" ? Number(target) : target;
  return typeof number === "number" && Number.isFinite(number)
    ? number
    : noCounterpart(`${name} with ${JSON.stringify(target)}, which is not a number`);
}

/** Statsig ignores what follows a hyphen, and lets no attribute pass that is not a version. */
function toVersion(attribute: string, operator: Operator, name: string, target: unknown): AssayCondition {
  const version = String(target).split("-")[0]!;
  if (!VERSION.test(version))
    return noCounterpart(`${name} with ${JSON.stringify(target)}, which is not a version of one to three numbers`);
  return { all: [where(attribute, "MATCHES", "^\\d+(\\.\\d+){0,2}(-.*)?$"), where(attribute, operator, version)] };
}

/** Numbers below 10^10 are seconds, others milliseconds. */
function toTime(target: unknown): string {
  const number = Number(target);
  const time = Number.isNaN(number) ? Date.parse(String(target)) : number < 1e10 ? number * 1_000 : number;
  const isTime = target !== null && target !== "" && Math.abs(time) <= 8.64e15;
  return isTime ? new Date(time).toISOString() : noCounterpart(`${JSON.stringify(target)} is not a time`);
}

/** One server of Assay is one environment, so that the tier is known. */
function toEnvironment({ field, operator, targetValue }: Condition, { environment }: Scope): AssayCondition {
  if (environment === undefined) return noCounterpart("It depends on the environment; specify one with --environment");
  if (field?.toLowerCase() !== "tier") return noCounterpart(`It depends on ${field} of the environment`);
  const caseless = operator === "any" || operator === "none";
  const fold = (text: string) => (caseless ? text.toLowerCase() : text);
  const isListed = [targetValue].flat().some((one) => fold(String(one)) === fold(environment));
  if (["any", "any_case_sensitive", "eq"].includes(operator ?? "")) return isListed ? EVERYONE : NEVER;
  if (["none", "none_case_sensitive", "neq"].includes(operator ?? "")) return isListed ? NEVER : EVERYONE;
  return noCounterpart(`The operator ${operator} on the environment has no counterpart`);
}
