import { block, reset, state, transform } from "./md5.ts";

/** A message of up to 55 bytes fits one block with its end mark and its length. */
const ONE_BLOCK = 55;
const RESOLUTION = 2 ** 32;

/** ASCII words of the user asked about last: one user is usually asked about many flags in a row. */
const userWords = new Int32Array(14);
let userId = "";
let userIsAscii = true;

let length = 0;

/**
 * The bucketing hash as an unsigned 32-bit integer: the first four bytes, little endian, of the MD5 of the UTF-8
 * string `{userId}:{key}`. Lone surrogates count as U+FFFD, as in every UTF-8 encoder.
 */
export function bucketInteger(userId: string, key: string): number {
  reset();
  block.fill(0);
  length = 0;
  writeText(userId);
  writeByte(0x3a);
  writeText(key);
  return finish();
}

/** The bucketing hash in [0, 1): {@link bucketInteger} divided by 2^32. */
export function bucket(userId: string, key: string): number {
  return bucketInteger(userId, key) / RESOLUTION;
}

/**
 * Prepares {@link bucket} for one key: the words of `:{key}` are laid out once for each of the four byte offsets a
 * user id can end at, so that hashing a short ASCII user id allocates nothing and touches the key only by words.
 */
export function createBucketer(key: string): (userId: string) => number {
  const suffix = `:${key}`;
  const layouts = isAscii(suffix) && suffix.length <= ONE_BLOCK ? [0, 1, 2, 3].map((at) => layOut(suffix, at)) : null;
  return (userId) => {
    const bytes = userId.length + suffix.length;
    if (layouts === null || bytes > ONE_BLOCK || !loadUser(userId)) return bucket(userId, key);
    const words = layouts[userId.length & 3]!;
    const from = userId.length >> 2;
    let at = 0;
    while (at < from) {
      block[at] = userWords[at]!;
      at += 1;
    }
    block[at] = ((userId.length & 3) === 0 ? 0 : userWords[at]!) | words[0]!;
    for (let next = 1; next < words.length; next += 1) block[from + next] = words[next]!;
    for (at = from + words.length; at < 14; at += 1) block[at] = 0;
    block[14] = bytes << 3;
    block[15] = 0;
    reset();
    transform();
    return (state[0]! >>> 0) / RESOLUTION;
  };
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) return false;
  return true;
}

/** The words of an ASCII text and its end mark, starting `offset` bytes into the first word. */
function layOut(text: string, offset: number): Int32Array {
  const words = new Int32Array((offset + text.length + 4) >> 2);
  for (let index = 0; index <= text.length; index += 1) {
    const byte = index < text.length ? text.charCodeAt(index) : 0x80;
    words[(offset + index) >> 2]! |= byte << (((offset + index) & 3) << 3);
  }
  return words;
}

/** Fills `userWords`; false where the id is not ASCII. The caller has made sure that it is short enough. */
function loadUser(id: string): boolean {
  if (id === userId) return userIsAscii;
  const whole = id.length & ~3;
  let seen = 0;
  let index = 0;
  for (; index < whole; index += 4) {
    const a = id.charCodeAt(index);
    const b = id.charCodeAt(index + 1);
    const c = id.charCodeAt(index + 2);
    const d = id.charCodeAt(index + 3);
    seen |= a | b | c | d;
    userWords[index >> 2] = a | (b << 8) | (c << 16) | (d << 24);
  }
  let rest = 0;
  for (; index < id.length; index += 1) {
    const code = id.charCodeAt(index);
    seen |= code;
    rest |= code << ((index & 3) << 3);
  }
  if (whole < id.length) userWords[whole >> 2] = rest;
  userId = id;
  userIsAscii = seen < 128;
  return userIsAscii;
}

function writeByte(byte: number): void {
  block[(length & 63) >> 2]! |= byte << ((length & 3) << 3);
  length += 1;
  if ((length & 63) === 0) {
    transform();
    block.fill(0);
  }
}

function writeText(text: string): void {
  for (let index = 0; index < text.length; index += 1) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      writeByte(code);
      continue;
    }
    if (code >= 0xd800 && code < 0xe000) {
      const low = code < 0xdc00 ? text.charCodeAt(index + 1) : 0;
      if (low >= 0xdc00 && low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        index += 1;
      } else {
        code = 0xfffd;
      }
    }
    if (code < 0x800) {
      writeByte(0xc0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        writeByte(0xe0 | (code >> 12));
      } else {
        writeByte(0xf0 | (code >> 18));
        writeByte(0x80 | ((code >> 12) & 0x3f));
      }
      writeByte(0x80 | ((code >> 6) & 0x3f));
    }
    writeByte(0x80 | (code & 0x3f));
  }
}

/** Adds the end mark and the length in bits, and answers the first word of the digest. */
function finish(): number {
  const bytes = length;
  writeByte(0x80);
  // The length takes the last eight bytes of a block; where they are taken, a block of its own carries it.
  if ((length & 63) > 56) {
    transform();
    block.fill(0);
  }
  block[14] = bytes << 3;
  block[15] = Math.floor(bytes / 0x20000000);
  transform();
  return state[0]! >>> 0;
}
