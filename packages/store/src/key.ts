import { createHash } from "node:crypto";

/**
 * The maximum length of a key of {@link keyOf} in bytes. With a namespace in front it always fits into a store's 1,024.
 */
export const MAX_KEY_LENGTH = 768;

/** The maximum length of an encoded part. A longer one becomes a readable prefix and a hash. */
const MAX_PART_LENGTH = 128;
const HASHED_PREFIX_LENGTH = 40;
const HASH_MARK = "~~";
/** The encoding of an empty part. In all other places, two digits follow a mark. */
const EMPTY_PART = "+";

const KEY = /^[a-z0-9._+=~-]+(?:\/[a-z0-9._+=~-]+)*$/;
const PREFIX = /^[a-z0-9._+=~/-]*$/;
const ENCODED_BYTE = /[+=~][0-9a-f]{2}|[a-z0-9._-]/y;
/** A part that its encoding does not change, such as a UUID: most parts are. */
const LITERAL_PART = /^[a-z0-9_-](?:[a-z0-9._-]*[a-z0-9_-])?$/;

/**
 * Makes a storage key of any texts, for example `keyOf("feature-flags", flagKey)`. It encodes the parts reversibly and
 * joins them by `/`. Lower-case letters, digits, `-`, `_` and `.` within a part stay the same. Every other byte becomes
 * a mark and two hex digits. The mark (`+`, `=` or `~`) sorts where the byte would, so keys list in the order of their
 * text. A part longer than 128 characters encoded becomes a prefix and its SHA-256: store its original in the value.
 * @throws {TypeError} without parts, or if the key would be longer than {@link MAX_KEY_LENGTH}
 */
export function keyOf(...parts: string[]): string {
  const key = parts.map(encodePart).join("/");
  if (parts.length === 0) throw new TypeError("A key needs at least one part");
  if (key.length > MAX_KEY_LENGTH)
    throw new TypeError(`A key of ${parts.length} parts is longer than ${MAX_KEY_LENGTH}`);
  return key;
}

/** Returns the prefix with which `list` finds every key that starts with these parts. */
export function prefixOf(...parts: string[]): string {
  return `${keyOf(...parts)}/`;
}

/** Returns the parts of a key; null for each part that was too long and is stored as a hash. */
export function partsOf(key: string): (string | null)[] {
  return key.split("/").map(partOf);
}

/** Returns the text of one encoded part; null if it is a hash or was not made by {@link keyOf}. */
export function partOf(encoded: string): string | null {
  if (encoded === EMPTY_PART) return "";
  const bytes: number[] = [];
  ENCODED_BYTE.lastIndex = 0;
  while (ENCODED_BYTE.lastIndex < encoded.length) {
    const match = ENCODED_BYTE.exec(encoded)?.[0];
    if (match === undefined) return null;
    bytes.push(match.length === 3 ? Number.parseInt(match.slice(1), 16) : match.charCodeAt(0));
  }
  const text = textOf(bytes);
  // A non-canonical encoding is another key, not this text.
  return text !== null && encodePart(text) === encoded ? text : null;
}

/**
 * Checks that {@link keyOf} made a key or a name. Stores only have to accept such keys.
 * @throws {TypeError} otherwise
 */
export function assertKey(key: string): void {
  if (key.length > 1024 || !KEY.test(key)) throw new TypeError(`${JSON.stringify(key)} was not made by keyOf()`);
}

/** Checks the beginning of a key. @throws {TypeError} if no key begins with it */
export function assertPrefix(prefix: string): void {
  if (!PREFIX.test(prefix))
    throw new TypeError(`${JSON.stringify(prefix)} is not the beginning of a key made by keyOf()`);
}

function encodePart(part: string): string {
  if (part === "") return EMPTY_PART;
  if (part.length <= MAX_PART_LENGTH && LITERAL_PART.test(part)) return part;
  const bytes = bytesOf(part);
  const encoded: string[] = [];
  let length = 0;
  let prefixed = 0;
  for (let index = 0; index < bytes.length; index++) {
    // A dot at an end could make `.` or `..`, or a file system could drop it.
    const literal = isLiteral(bytes[index]!) || (bytes[index] === 0x2e && index > 0 && index < bytes.length - 1);
    const piece = literal ? String.fromCharCode(bytes[index]!) : markOf(bytes[index]!);
    encoded.push(piece);
    length += piece.length;
    if (length <= HASHED_PREFIX_LENGTH) prefixed = encoded.length;
    else if (length > MAX_PART_LENGTH) {
      const hash = createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");
      return encoded.slice(0, prefixed).join("") + HASH_MARK + hash;
    }
  }
  return encoded.join("");
}

function isLiteral(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x5f;
}

function markOf(byte: number): string {
  const mark = byte < 0x30 ? "+" : byte < 0x61 ? "=" : "~";
  return mark + byte.toString(16).padStart(2, "0");
}

/**
 * Returns the UTF-8 of a text, with a distinct byte sequence for each lone surrogate. TextEncoder would make all of
 * them U+FFFD.
 */
function bytesOf(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0)!;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000) bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
  return bytes;
}

function textOf(bytes: number[]): string | null {
  let text = "";
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index]!;
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    if (index + length > bytes.length) return null;
    let code = length === 1 ? first : first & (0xff >> (length + 1));
    for (let next = 1; next < length; next++) code = (code << 6) | (bytes[index + next]! & 63);
    if (code > 0x10ffff) return null;
    text += String.fromCodePoint(code);
    index += length;
  }
  return text;
}
