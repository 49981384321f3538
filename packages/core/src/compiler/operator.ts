import type { Operator } from "../format/definition.ts";
import { isAbsent, refuse, type Scalar, toScalars } from "../format/definition-error.ts";
import type { Order, Ordered, Predicate } from "../format/program.ts";
import { toAddressRange } from "../values/address-range.ts";
import { isCaseless } from "../values/attribute.ts";
import { readOrdered } from "../values/order.ts";
import { parsePattern } from "../values/pattern-syntax.ts";
import { parseVersionRange } from "../values/semver-range.ts";
import type { WireCondition } from "./condition.ts";
import type { Scope } from "./scope.ts";
import { toMembership } from "./segment.ts";

/**
 * The lowered form of an operator: `in`, `text` by a string method, `matches`, `address`, `order` (how both sides are read; -1 is
 * below the value, 1 above it, 0 neither; whether equal ones pass), `exists`, `segment`, or the complement of another.
 */
type Lowering =
  | readonly ["in" | "matches" | "address" | "exists" | "segment"]
  | readonly ["text", "includes" | "startsWith" | "endsWith"]
  | readonly ["order", Order, -1 | 0 | 1, boolean]
  | readonly ["not", Operator];

/** The lowering of each operator. */
const LOWERINGS: Readonly<Record<Operator, Lowering>> = {
  EQUALS: ["in"],
  NOT_EQUALS: ["not", "EQUALS"],
  IN: ["in"],
  NOT_IN: ["not", "IN"],
  CONTAINS: ["text", "includes"],
  STARTS_WITH: ["text", "startsWith"],
  ENDS_WITH: ["text", "endsWith"],
  GREATER_THAN: ["order", "number", 1, false],
  GREATER_THAN_OR_EQUAL: ["order", "number", 1, true],
  LESS_THAN: ["order", "number", -1, false],
  LESS_THAN_OR_EQUAL: ["order", "number", -1, true],
  MATCHES: ["matches"],
  EXISTS: ["exists"],
  SEMVER_EQUALS: ["order", "version", 0, true],
  SEMVER_NOT_EQUALS: ["not", "SEMVER_EQUALS"],
  SEMVER_GREATER_THAN: ["order", "version", 1, false],
  SEMVER_GREATER_THAN_OR_EQUAL: ["order", "version", 1, true],
  SEMVER_LESS_THAN: ["order", "version", -1, false],
  SEMVER_LESS_THAN_OR_EQUAL: ["order", "version", -1, true],
  BEFORE: ["order", "time", -1, false],
  AFTER: ["order", "time", 1, false],
  IN_CIDR: ["address"],
  NOT_IN_CIDR: ["not", "IN_CIDR"],
  IN_SEGMENT: ["segment"],
};

/** All operators, in the order of the documentation. */
export const OPERATORS: readonly Operator[] = /* @__PURE__ */ Object.keys(LOWERINGS) as Operator[];

/** Returns whether a value names an operator that can be lowered. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "string" && Object.hasOwn(LOWERINGS, value);
}

/**
 * Lowers a condition by its operator, and reads its value once.
 *
 * @throws DefinitionError for an unknown operator or an invalid value, SyntaxError for a pattern
 */
export function lowerOperator(condition: WireCondition, scope: Scope): Predicate {
  const { operator } = condition;
  if (!isOperator(operator)) return refuse(`Unknown operator ${JSON.stringify(operator)}`);
  return lower(LOWERINGS[operator], condition, scope);
}

function lower(lowering: Lowering, condition: WireCondition, scope: Scope): Predicate {
  const { attribute, operator, value, case_insensitive } = condition;
  if (lowering[0] === "not") return ["not", lower(LOWERINGS[lowering[1]], condition, scope)];
  if (!isAbsent(case_insensitive) && (typeof case_insensitive !== "boolean" || !["in", "text"].includes(lowering[0]))) {
    return refuse(`${operator} has no case_insensitive`);
  }
  if (lowering[0] === "segment") return toMembership(value, scope);
  if (typeof attribute !== "string" || attribute === "") return refuse(`${operator} needs an attribute`);
  if (lowering[0] === "exists") return value !== false ? ["exists", attribute] : ["not", ["exists", attribute]];
  if (isAbsent(value)) return refuse(`${operator} needs a value`);
  const values = toScalars(Array.isArray(value) ? value : [value]);
  const caseless = case_insensitive ?? isCaseless(attribute);
  const texts = values.map(String);
  switch (lowering[0]) {
    case "in":
      return ["in", attribute, [...values], caseless];
    case "text":
      return ["text", attribute, lowering[1], caseless ? texts.map((text) => text.toLowerCase()) : texts, caseless];
    case "matches":
      return ["matches", attribute, texts.map(parsePattern)];
    case "address":
      return ["address", attribute, values.map(toAddressRange)];
    case "order": {
      const [, order, side, orEqual] = lowering;
      if (order === "version" && side === 0)
        return toVersions(attribute === "user_id" ? "targetingKey" : attribute, values);
      return ["order", attribute, order, values.map((one) => readOrdered(order, one)), side, orEqual];
    }
  }
}

/** Lowers a list of versions and ranges of versions, any of which may match. */
function toVersions(attribute: string, values: readonly Scalar[]): Predicate {
  const order = (listed: Ordered[], side: number): Predicate => [
    "order",
    attribute,
    "version",
    listed,
    side,
    side >= 0,
  ];
  const ranges = values.map(parseVersionRange).filter((range) => range !== null);
  const versions = values.filter((value) => parseVersionRange(value) === null);
  const equal = order(
    versions.map((one) => readOrdered("version", one)),
    0,
  );
  if (ranges.length === 0) return equal;
  const within = ranges.map(([from, until]): Predicate => ["all", [order([from], 1), order([until], -1)]]);
  return ["one", attribute, ["any", [equal, ...within]]];
}
