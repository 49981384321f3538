import type { Condition, FeatureFlag } from "@assay/client";

type Rule = FeatureFlag["rules"][number];
export type Operator = Extract<Condition, { operator: unknown }>["operator"];

/** A condition as the editor has it: its value is the text that the user types. */
export interface LeafDraft {
  attribute: string;
  operator: Operator;
  value: string;
  case_insensitive?: boolean;
}

/** Conditions as the editor has them. `json` is set where they are too deep for the form. */
export interface ConditionsDraft {
  match: "all" | "any";
  conditions: LeafDraft[];
  json?: string;
}

/** A rule as the editor has it. */
export interface RuleDraft extends ConditionsDraft {
  id: string;
  serve: Rule["serve"];
}

/** A condition without choices. */
export const LEAF: LeafDraft = { attribute: "", operator: "EQUALS", value: "" };

/** These take a list of values. */
export const LIST_OPERATORS: readonly Operator[] = ["IN", "NOT_IN", "IN_CIDR", "NOT_IN_CIDR"];
/** These compare text, so a number that the user types stays text. */
const TEXT_OPERATORS: readonly string[] = [
  "CONTAINS",
  "STARTS_WITH",
  "ENDS_WITH",
  "MATCHES",
  "BEFORE",
  "AFTER",
  "IN_SEGMENT",
];
const isTextual = (operator: string) => TEXT_OPERATORS.includes(operator) || operator.startsWith("SEMVER_");

const isLeaf = (condition: Condition): condition is Extract<Condition, { operator: unknown }> =>
  "operator" in condition;

/** A value as text that `parseValue` reads again: texts that look like another value are quoted. */
function toText(value: unknown): string {
  if (typeof value !== "string") return value === undefined ? "" : JSON.stringify(value);
  return typeof parseScalar(value) === "string" && parseScalar(value) === value ? value : JSON.stringify(value);
}

function parseScalar(text: string): unknown {
  const trimmed = text.trim();
  if (!/^(-?\d|"|true$|false$)/.test(trimmed)) return trimmed;
  try {
    return JSON.parse(trimmed);
  } catch {
    return trimmed;
  }
}

/** Reads a typed value as the operator takes it. Quotes make a number a text. */
export function parseValue(operator: Operator, text: string): unknown {
  if (LIST_OPERATORS.includes(operator)) {
    return text
      .split(",")
      .map(parseScalar)
      .filter((one) => one !== "");
  }
  const value = parseScalar(text);
  return isTextual(operator) ? String(value) : value;
}

/** Whether the form can say a list value without loss. */
const isPlain = ({ operator, value }: { operator: Operator; value?: unknown }) =>
  JSON.stringify(parseValue(operator, toValueText(operator, value))) === JSON.stringify(value) ||
  (operator === "EXISTS" && value === undefined);

function toValueText(operator: Operator, value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(", ");
  return isTextual(operator) && typeof value === "string" ? value : toText(value);
}

export function toConditionsDraft(when: Condition): ConditionsDraft {
  const match = "any" in when ? "any" : "all";
  const parts = "all" in when ? when.all : "any" in when ? when.any : [when];
  if (!parts.every((part) => isLeaf(part) && isPlain(part))) {
    return { match, conditions: [], json: JSON.stringify(when, null, 2) };
  }
  const conditions = parts.filter(isLeaf).map(({ attribute = "", operator, value, case_insensitive }) => ({
    attribute,
    operator,
    value: toValueText(operator, value),
    case_insensitive,
  }));
  return { match, conditions };
}

/** @throws SyntaxError if the JSON of nested conditions is not JSON */
export function fromConditionsDraft({ match, conditions, json }: ConditionsDraft): Condition {
  if (json !== undefined) return JSON.parse(json) as Condition;
  const parts = conditions.map(
    ({ attribute, operator, value, case_insensitive }): Condition => ({
      ...(attribute.trim() && operator !== "IN_SEGMENT" ? { attribute: attribute.trim() } : {}),
      operator,
      ...(operator === "EXISTS" && value === "" ? {} : { value: parseValue(operator, value) }),
      ...(case_insensitive === undefined ? {} : { case_insensitive }),
    }),
  );
  const [only] = parts;
  if (match === "all" && parts.length === 1 && only) return only;
  return (match === "all" ? { all: parts } : { any: parts }) as Condition;
}

export const toDraft = ({ id, when, serve }: Rule): RuleDraft => ({ id, serve, ...toConditionsDraft(when) });

/** @throws SyntaxError if a condition in JSON is not JSON */
export const fromDraft = ({ id, serve, ...conditions }: RuleDraft): Rule => ({
  id,
  when: fromConditionsDraft(conditions),
  serve,
});
