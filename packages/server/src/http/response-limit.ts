import * as z from "zod";
import { ApiError } from "../errors.ts";
import { createSlices, mapInSlices } from "../slices.ts";
import { knownQuery } from "./page.ts";

/** The most bytes an answer may have. */
export const MAX_RESPONSE_BYTES = 10 * 1_048_576;
/** No item of a list is more than a few request bodies long, so lists this short need no counting. */
const SHORT_LIST = 4;
/** A list beside others that is longer is written in slices. */
const LONG_FIELD = 50;

const tooLarge = () =>
  new ApiError(422, [
    {
      loc: ["query"],
      msg: `The answer would be larger than ${MAX_RESPONSE_BYTES} bytes; ask for less`,
      type: "too_large",
    },
  ]);

/** A JSON text, and where the rest of a list is that did not fit into it. */
export interface Serialized {
  text: string;
  link?: string;
}

/** Takes a part of an answer through its schema. */
type Parse = (schema: z.ZodType, part: unknown) => unknown;

export interface SerializeOptions {
  /** @default MAX_RESPONSE_BYTES */
  limit?: number;
  /** @default throws where a part does not fit its schema */
  parse?: Parse;
}

const parseBy: Parse = (schema, part) => schema.parse(part);

/**
 * Writes an answer as JSON of at most {@link MAX_RESPONSE_BYTES}, through its schema. A page of a list ends where it is
 * full, and its `Link` leads on. Long lists are written in slices.
 *
 * @param parameters names of the route's query parameters, null where it takes neither `skip` nor `page`
 * @throws ApiError 422 where there is no page to cut
 */
export async function serializeWithin(
  schema: z.ZodType | undefined,
  value: unknown,
  url: URL,
  parameters: readonly string[] | null,
  { limit = MAX_RESPONSE_BYTES, parse = parseBy }: SerializeOptions = {},
): Promise<Serialized> {
  const items = itemsOf(value);
  if (items && items.length > SHORT_LIST) return writePage(schema, value, items, url, parameters, { limit, parse });
  const long = longListsIn(schema, value);
  // Most answers have none, and are written at once: this is the hot path of an evaluation.
  if (long.length === 0) return { text: checkSize(JSON.stringify(schema ? parse(schema, value) : value), limit) };
  return { text: checkSize(await writeParts(schema, value as object, long, parse), limit) };
}

/** Writes a list up to where an answer is full. */
async function writePage(
  schema: z.ZodType | undefined,
  value: unknown,
  items: unknown[],
  url: URL,
  parameters: readonly string[] | null,
  { limit, parse }: Required<SerializeOptions>,
): Promise<Serialized> {
  const list = schema && listIn(schema, Array.isArray(value) ? null : "items");
  // What stands around the items is parsed without them; a schema that is no plain page is parsed as a whole.
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

/** The schema of the members of a list, which is the schema itself or a field of it; undefined where it is no list. */
function listIn(schema: z.ZodType, field: string | null): z.ZodType | undefined {
  if (field === null) return schema instanceof z.ZodArray ? (schema.element as z.ZodType) : undefined;
  const list = schema instanceof z.ZodObject ? schema.shape[field] : undefined;
  return list instanceof z.ZodArray ? (list.element as z.ZodType) : undefined;
}

/** The long lists among the fields of an object. */
function longListsIn(schema: z.ZodType | undefined, value: unknown): [string, unknown[]][] {
  const long: [string, unknown[]][] = [];
  if (typeof value !== "object" || Array.isArray(value)) return long;
  const fields = value as Record<string, unknown>;
  for (const name in fields) {
    const field = fields[name];
    if (Array.isArray(field) && field.length > LONG_FIELD && (!schema || listIn(schema, name)))
      long.push([name, field]);
  }
  return long;
}

/** Writes an object with long lists, the members of each in slices. */
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

/** @param lists fields that are written already */
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
    // Numbered pages are all of one size, so the cut has to fall where pages of some size end.
    while (before % kept !== 0) kept--;
    query.set("page_size", String(kept));
    query.set("page", String(before / kept + 2));
  } else {
    query.set("skip", String(Number(query.get("skip") ?? 0) + kept));
  }
  return { kept, url: `${url.pathname}?${query}` };
}

function checkSize(text: string, limit: number): string {
  if (text.length * 3 > limit && Buffer.byteLength(text) > limit) throw tooLarge();
  return text;
}
