import type { JsonValue } from "../format/definition.ts";

/** A JSON Schema, or a part of one: `true` accepts every value, `false` none. */
export type JsonSchema = boolean | { [keyword: string]: JsonValue };

/** What is wrong with a schema, or with a value of one. */
export interface SchemaProblem {
  /** Names from the whole inwards, such as `["colours", 0]`; empty for the whole. */
  path: (string | number)[];
  message: string;
}

/** The maximum length of a schema as JSON. */
export const MAX_SCHEMA_LENGTH = 50_000;
/** The maximum depth of schemas within schemas, and of references that lead from one to the next. */
export const MAX_SCHEMA_DEPTH = 50;

/** The types of values. Every `integer` is a `number` too. */
export const JSON_TYPES = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type JsonType = (typeof JSON_TYPES)[number];

/** Keywords whose value is a schema, a list of schemas, and schemas by name. */
const SINGLE = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else"] as const;
const LISTED = ["prefixItems", "allOf", "anyOf", "oneOf"] as const;
const NAMED = ["properties", "patternProperties", "$defs", "definitions"] as const;
/** Keywords whose schemas apply to the same value as the schema around them. */
const SAME_VALUE: readonly string[] = ["allOf", "anyOf", "oneOf", "not", "if", "then", "else"];

/** A schema within a schema. */
export interface Subschema {
  path: (string | number)[];
  schema: unknown;
  /** Whether it applies to the same value as the schema around it, not to a part of the value. */
  isOfSameValue: boolean;
}

/** Returns the schemas directly within a schema. Leaves out what has another form than the keyword requires. */
export function subschemasOf(schema: unknown): Subschema[] {
  if (!isObject(schema)) return [];
  const found: Subschema[] = [];
  const add = (keyword: string, rest: (string | number)[], one: unknown) =>
    found.push({ path: [keyword, ...rest], schema: one, isOfSameValue: SAME_VALUE.includes(keyword) });
  const has = (keyword: string) => Object.hasOwn(schema, keyword);
  for (const keyword of SINGLE) if (has(keyword)) add(keyword, [], schema[keyword]);
  for (const keyword of LISTED) {
    const list = has(keyword) ? schema[keyword] : [];
    if (Array.isArray(list)) for (const [index, one] of list.entries()) add(keyword, [index], one);
  }
  for (const keyword of NAMED) {
    const map = has(keyword) ? schema[keyword] : {};
    if (isObject(map)) for (const [name, one] of Object.entries(map)) add(keyword, [name], one);
  }
  return found;
}

/** Returns the fragment by which `$ref` names a place in its own document. */
export function toPointer(path: readonly (string | number)[]): string {
  return `#${path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")}`;
}

/** Decodes a fragment as URIs encode it, so that it equals what {@link toPointer} returns. */
export function decodePointer(reference: string): string {
  try {
    return decodeURIComponent(reference);
  } catch {
    return reference;
  }
}

/** Returns every schema of a document by its pointer. */
export function listSchemas(root: JsonSchema): Map<string, JsonSchema> {
  const schemas = new Map<string, JsonSchema>();
  const visit = (schema: JsonSchema, path: (string | number)[]) => {
    schemas.set(toPointer(path), schema);
    for (const one of subschemasOf(schema)) visit(one.schema as JsonSchema, [...path, ...one.path]);
  };
  visit(root, []);
  return schemas;
}

/** Returns the type of a value. A number without a fraction is an `integer`. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value as JsonType;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
