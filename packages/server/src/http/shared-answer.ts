import * as z from "zod";
import { checkSize } from "./response-limit.ts";

/**
 * An answer that many requests share, except for one number. Its text is checked and written once, because an
 * evaluation has few outcomes. `pnpm bench --only=http` shows the cost of a request.
 */
export class SharedAnswer<T extends object> {
  /** The same object for each request with this answer. Nothing in it changes. */
  readonly shared: T;
  /** The field of the number; undefined if the answers are equal. It is null in `shared`. */
  readonly field: string | undefined;
  readonly number: number | null;

  constructor(shared: T, field?: string, number: number | null = null) {
    this.shared = shared;
    this.field = field;
    this.number = number;
  }
}

/** The length up to which a text is kept. A longer one takes more memory than time. */
const KEPT_LENGTH = 8_192;

type Parse = (schema: z.ZodType, part: unknown) => unknown;

/** Creates a writer of shared answers. The schema of the response checks every part: the shared ones once. */
export function createSharedWriter(schema: z.ZodType, parse: Parse): (answer: SharedAnswer<object>) => string {
  const texts = new WeakMap<object, readonly [before: string, after: string]>();
  const fields: Record<string, z.ZodType> = schema instanceof z.ZodObject ? schema.shape : {};

  return ({ shared, field, number }) => {
    let text = texts.get(shared);
    if (!text) {
      text = split(parse(schema, shared) as Record<string, unknown>, field);
      if (checkSize(text.join("")).length <= KEPT_LENGTH) texts.set(shared, text);
    }
    const [before, after] = text;
    return field === undefined ? before : before + JSON.stringify(parse(fields[field]!, number)) + after;
  };
}

/** Writes an object, and splits its text around the value of a field. */
function split(value: Record<string, unknown>, field: string | undefined): readonly [string, string] {
  const text = JSON.stringify(value);
  if (field === undefined) return [text, ""];
  const until = Object.fromEntries(Object.entries(value).slice(0, Object.keys(value).indexOf(field) + 1));
  // Ends with the null of the field and a brace.
  const end = JSON.stringify({ ...until, [field]: null }).length - "null}".length;
  return [text.slice(0, end), text.slice(end + JSON.stringify(value[field]).length)];
}
