import * as z from "zod";
import type { Awaitable } from "../ground/awaitable.ts";
import { ApiError } from "../ground/errors.ts";
import { createSlices, mapInSlices } from "../ground/slices.ts";
import { knownQuery } from "./page.ts";

/** Maximum size of a response in bytes. */
export const MAX_RESPONSE_BYTES = 10 * 1_048_576;
/** An item is at most a few request bodies long, so shorter lists need no size check. */
const SHORT_LIST = 4;
/** Writes longer lists in an object in slices. */
const LONG_FIELD = 50;

const tooLarge = () =>
  new ApiError(422, [
    {
      loc: ["query"],
      msg: `The response would be larger than ${MAX_RESPONSE_BYTES} bytes; request less data`,
      type: "too_large",
    },
  ]);

/** A JSON text, and the position where a truncated list continues. */
export interface Serialized {
  text: string;
  link?: string;
}

/** Parses a part of a response by its schema. */
type Parse = (schema: z.ZodType, part: unknown) => unknown;

export interface SerializeOptions {
  /** @default MAX_RESPONSE_BYTES */
  limit?: number;
  /** @default throws if a part does not match its schema */
  parse?: Parse;
}

const parseBy: Parse = (schema, part) => schema.parse(part);

/**
 * Serializes a response to JSON of at most {@link MAX_RESPONSE_BYTES} through its schema. Cuts a larger page, whose
 * `Link` then points to the rest. Writes long lists in slices.
 *
 * @param parameters names of the query parameters of the route, null if it takes neither `skip` nor `page`
 * @throws ApiError 422 if the response is too large and not a page
 */
export function serializeWithin(
  schema: z.ZodType | undefined,
  value: unknown,
  url: URL,
  parameters: readonly string[] | null,
  { limit = MAX_RESPONSE_BYTES, parse = parseBy }: SerializeOptions = {},
): Awaitable<Serialized> {
  const items = itemsOf(value);
  if (items && items.length > SHORT_LIST) return writePage(schema, value, items, url, parameters, { limit, parse });
  const long = longListsIn(schema, value);
  // Fast path: most responses have no long list and are written at once. Evaluations use it.
  if (long.length === 0) return { text: checkSize(JSON.stringify(schema ? parse(schema, value) : value), limit) };
  return writeParts(schema, value as object, long, parse).then((text) => ({ text: checkSize(text, limit) }));
}

/** Writes list items until the response is full. */
async function writePage(
  schema: z.ZodType | undefined,
  value: unknown,
  items: unknown[],
  url: URL,
  parameters: readonly string[] | null,
  { limit, parse }: Required<SerializeOptions>,
): Promise<Serialized> {
  const list = schema && listIn(schema, Array.isArray(value) ? null : "items");
  // The fields around the items are parsed without them. A schema that is not a plain page is parsed as a whole.
  const frame = Array.isArray(value)
    ? value
    : list && schema
      ? parse(schema, { ...(value as object), items: [] })
      : value;
  const parsed = schema && !list ? itemsOf(parse(schema, value))! : items;
  const { items: _, ...rest } = Array.isArray(frame) ? { items: null } : (frame as { items: unknown[] });
  let size = Array.isArray(value) ? 2 : Buffer.byteLength(JSON.stringify(rest)) + '"items":[],'.length;
  const texts: string[] = [];
  const slices = createSlices();
  for (const item of parsed) {
    const text = JSON.stringify(list ? parse(list, item) : item);
    size += Buffer.byteLength(text) + 1;
    if (size > limit) break;
    texts.push(text);
    if (slices.isOver()) await slices.next();
  }
  if (texts.length === items.length) return { text: join(texts, frame) };
  if (!parameters || texts.length === 0) throw tooLarge();
  const next = nextPage(url, value, texts.length, parameters);
  return { text: join(texts.slice(0, next.kept), frame), link: `<${next.url}>; rel="next"` };
}

/**
 * Returns the schema of the list items, or undefined if there is no list. The list is the value itself or a field of
 * it.
 */
function listIn(schema: z.ZodType, field: string | null): z.ZodType | undefined {
  if (field === null) return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  const list = schema instanceof z.ZodObject ? schema.shape[field] : undefined;
  return list instanceof z.ZodArray ? (list.element as z.ZodType) : undefined;
}

/** Returns the long lists among the fields of an object. */
function longListsIn(schema: z.ZodType | undefined, value: unknown): [string, unknown[]][] {
  const long: [string, unknown[]][] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) return long;
  const fields = value as Record<string, unknown>;
  for (const name of schema ? listFieldsOf(schema) : Object.keys(fields)) {
    const field = fields[name];
    if (Array.isArray(field) && field.length > LONG_FIELD) long.push([name, field]);
  }
  return long;
}

const listFields = new WeakMap<z.ZodType, string[]>();

/** Returns the names of the fields of an object's schema that are lists. */
function listFieldsOf(schema: z.ZodType): string[] {
  let names = listFields.get(schema);
  if (!names) {
    const fields = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    names = fields.filter((name) => listIn(schema, name));
    listFields.set(schema, names);
  }
  return names;
}

/** Writes an object with long lists, in slices. */
async function writeParts(
  schema: z.ZodType | undefined,
  value: object,
  long: readonly [string, unknown[]][],
  parse: Parse,
): Promise<string> {
  const emptied = { ...value, ...Object.fromEntries(long.map(([name]) => [name, []])) };
  const frame = schema ? (parse(schema, emptied) as object) : emptied;
  const lists = new Map<string, string>();
  for (const [name, items] of long) {
    const list = schema && listIn(schema, name);
    const texts = await mapInSlices(items, (item) => JSON.stringify(list ? parse(list, item) : item));
    lists.set(name, `[${texts.join(",")}]`);
  }
  return writeObject(frame, lists);
}

function join(texts: string[], value: unknown): string {
  const list = `[${texts.join(",")}]`;
  return Array.isArray(value) ? list : writeObject(value as object, new Map([["items", list]]));
}

/** @param lists fields already written */
function writeObject(value: object, lists: ReadonlyMap<string, string>): string {
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${lists.get(name) ?? JSON.stringify(field)}`).join(",")}}`;
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const items = (value as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? items : undefined;
}

function nextPage(
  url: URL,
  value: unknown,
  kept: number,
  parameters: readonly string[],
): { kept: number; url: string } {
  const { page, page_size } = value as { page?: number; page_size?: number };
  const query = knownQuery(url, parameters);
  if (page !== undefined && page_size !== undefined) {
    const before = (page - 1) * page_size;
    // Numbered pages have equal sizes, so the cut must fall on a page boundary of some size.
    while (before % kept !== 0) kept--;
    query.set("page_size", String(kept));
    query.set("page", String(before / kept + 2));
  } else {
    query.set("skip", String(Number(query.get("skip") ?? 0) + kept));
  }
  return { kept, url: `${url.pathname}?${query}` };
}

/** Returns a text that is not too large. @throws ApiError 422 */
export function checkSize(text: string, limit = MAX_RESPONSE_BYTES): string {
  if (text.length * 3 > limit && Buffer.byteLength(text) > limit) throw tooLarge();
  return text;
}
