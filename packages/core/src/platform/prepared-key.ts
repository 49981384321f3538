import { START, transform } from "./md5.ts";
import { toUtf8 } from "./utf8.ts";

/** The length that fits two blocks with the end mark and the length: nearly every user id and key. */
const MAX_BYTES = 119;

/** The current message: little-endian words, room for two blocks of 16. */
const message = /* @__PURE__ */ new Int32Array(32);
/** Its running digest. */
const state = /* @__PURE__ */ new Int32Array(4);

// One user is usually evaluated for many flags in a row, so their id stays in the message between hashes.
/** The ASCII user id whose whole words {@link message} starts with, else null. */
let loaded: string | null = null;
/** The last bytes of that id, which fill no whole word. */
let rest = 0;
/** Words of the message up to here may be non-zero. */
let used = 0;

/**
 * Prepares the bucketing hash for one key: the words of `:{key}` are laid out once for each of the four byte offsets at
 * which a user id can end. Hashing an ASCII user id of usual length then allocates nothing and copies the key by words.
 *
 * @param hash answers for all other user ids
 */
export function prepareKey(key: string, hash: (userId: string) => number): (userId: string) => number {
  // The end mark of MD5 follows the key.
  const suffix = `${toUtf8(`:${key}`)}\x80`;
  // One array, not four, because the keys of a thousand flags are read one after the other.
  const stride = (suffix.length + 6) >> 2;
  const layouts = new Int32Array(4 * stride);
  for (let step = 0; step < 4 * suffix.length; step += 1) {
    const [offset, index] = [step & 3, step >> 2];
    const at = offset + index;
    layouts[offset * stride + (at >> 2)]! |= suffix.charCodeAt(index) << ((at & 3) << 3);
  }
  return (userId) => {
    const length = userId.length + suffix.length - 1;
    if (length > MAX_BYTES || (userId !== loaded && !load(userId))) return hash(userId);
    let next = (userId.length & 3) * stride;
    const last = next + stride;
    let at = userId.length >> 2;
    message[at++] = rest | layouts[next++]!;
    while (next < last) message[at++] = layouts[next++]!;
    const end = at;
    while (at < used) message[at++] = 0;
    used = end;
    const isShort = length < 56;
    message[isShort ? 14 : 30] = length << 3;
    transform(state, message, 0, START);
    if (!isShort) transform(state, message, 16, state);
    return (state[0]! >>> 0) / 2 ** 32;
  };
}

/** Writes a user id to the start of the message; false if it is not ASCII. */
function load(userId: string): boolean {
  const { length } = userId;
  let seen = 0;
  let index = 0;
  for (; index + 3 < length; index += 4) {
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
