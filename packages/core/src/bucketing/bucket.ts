import { digest, prepareKey } from "#platform";
import { toUtf8 } from "../platform/utf8.ts";

/**
 * Hashes a user id for lists that must not contain ids: the first eight bytes of the MD5 of `{userId}:{salt}`, as 16
 * hexadecimal digits of two little-endian words. It hides ids from readers, but not from readers who can guess them.
 */
export function fingerprint(userId: string, salt: string): string {
  const words = hash(userId, salt);
  return [words[0]!, words[1]!].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Returns the bucketing hash in [0, 1): the first four bytes, little endian, of the MD5 of the UTF-8 string
 * `{userId}:{key}`, divided by 2^32. Lone surrogates count as U+FFFD, as in every UTF-8 encoder.
 */
export function bucket(userId: string, key: string): number {
  return (hash(userId, key)[0]! >>> 0) / 2 ** 32;
}

/** Prepares {@link bucket} for one key. Faster if many users are hashed. */
export function createBucketer(key: string): (userId: string) => number {
  return prepareKey(key, (userId) => bucket(userId, key));
}

/** Returns the MD5 of `{userId}:{key}` as four words. */
function hash(userId: string, key: string): ArrayLike<number> {
  const bytes = toUtf8(`${userId}:${key}`);
  const { length } = bytes;
  // The bytes, an end mark and their length in bits, in whole blocks of 16 little-endian words. A longer text than 512 MB
  // would also need the last word, and V8 has none.
  const words = new Int32Array(((length + 72) >> 6) << 4);
  for (let at = 0; at < length; at += 1) words[at >> 2]! |= bytes.charCodeAt(at) << ((at & 3) << 3);
  words[length >> 2]! |= 0x80 << ((length & 3) << 3);
  words[words.length - 2] = length << 3;
  return digest(words);
}
