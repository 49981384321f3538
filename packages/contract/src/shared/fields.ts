import type { JsonValue } from "@assay/core";
import { closest, distance } from "fastest-levenshtein";
import * as z from "zod";
import { toTimestamp } from "./timestamp.ts";

/** A time in responses: ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = z.string().meta({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] });

/** A time in requests: ISO 8601 with an offset, without one (UTC) or a date alone. Becomes a {@link Timestamp}. */
export const TimestampInput = z
  .string()
  .max(64)
  .meta({
    format: "date-time",
    description: "ISO 8601. Without an offset it is UTC; a date alone is its midnight in UTC",
  })
  .transform((text, context) => {
    const timestamp = toTimestamp(text);
    if (timestamp) return timestamp;
    context.addIssue({
      code: "custom",
      message: "Expected an ISO 8601 date or date-time",
      params: { type: "datetime" },
    });
    return z.NEVER;
  });

export const Uuid = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i, "Expected a UUID")
  .meta({ format: "uuid" });

/** The id or key of a flag or experiment. */
export const IdOrKey = z.string().min(1).max(255);

/** A user id: 1 to 1,024 characters, any Unicode, compared exactly. */
export const UserId = z.string().min(1).max(1024);

/** Any JSON value. Bodies come from `JSON.parse`, so it needs no check. */
export const Json = z.custom<JsonValue>((value) => value !== undefined);

/**
 * An object of any JSON values. A zod record would run a schema for each key and value without anything to check, on
 * the hot path of every evaluation over HTTP.
 */
export const JsonObject = z
  .unknown()
  .superRefine((value, context) => {
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return;
    context.addIssue({ code: "invalid_type", expected: "record", input: value });
  })
  .meta({ type: "object", propertyNames: { type: "string" }, additionalProperties: {} }) as unknown as z.ZodRecord<
  z.ZodString,
  typeof Json
>;

/** A displayed name, without control characters: names appear in subjects, logs and messages of one line. */
export const Name = z
  .string()
  .trim()
  .min(1, "Must not be empty")
  .max(255)
  .regex(/^[^\p{Cc}]*$/u, "Control characters are not allowed");
export const Text = z.string().max(10_000);

/**
 * Creates the schema of an enumeration: UPPERCASE in answers, case-insensitive in requests. The message for another value
 * suggests the one that is probably meant.
 *
 * @param synonyms words that users know from elsewhere, with the value that means the same
 */
export function upper<const T extends readonly string[]>(
  values: T,
  synonyms: Readonly<Record<string, T[number]>> = {},
) {
  const error: z.core.$ZodErrorMap = ({ input }) => {
    if (typeof input !== "string") return undefined;
    const meant = Object.hasOwn(synonyms, input) ? synonyms[input] : misspeltName(input, values);
    return meant && `Invalid option; did you mean ${meant}? Expected one of ${values.join(", ")}`;
  };
  return z.preprocess((value) => (typeof value === "string" ? value.toUpperCase() : value), z.enum(values, { error }));
}

/** The maximum number of unknown keys of one object that get a suggestion, because each takes time. */
const MAX_SUGGESTIONS = 10;

/**
 * Creates the schema of an object that rejects unknown keys. The message has a line for each unknown key; the first
 * lines suggest the nearest known key.
 */
export function strict<T extends z.core.$ZodLooseShape>(shape: T) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== "unrecognized_keys") return undefined;
      return issue.keys.map((key, index) => describeUnknown(key, index < MAX_SUGGESTIONS ? known : [])).join("\n");
    },
  });
}

/**
 * Returns the known name that an unknown one is probably meant to be: apart from case and `_`, at most two letters
 * differ, and at most a third of them.
 */
export function misspeltName(name: string, known: readonly string[]): string | undefined {
  if (name.length > 255) return undefined;
  const letters = lettersOf(name);
  return known.find((one) => {
    const different = distance(letters, lettersOf(one));
    return different <= 2 && different * 3 <= one.length;
  });
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, "");
}

function describeUnknown(key: string, known: string[]): string {
  // Bounded, because the key comes from the body and every known key is compared with it.
  const shown = JSON.stringify(key.length > 255 ? `${key.slice(0, 255)}…` : key);
  if (known.length === 0) return `Unknown key ${shown}`;
  return `Unknown key ${shown}; did you mean "${closest(key.slice(0, 255), known)}"?`;
}

/** Creates the schema of an integer in a query string. */
export function queryInteger(minimum: number, maximum: number) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : value),
    z.int().min(minimum).max(maximum),
  );
}

/**
 * The maximum absolute value of a measurement, such as the value of an event. Integers up to it are exact, and sums of
 * squares of a billion values fit a double.
 */
export const MAX_METRIC_VALUE = 1e15;

/**
 * The significance level of a test. Below the minimum, quantiles leave the range of doubles after division by the
 * number of comparisons.
 */
export const Alpha = z
  .number()
  .min(1e-12)
  .max(1 - 1e-12);

/** Creates the schema of a number in a query string. */
export function queryNumber<T extends z.ZodType>(number: T) {
  return z.preprocess(
    (value) => (typeof value === "string" && /^-?(\d+(\.\d*)?|\.\d+)(e-?\d+)?$/i.test(value) ? Number(value) : value),
    number,
  );
}

/** `true` or `false` in a query string. */
export const QueryBoolean = z.preprocess(
  (value) => (value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : value),
  z.boolean(),
);

/** A URL-encoded JSON object in a query string. */
export const QueryJsonObject = z
  .string()
  .meta({ description: "URL-encoded JSON object" })
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      if (value && typeof value === "object" && !Array.isArray(value)) return value as Record<string, JsonValue>;
    } catch {}
    context.addIssue({
      code: "custom",
      message: "Expected a URL-encoded JSON object",
      params: { type: "json_object" },
    });
    return z.NEVER;
  });

/** Creates the schemas of `skip` and `limit` of a list. */
export function paging(maximum: number, fallback: number) {
  return { skip: queryInteger(0, 1_000_000_000).default(0), limit: queryInteger(1, maximum).default(fallback) };
}

/** Creates the schema of a page of a list. */
export function page<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), total: z.int(), skip: z.int(), limit: z.int() });
}

/** Creates the schema of the order of a list: one of its fields, descending with a leading `-`. */
export function sortBy<const T extends string>(fields: readonly T[]) {
  const orders = fields.flatMap((field): (T | `-${T}`)[] => [field, `-${field}`]);
  return z.enum(orders as [T | `-${T}`, ...(T | `-${T}`)[]]);
}
