import { ApiError } from "./errors.ts";

/** The most bytes an answer may have. */
export const MAX_RESPONSE_BYTES = 10 * 1_048_576;
/** No item of a list is more than a few request bodies long, so lists this short need no counting. */
const SHORT_LIST = 4;

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

/**
 * Writes an answer as JSON of at most {@link MAX_RESPONSE_BYTES}. A page of a list ends where it is full, and its `Link`
 * leads on; `paged` says whether the route takes `skip` or `page`. @throws ApiError 422 where there is no page to cut
 */
export function serializeWithin(value: unknown, url: URL, paged: boolean, limit = MAX_RESPONSE_BYTES): Serialized {
  const items = itemsOf(value);
  if (!items || items.length <= SHORT_LIST) return { text: checkSize(JSON.stringify(value), limit) };
  const { items: _, ...rest } = Array.isArray(value) ? { items: null } : (value as { items: unknown[] });
  const frame = Array.isArray(value) ? 2 : Buffer.byteLength(JSON.stringify(rest)) + '"items":[],'.length;
  const texts: string[] = [];
  let size = frame;
  for (const item of items) {
    const text = JSON.stringify(item);
    size += Buffer.byteLength(text) + 1;
    if (size > limit) break;
    texts.push(text);
  }
  if (texts.length === items.length) return { text: join(texts, value) };
  if (!paged || texts.length === 0) throw tooLarge();
  const next = nextPage(url, value, texts.length);
  return { text: join(texts.slice(0, next.kept), value), link: `<${next.url}>; rel="next"` };
}

function join(texts: string[], value: unknown): string {
  const list = `[${texts.join(",")}]`;
  if (Array.isArray(value)) return list;
  return `{${Object.entries(value as object)
    .filter(([, field]) => field !== undefined)
    .map(([name, field]) => `${JSON.stringify(name)}:${name === "items" ? list : JSON.stringify(field)}`)
    .join(",")}}`;
}

function itemsOf(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value;
  const items = (value as { items?: unknown } | null)?.items;
  return Array.isArray(items) ? items : undefined;
}

function nextPage(url: URL, value: unknown, kept: number): { kept: number; url: string } {
  const { page, page_size } = value as { page?: number; page_size?: number };
  const query = new URLSearchParams(url.search);
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
