import type { Operator } from "../format/definition.ts";
import { isAbsent, refuse, type Scalar, toScalars } from "../format/definition-error.ts";
import type { Order, Predicate } from "../format/program.ts";
import { isCaseless } from "../values/attribute.ts";
import { readers } from "../values/order.ts";
import { parsePattern } from "../values/pattern-syntax.ts";
import type { WireCondition } from "./condition.ts";
import type { Scope } from "./scope.ts";
import { toMembership } from "./segment.ts";

/**
 * Lowers a condition with one operator, and reads its value once.
 *
 * @throws DefinitionError for a value that the operator cannot read, SyntaxError for a pattern.
 */
type LowerOperator = (condition: WireCondition, scope: Scope) => Predicate;

/** Lowers a comparison of an attribute with values, any of which may match. */
type LowerComparison = (attribute: string, values: readonly Scalar[], caseless: boolean) => Predicate;

/** How each operator is lowered. An operator that is in `OPERATORS` and not here does not compile. */
const LOWERINGS = {
  EQUALS: (condition) => compare(condition, toIn),
  NOT_EQUALS: (condition) => ["not", compare(condition, toIn)],
  IN: (condition) => compare(condition, toIn),
  NOT_IN: (condition) => ["not", compare(condition, toIn)],
  CONTAINS: (condition) => compare(condition, toText("includes")),
  STARTS_WITH: (condition) => compare(condition, toText("startsWith")),
  ENDS_WITH: (condition) => compare(condition, toText("endsWith")),
  GREATER_THAN: (condition) => compare(condition, toOrder("number", 1, false)),
  GREATER_THAN_OR_EQUAL: (condition) => compare(condition, toOrder("number", 1, true)),
  LESS_THAN: (condition) => compare(condition, toOrder("number", -1, false)),
  LESS_THAN_OR_EQUAL: (condition) => compare(condition, toOrder("number", -1, true)),
  MATCHES: (condition) => compare(condition, toMatches),
  EXISTS: (condition) => toExists(condition),
  SEMVER_EQUALS: (condition) => compare(condition, toOrder("version", 0, true)),
  SEMVER_NOT_EQUALS: (condition) => ["not", compare(condition, toOrder("version", 0, true))],
  SEMVER_GREATER_THAN: (condition) => compare(condition, toOrder("version", 1, false)),
  SEMVER_GREATER_THAN_OR_EQUAL: (condition) => compare(condition, toOrder("version", 1, true)),
  SEMVER_LESS_THAN: (condition) => compare(condition, toOrder("version", -1, false)),
  SEMVER_LESS_THAN_OR_EQUAL: (condition) => compare(condition, toOrder("version", -1, true)),
  BEFORE: (condition) => compare(condition, toOrder("time", -1, false)),
  AFTER: (condition) => compare(condition, toOrder("time", 1, false)),
  IN_SEGMENT: ({ value }, scope) => toMembership(value, scope),
} satisfies Record<Operator, LowerOperator>;

/** What the values of an order have to be, for error messages. */
const EXPECTED = { number: "a number", time: "an ISO 8601 time", version: "a version" } satisfies Record<Order, string>;

/** Whether a value names an operator that can be lowered. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === "string" && Object.hasOwn(LOWERINGS, value);
}

/** Lowers a condition by its operator. @throws DefinitionError or SyntaxError for what is not understood. */
export function lowerOperator(condition: WireCondition, scope: Scope): Predicate {
  const { operator } = condition;
  if (!isOperator(operator)) return refuse(`Unknown operator ${JSON.stringify(operator)}`);
  return LOWERINGS[operator](condition, scope);
}

/** Reads the attribute and the values of a comparison, and lowers it. */
function compare(condition: WireCondition, lower: LowerComparison): Predicate {
  const attribute = readName(condition);
  const { operator, value } = condition;
  if (isAbsent(value)) return refuse(`${operator} needs a value`);
  const values = toScalars(Array.isArray(value) ? value : [value]);
  return lower(attribute, values, isCaseless(attribute));
}

function readName({ attribute, operator }: WireCondition): string {
  return typeof attribute === "string" && attribute !== "" ? attribute : refuse(`${operator} needs an attribute`);
}

function toExists(condition: WireCondition): Predicate {
  const exists: Predicate = ["exists", readName(condition)];
  return condition.value !== false ? exists : ["not", exists];
}

function toIn(attribute: string, values: readonly Scalar[], caseless: boolean): Predicate {
  return ["in", attribute, [...values], caseless];
}

function toMatches(attribute: string, values: readonly Scalar[]): Predicate {
  return ["matches", attribute, values.map((value) => parsePattern(String(value)))];
}

/** Compares text; numbers and booleans are read as they are written. */
function toText(how: "includes" | "startsWith" | "endsWith"): LowerComparison {
  return (attribute, values, caseless) => {
    const parts = values.map((value) => (caseless ? String(value).toLowerCase() : String(value)));
    return ["text", attribute, how, parts, caseless];
  };
}

/** Compares by an order that both sides must be readable in: -1 is below the value, 1 above it, 0 neither. */
function toOrder(order: Order, side: -1 | 0 | 1, orEqual: boolean): LowerComparison {
  return (attribute, values) => {
    const read = values.map(
      (value) => readers[order](value) ?? refuse(`${JSON.stringify(value)} is not ${EXPECTED[order]}`),
    );
    return ["order", attribute, order, read, side, orEqual];
  };
}
