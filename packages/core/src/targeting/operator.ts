import { readers } from "../program/check.ts";
import type { Order, Predicate } from "../program/program.ts";
import { refuse, type Scalar } from "./definition-error.ts";
import { parsePattern } from "./pattern-syntax.ts";

/**
 * Lowers an operator over the values of the definition, any of which may match. Not for those with NOT_, which are
 * complements, nor for EXISTS and IN_SEGMENT, which are conditions of their own.
 *
 * @throws DefinitionError for a value that the operator cannot read, SyntaxError for a pattern.
 */
export function toCheck(operator: string, attribute: string, values: readonly Scalar[], caseless: boolean): Predicate {
  switch (operator) {
    case "EQUALS":
    case "IN":
      return ["in", attribute, [...values], caseless];
    case "CONTAINS":
      return toText("includes", attribute, values, caseless);
    case "STARTS_WITH":
      return toText("startsWith", attribute, values, caseless);
    case "ENDS_WITH":
      return toText("endsWith", attribute, values, caseless);
    case "MATCHES":
      return ["matches", attribute, values.map((value) => parsePattern(String(value)))];
    case "BEFORE":
    case "AFTER":
      return toOrder(operator, attribute, values, "time", "an ISO 8601 time");
  }
  return operator.startsWith("SEMVER_")
    ? toOrder(operator, attribute, values, "version", "a version")
    : toOrder(operator, attribute, values, "number", "a number");
}

/** Compares text, of which numbers and booleans are read as they are written. */
function toText(
  how: "includes" | "startsWith" | "endsWith",
  attribute: string,
  values: readonly Scalar[],
  caseless: boolean,
): Predicate {
  const parts = values.map((value) => (caseless ? String(value).toLowerCase() : String(value)));
  return ["text", attribute, how, parts, caseless];
}

/** Compares by an order that both sides have to be readable in. */
function toOrder(
  operator: string,
  attribute: string,
  values: readonly Scalar[],
  order: Order,
  what: string,
): Predicate {
  const side = /GREATER|AFTER/.test(operator) ? 1 : /LESS|BEFORE/.test(operator) ? -1 : 0;
  const read = values.map((value) => readers[order](value) ?? refuse(`${JSON.stringify(value)} is not ${what}`));
  return ["order", attribute, order, read, side, operator.includes("EQUAL")];
}
