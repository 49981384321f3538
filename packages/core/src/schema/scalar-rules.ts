import { linkPattern } from "#platform";
import type { JsonValue } from "../format/definition.ts";
import { toInstant } from "../values/instant.ts";
import { parsePattern } from "../values/pattern-syntax.ts";
import { type JsonType, jsonTypeOf } from "./schema.ts";
import { type Check, canonicalText, report } from "./value-check.ts";

/** Creates the check of a keyword that applies to values of any type, to texts or to numbers. */
type Rule = (operand: never) => Check;

const NAMES: Record<JsonType, string> = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "an array",
  null: "null",
};

/** The formats that are checked. Others are for readers, as the standard has it. */
const FORMATS: Record<string, { what: string; isRight: (text: string) => boolean }> = {
  date: { what: "a date, such as 2026-01-31", isRight: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isInstant(text) },
  "date-time": {
    what: "a date and time with an offset, such as 2026-01-31T09:30:00Z",
    isRight: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(text) && isInstant(text),
  },
  email: { what: "an e-mail address", isRight: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: {
    what: "a URI with its scheme, such as https://example.com",
    isRight: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text),
  },
  uuid: { what: "a UUID", isRight: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) },
};

const isInstant = (text: string) => toInstant(text) !== null;

const about =
  <T extends JsonValue>(type: "string" | "number", isRight: (value: T) => boolean, message: string): Check =>
  (value, place, run) => {
    if (typeof value === type && !isRight(value as T)) report(run, place, message);
  };
const text = (isRight: (value: string) => boolean, message: string) => about("string", isRight, message);
const number = (isRight: (value: number) => boolean, message: string) => about("number", isRight, message);

/** Characters as people count them: code points. */
const lengthOf = (value: string) => [...value].length;
const plural = (count: number, what: string) => `${count} ${what}${count === 1 ? "" : "s"}`;

function oneOf(values: readonly JsonValue[]): Check {
  const known = new Set(values.map(canonicalText));
  const listed = [...known].join(", ");
  const shown = listed.length > 200 ? `${listed.slice(0, 200)}…` : listed;
  return (value, place, run) => {
    const written = canonicalText(value);
    run.work.spend(written.length);
    if (!known.has(written)) report(run, place, known.size === 1 ? `Must be ${shown}` : `Must be one of ${shown}`);
  };
}

export const SCALAR_RULES: Readonly<Record<string, Rule>> = {
  type: (operand: JsonType | JsonType[]): Check => {
    const types = [operand].flat();
    const message = `Must be ${types.map((type) => NAMES[type]).join(" or ")}`;
    return (value, place, run) => {
      const actual = jsonTypeOf(value);
      const isRight = types.includes(actual) || (actual === "integer" && types.includes("number"));
      if (!isRight) report(run, place, message);
    };
  },
  enum: oneOf,
  const: (value: JsonValue) => oneOf([value]),
  minLength: (least: number) =>
    text((value) => lengthOf(value) >= least, `Must have at least ${plural(least, "character")}`),
  maxLength: (most: number) =>
    text((value) => lengthOf(value) <= most, `Must have at most ${plural(most, "character")}`),
  pattern: (source: string): Check => {
    const matches = createMatcher(source);
    return (value, place, run) => {
      if (typeof value === "string" && !matches(value, run.work.spend))
        report(run, place, `Must match the pattern ${source}`);
    };
  },
  format: (name: string) => {
    const format = Object.hasOwn(FORMATS, name) ? FORMATS[name]! : undefined;
    return format ? text(format.isRight, `Must be ${format.what}`) : () => {};
  },
  minimum: (least: number) => number((value) => value >= least, `Must be at least ${least}`),
  maximum: (most: number) => number((value) => value <= most, `Must be at most ${most}`),
  exclusiveMinimum: (below: number) => number((value) => value > below, `Must be more than ${below}`),
  exclusiveMaximum: (above: number) => number((value) => value < above, `Must be less than ${above}`),
  multipleOf: (step: number) => number((value) => isMultiple(value, step), `Must be a multiple of ${step}`),
};

/** Whether a number is a multiple of a step, apart from the rounding of decimals: 0.3 is one of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= Number.EPSILON * Math.max(1, Math.abs(times)) * 2;
}

/** Creates the test whether a pattern occurs in a text, in time proportional to both. */
export function createMatcher(source: string): (value: string, spend: (amount: number) => void) => boolean {
  const pattern = parsePattern(source);
  const matches = linkPattern(pattern);
  return (value, spend) => {
    spend(value.length * pattern.states.length);
    return matches(value);
  };
}
