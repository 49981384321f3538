import fc from "fast-check";
import { z } from "zod";
import type { Pool } from "./pool.fixture.ts";

/** The part of JSON Schema that the schemas of the contract use. */
interface Schema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
  $defs?: Record<string, Schema>;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  propertyNames?: Schema;
  items?: Schema;
  prefixItems?: Schema[];
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

const MAX_ITEMS = 4;
/** Values by field name, for constraints the schema does not express. */
const HINTS: Record<string, unknown[]> = {
  variant_id: ["control", "treatment", "a", "b", "on", "off"],
  variant: ["control", "treatment", "a", "b", "on", "off"],
  winner: ["control", "treatment", "a", "b", "on", "off"],
  kind: ["CONVERSION", "MEAN", "COUNT", "RATIO", "QUANTILE"],
  quantile: [0.5, 0.999, 1e-9],
  event_type: ["exposure", "purchase", "error", "assignment"],
  counter: ["events", "conversions", "value"],
  value: [0, 1, -1, 2.5, 1e308, -1e308, 5e-324, "1", null, true, { a: 1 }, ["a"]],
  weights: [{ control: 1 }, { control: 0.5, treatment: 0.5 }, { treatment: 1, control: 0 }],
  resource: ["*", "experiments", "feature-flags", "users", "nothing"],
  password: ["a-password-of-tests", "short"],
  hour_of_day: [
    { start: 9, end: 17 },
    { start: 0, end: 24 },
  ],
  timezone: ["UTC", "Europe/Berlin", "Nowhere"],
};
/** Text fields that refer to existing resources. */
const NAMES = /(^|_)(id|ids|key|user|name|segment|variant|variants|flag|experiment|username|metric)s?$|Key$|Id$/;
const ABSENT = fc.constant(undefined);
/** Strings that often break programs. */
const ODD_TEXT = ["", " ", "0", "-1", "off", "on", "__proto__", "constructor", "\u0000", "\ud800", "😀", "a/b", "../x"];
/** Ends of texts and names that hashes, headers, stores and databases may refuse. */
const ODD_ENDS = ["\ud800", "\udc00", "\u0000", "\r\n", "\u007f", "\u2028", "😀", "ß".repeat(300)];
const ODD = [...ODD_TEXT, null, -1, 0, 0.5, 1e9, 1e308, Number.MAX_SAFE_INTEGER, true, [], {}, [null], "x".repeat(300)];

/**
 * Mostly valid bodies: with names of existing resources, and occasionally an odd value in some part. The server rejects
 * what its checks beyond JSON Schema find.
 */
export function toArbitrary(type: z.ZodType, pool: Pool): fc.Arbitrary<unknown> {
  const root = z.toJSONSchema(type, { io: "input", unrepresentable: "any" }) as Schema;
  return build(root, "", 0);

  function build(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    const hint = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined;
    if (hint) return fc.oneof({ arbitrary: fc.constantFrom(...hint), weight: 6 }, shape(schema, name, depth));
    const plain = shape(schema, name, depth);
    const met = fc.nat().map((at) => pool.pick(name, at));
    const own = NAMES.test(name) && schema.type === "string" ? fc.oneof({ arbitrary: met, weight: 3 }, plain) : plain;
    return fc.oneof({ arbitrary: own, weight: 150 }, { arbitrary: fc.constantFrom(...ODD), weight: 1 });
  }

  function shape(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (schema.$ref) return refer(schema.$ref, name, depth);
    if ("const" in schema) return fc.constant(schema.const);
    if (schema.enum) return fc.constantFrom(...schema.enum);
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return fc.oneof(...either.map((one) => shape(one, name, depth)));
    if (schema.allOf) {
      const parts = schema.allOf.map((one) => shape(one, name, depth));
      return fc.tuple(...parts).map((made) => Object.assign({}, ...made));
    }
    const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
    switch (type) {
      case "string":
        return text(schema);
      case "integer":
      case "number":
        return number(schema, type);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return array(schema, name, depth);
      case "object":
        return object(schema, depth);
      default:
        return fc.oneof(fc.constantFrom(...ODD), fc.jsonValue({ maxDepth: 1 }));
    }
  }

  function refer(reference: string, name: string, depth: number): fc.Arbitrary<unknown> {
    if (depth > 6) return fc.constant(null);
    const target = reference === "#" ? root : root.$defs?.[reference.split("/").at(-1)!];
    // Created lazily, because a schema may refer to itself.
    return fc.constant(null).chain(() => build(target!, name, depth + 1));
  }

  function array(schema: Schema, name: string, depth: number): fc.Arbitrary<unknown> {
    if (schema.prefixItems) return fc.tuple(...schema.prefixItems.map((one) => build(one, name, depth + 1)));
    const minLength = schema.minItems ?? 0;
    const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? MAX_ITEMS, depth > 4 ? 1 : MAX_ITEMS));
    return fc.array(build(schema.items ?? {}, name, depth + 1), { minLength, maxLength });
  }

  function object(schema: Schema, depth: number): fc.Arbitrary<unknown> {
    const members = Object.entries(schema.properties ?? {}).map(([name, one]) => {
      const member = build(one, name, depth + 1);
      const isRequired = schema.required?.includes(name);
      return [name, isRequired ? member : fc.oneof({ arbitrary: ABSENT, weight: 3 }, member)] as const;
    });
    // JSON omits undefined.
    const unknown = fc.constantFrom(...ODD_ENDS).map((end) => ({ [`unknown${end}`]: end }));
    const known = fc.record(Object.fromEntries(members));
    const record = fc.oneof(
      { arbitrary: known, weight: 20 },
      fc.tuple(known, unknown).map(([first, second]) => ({ ...first, ...second })),
    );
    if (typeof schema.additionalProperties !== "object") return record;
    const keys = fc.oneof(
      text(schema.propertyNames ?? {}),
      fc.nat().map((at) => pool.pick("key", at)),
    );
    const others = fc.dictionary(keys, build(schema.additionalProperties, "", depth + 1), { maxKeys: MAX_ITEMS });
    return fc.tuple(others, record).map(([first, second]) => ({ ...first, ...second }));
  }
}

function text({ minLength = 0, maxLength = 40, pattern, format }: Schema): fc.Arbitrary<string> {
  switch (format) {
    case "date-time":
    case "date": {
      const dates = fc.date({ min: new Date("2025-06-01"), max: new Date("2027-01-01"), noInvalidDate: true });
      return dates.map((date) => date.toISOString().slice(0, format === "date" ? 10 : undefined));
    }
    case "email":
      return fc.nat(20).map((n) => `user${n}@example.org`);
    case "uuid":
      return fc.uuid();
    case "uri":
      return fc.constantFrom("https://example.org/", "http://127.0.0.1:1/x", "https://example.org/a?b=c");
  }
  if (pattern?.includes("(?") === false) {
    return fc.stringMatching(new RegExp(pattern)).map((made) => made.slice(0, maxLength));
  }
  const words = fc.constantFrom("alpha", "checkout", "purchase", "DE", "pro", "1.2.3", "2026-03-01", "on", "off");
  const any = fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 20) });
  const odd = fc.tuple(words, fc.constantFrom(...ODD_ENDS)).map(([word, end]) => word + end);
  return fc.oneof({ arbitrary: words, weight: 18 }, { arbitrary: any, weight: 5 }, odd);
}

function number(schema: Schema, type: string): fc.Arbitrary<unknown> {
  const min = schema.minimum ?? schema.exclusiveMinimum ?? -1e6;
  const max = Math.max(min, Math.min(schema.maximum ?? schema.exclusiveMaximum ?? 1e6, 1e9));
  const wholes = { min: Math.ceil(min), max: Math.floor(max) };
  if (type === "integer") return fc.integer(wholes);
  const real = fc.oneof(fc.double({ min, max, noNaN: true }), fc.constantFrom(min, max));
  // Between 0 and 1 there may be no whole number.
  return wholes.min > wholes.max ? real : fc.oneof(fc.integer(wholes), real);
}
