import type { Condition, Operator } from "@assay/core";
import { allOf, anyOf, exists, NEVER, noneOf, where } from "../mapping/condition.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import { EVERYONE } from "../mapping/rules.ts";
import { toAttribute, toOperation } from "./expression.ts";

type Scalar = string | number | boolean;

const ORDERS: Record<string, [Operator, mirrored: string]> = {
  "<": ["LESS_THAN", ">"],
  "<=": ["LESS_THAN_OR_EQUAL", ">="],
  ">": ["GREATER_THAN", "<"],
  ">=": ["GREATER_THAN_OR_EQUAL", "<="],
};
/** How a missing attribute compares: it counts as 0. */
const ZERO: Record<string, (value: number) => boolean> = {
  "<": (value) => 0 < value,
  "<=": (value) => 0 <= value,
  ">": (value) => 0 > value,
  ">=": (value) => 0 >= value,
};
const VERSIONS: Record<string, Operator> = {
  "=": "SEMVER_EQUALS",
  "!=": "SEMVER_NOT_EQUALS",
  "<": "SEMVER_LESS_THAN",
  "<=": "SEMVER_LESS_THAN_OR_EQUAL",
  ">": "SEMVER_GREATER_THAN",
  ">=": "SEMVER_GREATER_THAN_OR_EQUAL",
};
const NUMBER = "(0|[1-9]\\d*)";
const PART = "(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)";
/** What flagd reads as a version: also one of one or two numbers, and one that starts with a `v`. */
const VERSION = `^[vV]?(\\d+(\\.\\d+)?|${NUMBER}\\.${NUMBER}\\.${NUMBER}(-${PART}(\\.${PART})*)?(\\+[0-9a-zA-Z.-]+)?)$`;

/** Whether an expression is a condition, which answers true or false. */
export function isCondition(expression: unknown): boolean {
  if (typeof expression === "boolean") return true;
  const operation = toOperation(expression);
  if (!operation) return false;
  const { name, args } = operation;
  if (name === "and" || name === "or") return args.every(isCondition);
  return (
    name in ORDERS || ["!", "!!", "==", "===", "!=", "!==", "in", "starts_with", "ends_with", "sem_ver"].includes(name)
  );
}

/** Converts a condition: https://flagd.dev/reference/flag-definitions/#targeting-rules. @throws {NoCounterpart} */
export function toCondition(expression: unknown): Condition {
  if (expression === true) return EVERYONE;
  if (expression === false || expression === null) return NEVER;
  const { name, args } = toOperation(expression) ?? noCounterpart(`The condition ${JSON.stringify(expression)}`);
  switch (name) {
    case "and":
      return allOf(args.map(toCondition)) ?? EVERYONE;
    case "or":
      return anyOf(args.map(toCondition));
    case "!":
      return noneOf([toCondition(args[0])]);
    case "!!":
      return toCondition(args[0]);
    case "==":
      return toEquality(args, false);
    case "===":
      return toEquality(args, true);
    case "!=":
      return { not: toEquality(args, false) };
    case "!==":
      return { not: toEquality(args, true) };
    case "in":
      return toMembership(args);
    case "starts_with":
      return where(attributeOf(args[0]), "STARTS_WITH", textOf(args[1]));
    case "ends_with":
      return where(attributeOf(args[0]), "ENDS_WITH", textOf(args[1]));
    case "sem_ver":
      return toVersion(args);
    default:
      return Object.hasOwn(ORDERS, name)
        ? toOrder(name, args)
        : noCounterpart(`The operation ${name} has no counterpart`);
  }
}

function attributeOf(expression: unknown): string {
  return toAttribute(expression) ?? noCounterpart(`${JSON.stringify(expression)} is not an attribute`);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : noCounterpart(`${JSON.stringify(value)} is not text`);
}

function scalarOf(value: unknown): Scalar {
  const isScalar = ["string", "number", "boolean"].includes(typeof value);
  return isScalar ? (value as Scalar) : noCounterpart(`A comparison with ${JSON.stringify(value)}`);
}

/** Without strictness, a missing attribute equals 0 and false, and null equals these too. */
function toEquality([left, right]: unknown[], isStrict: boolean): Condition {
  const isLeft = toAttribute(left) !== null;
  const [attribute, value] = isLeft ? [attributeOf(left), right] : [attributeOf(right), left];
  const isMissing: Condition = { not: exists(attribute) };
  if (value === null) return isStrict ? isMissing : { any: [isMissing, where(attribute, "IN", [false, 0])] };
  const equals = where(attribute, "EQUALS", scalarOf(value));
  return !isStrict && (value === 0 || value === false) ? { any: [equals, isMissing] } : equals;
}

function toMembership([needle, haystack]: unknown[]): Condition {
  if (!Array.isArray(haystack)) return where(attributeOf(haystack), "CONTAINS", textOf(needle));
  return haystack.length === 0 ? NEVER : where(attributeOf(needle), "IN", haystack.map(scalarOf));
}

function toOrder(name: string, args: unknown[]): Condition {
  if (args.length !== 2) return noCounterpart(`${name} of ${args.length} values`);
  const isLeft = toAttribute(args[0]) !== null;
  const order = isLeft ? name : ORDERS[name]![1];
  const [attribute, value] = isLeft ? [attributeOf(args[0]), args[1]] : [attributeOf(args[1]), args[0]];
  if (typeof value !== "number") return noCounterpart(`${name} with ${JSON.stringify(value)}, which is not a number`);
  const condition = where(attribute, ORDERS[order]![0], value);
  return ZERO[order]!(value) ? { any: [condition, { not: exists(attribute) }] } : condition;
}

function toVersion([version, operator, wanted]: unknown[]): Condition {
  const attribute = attributeOf(version);
  const text = textOf(wanted);
  const [, major, minor = "0"] = /^[vV]?(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  if (major === undefined || !new RegExp(VERSION).test(text)) return noCounterpart(`"${text}" is not a version`);
  const isVersion = where(attribute, "MATCHES", VERSION);
  // In flagd, ^ compares the major part, and ~ the major and minor part.
  if (operator === "^") return { all: [isVersion, where(attribute, "MATCHES", `^[vV]?${major}(\\D|$)`)] };
  if (operator === "~") {
    const same = minor === "0" ? `(\\.0(\\D|$)|$)` : `\\.${minor}(\\D|$)`;
    return { all: [isVersion, where(attribute, "MATCHES", `^[vV]?${major}${same}`)] };
  }
  const known = Object.hasOwn(VERSIONS, String(operator))
    ? VERSIONS[String(operator)]!
    : noCounterpart(`sem_ver with ${operator}`);
  return { all: [isVersion, where(attribute, known, text)] };
}
