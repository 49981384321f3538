import type { JsonValue } from "../format/definition.ts";
import { type JsonSchema, jsonTypeOf, MAX_SCHEMA_DEPTH } from "./schema.ts";

type Fields = Record<string, JsonValue>;

/**
 * Returns a schema that accepts exactly values like the given ones: with their types, their names, and as required what all of
 * them have. A start for a schema that someone edits.
 */
export function inferSchema(values: readonly JsonValue[]): { [keyword: string]: JsonValue } {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...(infer(values, 1) as object) };
}

function infer(values: readonly JsonValue[], depth: number): JsonSchema {
  // One more would be refused.
  if (values.length === 0 || depth >= MAX_SCHEMA_DEPTH) return {};
  const found = new Set(values.map(jsonTypeOf));
  if (found.has("number")) found.delete("integer");
  const types = [...found].sort();
  const schema: Fields = { type: types.length === 1 ? types[0]! : types };
  const objects = values.filter((value) => jsonTypeOf(value) === "object") as Fields[];
  if (objects.length > 0) Object.assign(schema, inferObject(objects, depth));
  const items = values.filter(Array.isArray).flat() as JsonValue[];
  if (items.length > 0) schema.items = infer(items, depth + 1) as JsonValue;
  return schema;
}

function inferObject(objects: readonly Fields[], depth: number): Fields {
  const parts = new Map<string, JsonValue[]>();
  for (const object of objects) {
    for (const [name, value] of Object.entries(object)) {
      const list = parts.get(name);
      if (list) list.push(value);
      else parts.set(name, [value]);
    }
  }
  const properties = [...parts].map(([name, values]) => [name, infer(values, depth + 1)] as const);
  const required = [...parts].filter(([, values]) => values.length === objects.length).map(([name]) => name);
  return {
    properties: Object.fromEntries(properties) as JsonValue,
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}
