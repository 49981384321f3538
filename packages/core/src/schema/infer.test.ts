import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../format/definition.ts";
import { inferSchema } from "./infer.ts";
import { MAX_SCHEMA_LENGTH } from "./schema.ts";
import { findSchemaProblems } from "./schema-problems.ts";
import { createValidator } from "./validator.ts";

test("infers types, names, and as required what all values have", () => {
  expect(
    inferSchema([
      { colour: "red", sizes: [1, 2] },
      { colour: "blue", sizes: [], note: null },
    ]),
  ).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {
      colour: { type: "string" },
      sizes: { type: "array", items: { type: "integer" } },
      note: { type: "null" },
    },
    required: ["colour", "sizes"],
    additionalProperties: false,
  });
  expect(inferSchema([[1], [0.5, "a"]])).toMatchObject({ type: "array", items: { type: ["number", "string"] } });
});

test("a schema from values is valid, and accepts each of them", () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(values, (drawn) => {
      const all = JSON.parse(JSON.stringify(drawn)) as JsonValue[];
      const schema = inferSchema(all);
      expect(JSON.stringify(schema).length).toBeLessThan(MAX_SCHEMA_LENGTH);
      expect(findSchemaProblems(schema)).toEqual([]);
      const validate = createValidator(schema);
      for (const one of all) expect(validate(one)).toEqual([]);
      // Another name is not among those that they have.
      for (const one of all) {
        if (typeof one !== "object" || one === null || Array.isArray(one)) continue;
        expect(validate({ ...one, "not seen before": 1 })).toHaveLength(1);
      }
    }),
  );
});

test("leaves values open below the depth that a schema may have", () => {
  let value: JsonValue = 1;
  for (let depth = 0; depth < 60; depth += 1) value = [value];
  const schema = inferSchema([value]);
  expect(findSchemaProblems(schema)).toEqual([]);
  expect(createValidator(schema)(value)).toEqual([]);
});
