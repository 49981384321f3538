import { ApiError, badRequest } from "../ground/errors.ts";

/** Maximum nesting of a body. No resource needs that much, and recursive checks cannot overflow the stack. */
const MAX_DEPTH = 64;
/** Maximum number of values in a body, including those in lists and objects: a schema visits each. */
export const MAX_VALUES = 100_000;
/**
 * Maximum number of distinct keys in a body, over all objects: a JavaScript engine makes a new shape of object for
 * each.
 */
export const MAX_NAMES = 5_000;
/** A shorter text cannot contain too many values or names, and no parser takes long for it. */
const SHORT = 32_768;

const tooDeep = () => badRequest(`Request body is nested deeper than ${MAX_DEPTH} levels`);

/** Parses the text of a JSON body, without `__proto__` keys and with whole characters only. @throws ApiError 400, 413 */
export function parseJson(text: string): unknown {
  requireSound(text);
  return parseSound(text, "Request body");
}

/** Parses NDJSON, one value a line, to an array. Ignores empty lines. @throws ApiError 400 with the line, 413 */
export function parseJsonLines(text: string): unknown[] {
  requireSound(text);
  const values: unknown[] = [];
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(start, end).trim();
    number++;
    if (line !== "") values.push(parseSound(line, `Line ${number} of the request body`));
    start = end + 1;
  }
  return values;
}

function requireSound(text: string): void {
  if (text.length > SHORT) requireBounded(text);
  else if (isDeep(text)) throw tooDeep();
}

function parseSound(text: string, what: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest(`${what} is not valid JSON`);
  }
  // Most texts contain neither escapes nor this name, so their values need no check.
  const hasEscapes = text.includes("\\u");
  if (hasEscapes || text.includes("__proto__")) dropPrototypes(value);
  return hasEscapes && /\\ud[89a-f]/i.test(text) ? withWholeCharacters(value) : value;
}

/**
 * Replaces lone surrogates, which only escapes can produce, by U+FFFD. Queries and forms do the same. UTF-8 has no
 * bytes for them: headers reject them, and stores and hashes would see another text. Above U+001F, JSON writes only
 * lone surrogates as escapes.
 */
function withWholeCharacters(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "$1\\ufffd"));
}

/** Deletes `__proto__` keys in place. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    // JSON.parse makes it an ordinary property, but other code would assign a prototype by this name.
    if (key === "__proto__") delete fields[key];
    else dropPrototypes(fields[key]);
  }
}

/** Whether a text nests deeper than {@link MAX_DEPTH}. Most texts cannot, and need no scan. */
function isDeep(text: string): boolean {
  if (maxDepthOf(text) <= MAX_DEPTH) return false;
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index);
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

/**
 * Returns a depth that a JSON text does not exceed: its opening brackets, including those in strings, less those of
 * lists of objects, where a closing bracket comes right before: `},{`. To search is several times as fast as to scan.
 */
function maxDepthOf(text: string): number {
  return countOf(text, "{") + countOf(text, "[") - countOf(text, "},{");
}

function countOf(text: string, part: string): number {
  let count = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

/**
 * Checks nesting and size of a text before parsing. The result has no meaning for text that is not JSON.
 * @throws ApiError 400 if the text nests too deep, 413 if it contains too many values or names
 */
function requireBounded(text: string): void {
  const isNew = createNovelty();
  let [depth, values, names, last] = [0, 1, 0, 0];
  let [start, end] = [0, 0];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code <= 32) continue;
    if (code === QUOTE) {
      start = index;
      index = endOfString(text, index);
      end = index;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) throw tooDeep();
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
      // An empty list or object contains no value.
      if (last !== OPEN_BRACE && last !== OPEN_BRACKET) values++;
    } else if (code === COMMA) values++;
    else if (code === COLON && isNew(text, start, end)) names++;
    last = code;
    if (values > MAX_VALUES) throw new ApiError(413, `Request body contains more than ${MAX_VALUES} values`);
    if (names > MAX_NAMES) throw new ApiError(413, `Request body contains more than ${MAX_NAMES} different keys`);
  }
}

/** Creates a function that returns whether it sees a part of a text for the first time. */
function createNovelty(): (text: string, start: number, end: number) => boolean {
  const seen = new Set<string>();
  // Most bodies repeat a few keys. Comparing these is faster than looking them up.
  const recent: string[] = new Array(64).fill("");
  return (text, start, end) => {
    const slot = (end - start + text.charCodeAt(start + 1)) & 63;
    const candidate = recent[slot]!;
    if (candidate.length === end - start && text.startsWith(candidate, start)) return false;
    const part = text.slice(start, end);
    recent[slot] = part;
    return seen.size < seen.add(part).size;
  };
}

/** Returns the index of the quote that ends the string beginning at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}

const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;
