import { PatternError, parsePattern } from "../values/pattern-syntax.ts";
import { isObject, JSON_TYPES } from "./schema.ts";

/** Returns what is wrong with the value of a keyword. */
type Shape = (value: unknown) => string | undefined;

const expected =
  (what: string, isRight: (value: unknown) => boolean): Shape =>
  (value) =>
    isRight(value) ? undefined : `Expected ${what}`;

const isText = (value: unknown) => typeof value === "string";
const isSchema = (value: unknown) => typeof value === "boolean" || isObject(value);
const isNames = (value: unknown) => Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;
const isType = (value: unknown) => (JSON_TYPES as readonly unknown[]).includes(value);

const text = expected("a text", isText);
const flag = expected("true or false", (value) => typeof value === "boolean");
const number = expected("a number", Number.isFinite);
const count = expected("a whole number from 0", (value) => Number.isSafeInteger(value) && (value as number) >= 0);
const list = expected("a list with at least one value", (value) => Array.isArray(value) && value.length > 0);
const names = expected("a list of different names", isNames);
const schema = expected("a schema: an object, true or false", isSchema);
const schemas = expected(
  "a list with at least one schema",
  (value) => Array.isArray(value) && value.length > 0 && value.every(isSchema),
);
const named = expected("schemas by name", (value) => isObject(value) && Object.values(value).every(isSchema));
const anything: Shape = () => undefined;

const DRAFTS = /^https?:\/\/json-schema\.org\/(draft\/2020-12|draft\/2019-09|draft-07|draft-06)\/schema#?$/;

/** The keywords that a schema may have, each with the form of its value. */
export const KEYWORDS: Readonly<Record<string, Shape>> = {
  $schema: expected("a draft of JSON Schema, such as https://json-schema.org/draft/2020-12/schema", (value) =>
    DRAFTS.test(String(value)),
  ),
  $id: text,
  $comment: text,
  $ref: expected(
    "a reference within this schema, such as #/$defs/name",
    (value) => isText(value) && /^#/.test(`${value}`),
  ),
  $defs: named,
  definitions: named,
  title: text,
  description: text,
  default: anything,
  examples: expected("a list", Array.isArray),
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  type: expected(
    `one of ${JSON_TYPES.join(", ")}, or a list of them`,
    (value) => isType(value) || (isNames(value) && (value as string[]).length > 0 && (value as string[]).every(isType)),
  ),
  enum: list,
  const: anything,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  not: schema,
  if: schema,
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: schema,
  else: schema,
  properties: named,
  patternProperties: (value) =>
    named(value) ??
    Object.keys(value as object)
      .map(pattern)
      .find((problem) => problem),
  additionalProperties: schema,
  propertyNames: schema,
  required: names,
  dependentRequired: expected(
    "lists of names by name",
    (value) => isObject(value) && Object.values(value).every(isNames),
  ),
  minProperties: count,
  maxProperties: count,
  prefixItems: schemas,
  items: expected("a schema; give the schemas of a tuple as prefixItems", isSchema),
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minLength: count,
  maxLength: count,
  pattern,
  format: text,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: expected("a number above 0", (value) => Number.isFinite(value) && (value as number) > 0),
};

function pattern(value: unknown): string | undefined {
  if (typeof value !== "string") return "Expected a pattern";
  try {
    parsePattern(value);
    return undefined;
  } catch (error) {
    if (error instanceof PatternError) return error.message;
    throw error;
  }
}
