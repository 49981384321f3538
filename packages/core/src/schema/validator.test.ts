import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonValue } from "../format/definition.ts";
import type { JsonSchema } from "./schema.ts";
import { findSchemaProblems } from "./schema-problems.ts";
import { createValidator } from "./validator.ts";
import { createWork } from "./work.ts";

/** Returns what is wrong with a value, as `path: message`. */
function problemsOf(schema: JsonSchema, value: JsonValue): string[] {
  expect(findSchemaProblems(schema)).toEqual([]);
  return createValidator(schema)(value).map(({ path, message }) => `${path.join(".")}: ${message}`);
}

const theme = {
  type: "object",
  properties: { colour: { type: "string" }, size: { type: "integer", minimum: 1 } },
  required: ["colour"],
  additionalProperties: false,
};

test("names each part of a value that does not match, with its path", () => {
  expect(problemsOf(theme, { colour: "red", size: 3 })).toEqual([]);
  expect(problemsOf(theme, { color: "red", size: 0.5 })).toEqual([
    "size: Must be an integer",
    "size: Must be at least 1",
    "colour: Field required",
    'color: Unknown property; known are "colour", "size"',
  ]);
  expect(problemsOf(theme, [])).toEqual([": Must be an object"]);
});

test.each<[JsonSchema, JsonValue[], JsonValue[]]>([
  [{ type: "number" }, [1, 0.5], ["1", null, true]],
  [{ type: "integer" }, [1, 2.0], [0.5, "1"]],
  [{ type: ["string", "null"] }, ["", null], [0, false, [], {}]],
  [{ type: "array" }, [[]], [{}, null]],
  [{ enum: ["a", { b: 1, c: 2 }] }, ["a", { c: 2, b: 1 }], ["b", { b: 1 }]],
  [{ const: 0 }, [0], [false, "0", null]],
  [{ minLength: 2, maxLength: 3 }, ["ab", "abc", "👍👍", 1], ["a", "abcd", "👍"]],
  [{ pattern: "^#[0-9a-f]{6}$" }, ["#00ff00", 5], ["00ff00", "#00ff0"]],
  [{ pattern: "b" }, ["abc"], ["ac"]],
  [{ minimum: 1, maximum: 3 }, [1, 3, "0"], [0.9, 3.1]],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 3 }, [1.1, 2.9], [1, 3]],
  [{ multipleOf: 0.1 }, [0.3, 1, 0], [0.35, 0.01]],
  [{ format: "date" }, ["2026-02-28", 1], ["2026-02-30", "28.2.2026", "2026-02-28T00:00:00Z"]],
  [
    { format: "date-time" },
    ["2026-02-28T09:30:00Z", "2026-02-28T09:30:00.5+02:00"],
    ["2026-02-28", "2026-02-28T09:30:00"],
  ],
  [{ format: "email" }, ["ada@example.com"], ["ada", "a da@example.com", "ada@b@c"]],
  [{ format: "uri" }, ["https://example.com/a?b#c", "mailto:ada@example.com"], ["/relative", "example.com", "a: b"]],
  [{ format: "uuid" }, ["018f9d2e-7c1a-7b6e-8a2f-0123456789ab"], ["018f9d2e"]],
  [{ format: "int32" }, ["anything"], []],
  [{ items: { type: "number" }, minItems: 1, maxItems: 2 }, [[1], [1, 2], "text"], [[], [1, 2, 3], ["1"]]],
  [{ prefixItems: [{ type: "string" }], items: { type: "number" } }, [[], ["a"], ["a", 1]], [[1], ["a", "b"]]],
  [{ items: false, prefixItems: [true] }, [[], [1]], [[1, 2]]],
  [
    { uniqueItems: true },
    [[1, "1", { a: 1 }], []],
    [
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
  ],
  [{ uniqueItems: false }, [[1, 1]], []],
  [{ minProperties: 1, maxProperties: 2 }, [{ a: 1 }, []], [{}, { a: 1, b: 2, c: 3 }]],
  [{ properties: { a: true }, additionalProperties: { type: "number" } }, [{ a: "x", b: 1 }], [{ b: "x" }]],
  [
    { patternProperties: { "^x-": { type: "number" } }, additionalProperties: false },
    [{ "x-a": 1 }],
    [{ "x-a": "" }, { a: 1 }],
  ],
  [{ propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [{ abc: 1 }]],
  [{ dependentRequired: { card: ["address"] } }, [{}, { address: 1 }, { card: 1, address: 1 }], [{ card: 1 }]],
  [{ required: ["toString"] }, [{ toString: 1 }], [{}]],
  [{ required: [""] }, [{ "": 1 }], [{}, { a: 1 }]],
  [{ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]],
  [{ anyOf: [{ type: "string" }, { minimum: 3 }] }, ["a", 3], [2]],
  [{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2]],
  [{ not: { type: "null" } }, [1], [null]],
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  [{ if: { type: "string" }, then: { minLength: 1 }, else: { type: "null" } }, ["a", null], ["", 1]],
  [{ if: { type: "string" } }, [1, "a"], []],
  [{ $ref: "#/$defs/a~1b%25", $defs: { "a/b%": { type: "null" } } }, [null], [1]],
  [{ type: "object", properties: { next: { $ref: "#" } } }, [{ next: { next: {} } }], [{ next: { next: 1 } }]],
])("%j", (schema, valid, invalid) => {
  expect(findSchemaProblems(schema)).toEqual([]);
  const validate = createValidator(schema);
  for (const value of valid) expect({ value, problems: validate(value) }).toEqual({ value, problems: [] });
  for (const value of invalid) expect({ value, wrong: validate(value).length > 0 }).toEqual({ value, wrong: true });
});

test("of alternatives, it explains the one whose type the value has", () => {
  const schema = { properties: { theme: { anyOf: [theme, { type: "null" }] } } };
  expect(problemsOf(schema, { theme: { colour: 5 } })).toEqual(["theme.colour: Must be a string"]);
  expect(problemsOf(schema, { theme: 5 })).toEqual(["theme: Must match one of 2 alternatives"]);
  expect(problemsOf({ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, 2)).toEqual([
    ": Must match exactly one of 2 alternatives, not 2",
  ]);
});

test("alternatives in alternatives end after bounded work", () => {
  const levels = Array.from({ length: 14 }, (_, level): [string, JsonValue] => {
    const next = { $ref: `#/$defs/level${level + 1}` };
    return [`level${level}`, level < 13 ? { anyOf: [next, { allOf: [next, next] }] } : { type: "null" }];
  });
  const schema = { $ref: "#/$defs/level0", $defs: Object.fromEntries(levels) };
  expect(problemsOf(schema, 1)).toEqual([": The check takes too long; simplify the schema or the value"]);
});

test("a pattern that hangs backtracking engines ends, and its work counts for all values together", () => {
  const schema = { items: { pattern: "^(a+)+$" } };
  expect(problemsOf(schema, ["a".repeat(4_000), `${"a".repeat(4_000)}!`])).toEqual([
    "1: Must match the pattern ^(a+)+$",
  ]);
  const validate = createValidator(schema);
  const work = createWork();
  const outcomes = Array.from({ length: 200 }, () => validate(["a".repeat(4_000)], work).length);
  expect(outcomes[0]).toBe(0);
  expect(outcomes.at(-1)).toBe(1);
});

test("a value that is nested deeper than any stack is refused", () => {
  let value: JsonValue = {};
  for (let depth = 0; depth < 20_000; depth += 1) value = { next: value };
  const schema = { properties: { next: { $ref: "#" } } };
  expect(problemsOf(schema, value)).toEqual([": The value is nested too deeply; simplify the schema or the value"]);
});

const value = fc.jsonValue({ maxDepth: 3, noUnicodeString: true }) as fc.Arbitrary<JsonValue>;
const names = fc.constantFrom("a", "b", "c", "");
/** Ajv takes the empty name for no missing one. */
const required = fc.constantFrom("a", "b", "c");
const small = fc.nat(4);
const { schema: anySchema } = fc.letrec<{ schema: JsonSchema }>((tie) => {
  const one = tie("schema") as fc.Arbitrary<JsonValue>;
  const many = fc.array(one, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(names, one, { maxKeys: 3 });
  const type = fc.constantFrom("string", "number", "integer", "boolean", "object", "array", "null");
  const keywords = {
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: (item) => JSON.stringify(item) }),
    const: value,
    properties: byName,
    patternProperties: fc.dictionary(fc.constantFrom("^a", "b$", "[bc]"), one, { maxKeys: 2 }),
    additionalProperties: one,
    propertyNames: one,
    required: fc.uniqueArray(required, { maxLength: 2 }),
    dependentRequired: fc.dictionary(names, fc.uniqueArray(required, { maxLength: 2 }), { maxKeys: 2 }),
    minProperties: small,
    maxProperties: small,
    items: one,
    prefixItems: many,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom("^a", "b+$", "[a-c]{2}", "^$"),
    minimum: fc.integer({ min: -3, max: 3 }),
    exclusiveMaximum: fc.integer({ min: -3, max: 3 }),
    multipleOf: fc.integer({ min: 1, max: 3 }),
    allOf: many,
    anyOf: many,
    oneOf: many,
    not: one,
    if: one,
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: one,
    else: one,
  };
  const few = fc
    .uniqueArray(fc.constantFrom(...(Object.keys(keywords) as (keyof typeof keywords)[])), { maxLength: 4 })
    .chain((chosen) => fc.record(Object.fromEntries(chosen.map((keyword) => [keyword, keywords[keyword]]))));
  return { schema: fc.oneof({ maxDepth: 2 }, fc.boolean(), few) as fc.Arbitrary<JsonSchema> };
});
/** Values like those that schemas of the property name. */
const nearValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.oneof(fc.constantFrom<JsonValue>("", "a", "ab", "abb", "cb", null, true, 0.5), fc.integer({ min: -4, max: 4 })),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(names, tie("value"), { maxKeys: 4 }),
  ) as fc.Arbitrary<JsonValue>,
})).value;

test("accepts and refuses what another implementation of the draft does", () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });
  fc.assert(
    fc.property(anySchema, fc.array(nearValue, { minLength: 1, maxLength: 5 }), (schema, values) => {
      const whole = typeof schema === "boolean" ? { allOf: [schema] } : schema;
      // fast-check creates objects without a prototype, and with -0.
      const plain = JSON.parse(JSON.stringify(whole)) as { [keyword: string]: JsonValue };
      expect(findSchemaProblems(plain)).toEqual([]);
      const theirs = ajv.compile(plain);
      const ours = createValidator(plain);
      for (const one of JSON.parse(JSON.stringify(values)) as JsonValue[]) {
        expect({ one, valid: ours(one).length === 0 }).toEqual({ one, valid: theirs(one) });
      }
      ajv.removeSchema(plain);
    }),
    { numRuns: 200 },
  );
});
