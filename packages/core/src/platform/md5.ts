/** MD5's initial digest. */
export const START = /* @__PURE__ */ Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
const state = /* @__PURE__ */ new Int32Array(4);

/** Digests whole blocks of 16 words, including the padding, to four words, which the next call overwrites. */
export function digest(message: Int32Array): ArrayLike<number> {
  state.set(START);
  for (let at = 0; at < message.length; at += 16) transform(state, message, at, state);
  return state;
}

/**
 * Adds the block that starts at a word of a message to a digest of four words, by MD5 (RFC 1321), and writes the sum to
 * `state`, which may be that digest. The bucketing hash
 * dominates the cost of every evaluation, so the 64 steps are unrolled: V8 stops inlining step functions half-way
 * through, and even the loops of `md5-compact.ts` take longer (see bench/bucketing.bench.ts). What a step needs of the step
 * before comes last in each sum, so that a processor computes the rest meanwhile. The second round adds two terms that
 * have no bit in common, where the standard has "or".
 */
export function transform(state: Int32Array, message: Int32Array, at: number, before: Int32Array): void {
  let a = before[0]!;
  let b = before[1]!;
  let c = before[2]!;
  let d = before[3]!;
  const x0 = message[at]!;
  const x1 = message[at + 1]!;
  const x2 = message[at + 2]!;
  const x3 = message[at + 3]!;
  const x4 = message[at + 4]!;
  const x5 = message[at + 5]!;
  const x6 = message[at + 6]!;
  const x7 = message[at + 7]!;
  const x8 = message[at + 8]!;
  const x9 = message[at + 9]!;
  const x10 = message[at + 10]!;
  const x11 = message[at + 11]!;
  const x12 = message[at + 12]!;
  const x13 = message[at + 13]!;
  const x14 = message[at + 14]!;
  const x15 = message[at + 15]!;

  a = (a + x0 - 680876936 + (d ^ (b & (c ^ d)))) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + x1 - 389564586 + (c ^ (a & (b ^ c)))) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + x2 + 606105819 + (b ^ (d & (a ^ b)))) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + x3 - 1044525330 + (a ^ (c & (d ^ a)))) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + x4 - 176418897 + (d ^ (b & (c ^ d)))) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + x5 + 1200080426 + (c ^ (a & (b ^ c)))) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + x6 - 1473231341 + (b ^ (d & (a ^ b)))) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + x7 - 45705983 + (a ^ (c & (d ^ a)))) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + x8 + 1770035416 + (d ^ (b & (c ^ d)))) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + x9 - 1958414417 + (c ^ (a & (b ^ c)))) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + x10 - 42063 + (b ^ (d & (a ^ b)))) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + x11 - 1990404162 + (a ^ (c & (d ^ a)))) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + x12 + 1804603682 + (d ^ (b & (c ^ d)))) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + x13 - 40341101 + (c ^ (a & (b ^ c)))) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + x14 - 1502002290 + (b ^ (d & (a ^ b)))) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + x15 + 1236535329 + (a ^ (c & (d ^ a)))) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;

  a = (a + x1 - 165796510 + (c & ~d) + (b & d)) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + x6 - 1069501632 + (b & ~c) + (a & c)) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + x11 + 643717713 + (a & ~b) + (d & b)) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + x0 - 373897302 + (d & ~a) + (c & a)) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + x5 - 701558691 + (c & ~d) + (b & d)) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + x10 + 38016083 + (b & ~c) + (a & c)) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + x15 - 660478335 + (a & ~b) + (d & b)) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + x4 - 405537848 + (d & ~a) + (c & a)) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + x9 + 568446438 + (c & ~d) + (b & d)) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + x14 - 1019803690 + (b & ~c) + (a & c)) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + x3 - 187363961 + (a & ~b) + (d & b)) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + x8 + 1163531501 + (d & ~a) + (c & a)) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + x13 - 1444681467 + (c & ~d) + (b & d)) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + x2 - 51403784 + (b & ~c) + (a & c)) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + x7 + 1735328473 + (a & ~b) + (d & b)) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + x12 - 1926607734 + (d & ~a) + (c & a)) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;

  a = (a + x5 - 378558 + (b ^ (c ^ d))) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + x8 - 2022574463 + (a ^ (b ^ c))) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + x11 + 1839030562 + (d ^ (a ^ b))) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + x14 - 35309556 + (c ^ (d ^ a))) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + x1 - 1530992060 + (b ^ (c ^ d))) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + x4 + 1272893353 + (a ^ (b ^ c))) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + x7 - 155497632 + (d ^ (a ^ b))) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + x10 - 1094730640 + (c ^ (d ^ a))) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + x13 + 681279174 + (b ^ (c ^ d))) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + x0 - 358537222 + (a ^ (b ^ c))) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + x3 - 722521979 + (d ^ (a ^ b))) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + x6 + 76029189 + (c ^ (d ^ a))) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + x9 - 640364487 + (b ^ (c ^ d))) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + x12 - 421815835 + (a ^ (b ^ c))) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + x15 + 530742520 + (d ^ (a ^ b))) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + x2 - 995338651 + (c ^ (d ^ a))) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;

  a = (a + x0 - 198630844 + (c ^ (b | ~d))) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + x7 + 1126891415 + (b ^ (a | ~c))) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + x14 - 1416354905 + (a ^ (d | ~b))) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + x5 - 57434055 + (d ^ (c | ~a))) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + x12 + 1700485571 + (c ^ (b | ~d))) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + x3 - 1894986606 + (b ^ (a | ~c))) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + x10 - 1051523 + (a ^ (d | ~b))) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + x1 - 2054922799 + (d ^ (c | ~a))) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + x8 + 1873313359 + (c ^ (b | ~d))) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + x15 - 30611744 + (b ^ (a | ~c))) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + x6 - 1560198380 + (a ^ (d | ~b))) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + x13 + 1309151649 + (d ^ (c | ~a))) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + x4 - 145523070 + (c ^ (b | ~d))) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + x11 - 1120210379 + (b ^ (a | ~c))) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + x2 + 718787259 + (a ^ (d | ~b))) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + x9 - 343485551 + (d ^ (c | ~a))) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;

  state[0] = before[0]! + a;
  state[1] = before[1]! + b;
  state[2] = before[2]! + c;
  state[3] = before[3]! + d;
}
