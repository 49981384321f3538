import { expect, test } from "vitest";
import { findSchemaProblems } from "./schema-problems.ts";

const problemsOf = (schema: unknown) =>
  findSchemaProblems(schema).map(({ path, message }) => `${path.join(".")}: ${message}`);

test.each<[unknown, string]>([
  [true, ": Expected a JSON Schema, which is an object"],
  [[], ": Expected a JSON Schema, which is an object"],
  [{ propertes: {} }, 'propertes: Unknown keyword "propertes"'],
  [{ toString: 1 }, 'toString: Unknown keyword "toString"'],
  [
    { properties: { a: { type: "text" } } },
    "properties.a.type: Expected one of string, number, integer, boolean, object, array, null, or a list of them",
  ],
  [{ type: [] }, "type: Expected one of string, number, integer, boolean, object, array, null, or a list of them"],
  [
    { type: ["null", "null"] },
    "type: Expected one of string, number, integer, boolean, object, array, null, or a list of them",
  ],
  [{ properties: { a: "string" } }, "properties: Expected schemas by name"],
  [{ items: [{}] }, "items: Expected a schema; give the schemas of a tuple as prefixItems"],
  [{ anyOf: [] }, "anyOf: Expected a list with at least one schema"],
  [{ enum: [] }, "enum: Expected a list with at least one value"],
  [{ required: ["a", "a"] }, "required: Expected a list of different names"],
  [{ dependentRequired: { a: "b" } }, "dependentRequired: Expected lists of names by name"],
  [{ minLength: -1 }, "minLength: Expected a whole number from 0"],
  [{ maxItems: 1.5 }, "maxItems: Expected a whole number from 0"],
  [{ minimum: "1" }, "minimum: Expected a number"],
  [{ multipleOf: 0 }, "multipleOf: Expected a number above 0"],
  [{ uniqueItems: 1 }, "uniqueItems: Expected true or false"],
  [{ title: 1 }, "title: Expected a text"],
  [{ pattern: "(a" }, "pattern: Unsupported pattern: unclosed group at position 3"],
  [{ pattern: "(?=a)" }, "pattern: Unsupported pattern: ? at position 2"],
  [{ patternProperties: { "(a": true } }, "patternProperties: Unsupported pattern: unclosed group at position 3"],
  [
    { $schema: "http://json-schema.org/draft-04/schema#" },
    "$schema: Expected a draft of JSON Schema, such as https://json-schema.org/draft/2020-12/schema",
  ],
  [{ not: { $id: "a" } }, "not.$id: Only the whole schema has an $id"],
  [{ $ref: "https://example.com/schema" }, "$ref: Expected a reference within this schema, such as #/$defs/name"],
  [{ $ref: "#/$defs/a" }, "$ref: There is no such schema in this one"],
  [{ $ref: "#/default", default: {} }, "$ref: There is no such schema in this one"],
  [{ $ref: "#/%" }, "$ref: There is no such schema in this one"],
  [{ $ref: "#" }, "$ref: Leads back to itself, or through more than 50 schemas of the same value"],
  [
    { anyOf: [{ type: "null" }, { $ref: "#" }] },
    "anyOf.1.$ref: Leads back to itself, or through more than 50 schemas of the same value",
  ],
  [{ description: "x".repeat(50_000) }, ": A schema has at most 50000 characters as JSON"],
])("%j is refused", (schema, problem) => {
  expect(problemsOf(schema)).toEqual([problem]);
});

test("a schema may refer to itself for a part of the value, and hold what editors and generators write", () => {
  const list = { type: "object", properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } } };
  expect(problemsOf(list)).toEqual([]);
  const annotations = { $id: "https://example.com/a", $comment: "", title: "", description: "", default: 1 };
  const more = { examples: [], deprecated: true, readOnly: true, writeOnly: false, format: "int32", definitions: {} };
  expect(problemsOf({ $schema: "http://json-schema.org/draft-07/schema#", ...annotations, ...more })).toEqual([]);
});

test("schemas are nested, and references lead on, at most 50 deep", () => {
  const nested = (depth: number) => {
    let schema: object = { type: "null" };
    for (let level = 0; level < depth; level += 1) schema = { items: schema };
    return schema;
  };
  expect(problemsOf(nested(50))).toEqual([]);
  expect(problemsOf(nested(51))).toEqual([": Schemas are nested more than 50 deep"]);
  const chain = (length: number) => {
    const definitions = Array.from({ length }, (_, at) => [
      `d${at}`,
      at + 1 < length ? { $ref: `#/$defs/d${at + 1}` } : {},
    ]);
    return { $ref: "#/$defs/d0", $defs: Object.fromEntries(definitions) };
  };
  expect(problemsOf(chain(49))).toEqual([]);
  expect(problemsOf(chain(1_200))[0]).toMatch(/^\$ref: Leads back to itself, or through more than 50/);
});

test("names at most 100 problems", () => {
  const schema = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`unknown${at}`, 1]));
  expect(findSchemaProblems(schema)).toHaveLength(100);
});
