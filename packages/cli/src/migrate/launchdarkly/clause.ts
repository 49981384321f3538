import type { Condition, Operator } from "@assay/core";
import { exists, NEVER, where } from "../mapping/condition.ts";
import { requireAttribute } from "../mapping/key.ts";
import { noCounterpart } from "../mapping/no-counterpart.ts";
import type { Clause } from "./payload.ts";

/** Returns the condition of a segment by its key. @throws {NoCounterpart} */
export type SegmentCondition = (key: string) => Condition;

type Scalar = string | number | boolean;
type Type = "string" | "number";

/** Each operator with the type of the values that it compares; others never match. */
const OPERATORS: Record<string, [Operator, Type | "time"]> = {
  contains: ["CONTAINS", "string"],
  startsWith: ["STARTS_WITH", "string"],
  endsWith: ["ENDS_WITH", "string"],
  matches: ["MATCHES", "string"],
  lessThan: ["LESS_THAN", "number"],
  lessThanOrEqual: ["LESS_THAN_OR_EQUAL", "number"],
  greaterThan: ["GREATER_THAN", "number"],
  greaterThanOrEqual: ["GREATER_THAN_OR_EQUAL", "number"],
  before: ["BEFORE", "time"],
  after: ["AFTER", "time"],
};
const VERSIONS: Record<string, Operator> = {
  semVerEqual: "SEMVER_EQUALS",
  semVerLessThan: "SEMVER_LESS_THAN",
  semVerGreaterThan: "SEMVER_GREATER_THAN",
};
const VERSION = /^\d+(\.\d+){0,2}([-+].*)?$/;

/**
 * Returns the attribute for one of a context. The key of a user is the user id of Assay. Attributes of other kinds are
 * named after both: the key of an organization is `organization.key`.
 */
export function toAttribute(reference: string, kind: string | null | undefined): string {
  const name = reference.startsWith("/") ? reference.slice(1).replace(/~1/g, "/").replace(/~0/g, "~") : reference;
  if (reference.startsWith("/") && reference.slice(1).includes("/"))
    return noCounterpart(`The attribute ${reference} is inside another one`);
  if (name === "kind") return noCounterpart("A clause on the kind of a context has no counterpart");
  const isUser = !kind || kind === "user";
  if (isUser) return name === "key" ? "user_id" : requireAttribute(name);
  return requireAttribute(`${kind}.${name}`);
}

/** Converts a clause. @throws {NoCounterpart} */
export function toCondition(clause: Clause, segment: SegmentCondition): Condition {
  const { attribute: reference, op, values, negate, contextKind } = clause;
  if (op === "segmentMatch") {
    const any: Condition = { any: values.map((key) => segment(String(key))) };
    return negate ? { not: any } : any;
  }
  const attribute = toAttribute(reference, contextKind);
  if (reference === "anonymous" && (negate || op !== "in" || values.some((value) => value !== true)))
    return noCounterpart("Only whether a user is anonymous has a counterpart, not whether one is not");
  const condition = toComparison(attribute, op, values);
  // A context without the attribute does not match, also if the clause is negated.
  return negate ? { all: [exists(attribute), { not: condition }] } : condition;
}

function toComparison(attribute: string, op: string, values: readonly unknown[]): Condition {
  if (op === "in") {
    const scalars = values.filter((value): value is Scalar => ["string", "number", "boolean"].includes(typeof value));
    return scalars.length > 0 ? where(attribute, "IN", scalars) : NEVER;
  }
  if (Object.hasOwn(VERSIONS, op)) return toVersions(attribute, VERSIONS[op]!, values);
  if (!Object.hasOwn(OPERATORS, op)) return noCounterpart(`The operator ${op} is unknown`);
  const [operator, type] = OPERATORS[op]!;
  if (type === "time")
    return listed(
      attribute,
      operator,
      values.flatMap((value) => toTime(value)),
    );
  return listed(
    attribute,
    operator,
    values.filter((value): value is Scalar => typeof value === type),
  );
}

function listed(attribute: string, operator: Operator, values: readonly Scalar[]): Condition {
  return values.length > 0 ? where(attribute, operator, [...values]) : NEVER;
}

function toTime(value: unknown): string[] {
  const time = typeof value === "number" ? value : typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isFinite(time) ? [new Date(time).toISOString()] : [];
}

/** Assay also reads versions that start with a `v`. */
function toVersions(attribute: string, operator: Operator, values: readonly unknown[]): Condition {
  const versions = values.filter((value): value is string => typeof value === "string" && VERSION.test(value));
  if (versions.length === 0) return NEVER;
  return { all: [where(attribute, "MATCHES", "^\\d"), where(attribute, operator, versions)] };
}
