import { transform } from "./md5.ts";
import { toUtf8 } from "./utf8.ts";

/** What fits two blocks together with the end mark and the length: nearly every user id and key. */
const MOST_BYTES = 119;

/** The message under way: little-endian words, room for two blocks of 16. */
const message = /* @__PURE__ */ new Int32Array(32);
/** Its running digest. */
const state = /* @__PURE__ */ new Int32Array(4);

// One user is usually asked about many flags in a row, so their id stays in the message between hashes.
/** The ASCII user id whose whole words {@link message} starts with, else null. */
let loaded: string | null = null;
/** The last bytes of that id, which fill no whole word. */
let rest = 0;
/** Words of the message up to here may be other than zero. */
let used = 0;

/**
 * Prepares the bucketing hash for one key: the words of `:{key}` are laid out once for each of the four byte offsets a
 * user id can end at, so that hashing an ASCII user id of usual length allocates nothing and takes the key by words.
 *
 * @param hash answers for all other user ids
 */
export function prepareKey(key: string, hash: (userId: string) => number): (userId: string) => number {
  const suffix = Array.from(toUtf8(`:${key}`), (byte) => byte.charCodeAt(0));
  const layouts = [0, 1, 2, 3].map((offset) => layOut(suffix, offset));
  return (userId) => {
    const length = userId.length + suffix.length;
    if (length > MOST_BYTES || (userId !== loaded && !load(userId))) return hash(userId);
    const words = layouts[userId.length & 3]!;
    let at = userId.length >> 2;
    message[at++] = rest | words[0]!;
    for (let next = 1; next < words.length; next += 1) message[at++] = words[next]!;
    const end = at;
    while (at < used) message[at++] = 0;
    used = end;
    reset();
    if (length < 56) {
      message[14] = length << 3;
      transform(state, message, 0);
    } else {
      message[30] = length << 3;
      transform(state, message, 0);
      transform(state, message, 16);
    }
    return (state[0]! >>> 0) / 2 ** 32;
  };
}

function reset(): void {
  state[0] = 0x67452301;
  state[1] = 0xefcdab89;
  state[2] = 0x98badcfe;
  state[3] = 0x10325476;
}

/** The word at a byte of a message, in which the end mark and then zeros follow the bytes. */
function wordAt(bytes: Uint8Array, at: number): number {
  let word = 0;
  for (let byte = 3; byte >= 0; byte -= 1) {
    word = (word << 8) | (bytes[at + byte] ?? (at + byte === bytes.length ? 0x80 : 0));
  }
  return word;
}

/** The words of a key and its end mark, starting `offset` bytes into the first. */
function layOut(suffix: readonly number[], offset: number): Int32Array {
  const bytes = new Uint8Array(offset + suffix.length);
  bytes.set(suffix, offset);
  return Int32Array.from({ length: (bytes.length + 4) >> 2 }, (_, word) => wordAt(bytes, word * 4));
}

/** Puts a user id at the start of the message; false where it is not ASCII. */
function load(userId: string): boolean {
  const { length } = userId;
  let seen = 0;
  let index = 0;
  for (const whole = length & ~3; index < whole; index += 4) {
    const a = userId.charCodeAt(index);
    const b = userId.charCodeAt(index + 1);
    const c = userId.charCodeAt(index + 2);
    const d = userId.charCodeAt(index + 3);
    seen |= a | b | c | d;
    message[index >> 2] = a | (b << 8) | (c << 16) | (d << 24);
  }
  if (used < index >> 2) used = index >> 2;
  rest = 0;
  for (; index < length; index += 1) {
    const code = userId.charCodeAt(index);
    seen |= code;
    rest |= code << ((index & 3) << 3);
  }
  loaded = seen < 128 ? userId : null;
  return loaded !== null;
}
