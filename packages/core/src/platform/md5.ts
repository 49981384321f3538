/** MD5's initial digest. */
export const START = /* @__PURE__ */ Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
const state = /* @__PURE__ */ new Int32Array(4);

/** Digests whole blocks of 16 words, including the padding, to four words, which the next call overwrites. */
export function digest(message: Int32Array): ArrayLike<number> {
  state.set(START);
  for (let at = 0; at < message.length; at += 16) transform(state, message, at);
  return state;
}

/**
 * Adds the block that starts at a word of a message to a digest of four words, by MD5 (RFC 1321). The bucketing hash
 * dominates the cost of every evaluation, so the 64 steps are unrolled: V8 stops inlining step functions half-way
 * through, and even the loops of `md5-compact.ts` take 1.4 times as long (see bench/bucketing.bench.ts).
 */
export function transform(state: Int32Array, message: Int32Array, at: number): void {
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
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

  a = (a + (d ^ (b & (c ^ d))) + x0 - 680876936) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + (c ^ (a & (b ^ c))) + x1 - 389564586) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + (b ^ (d & (a ^ b))) + x2 + 606105819) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + (a ^ (c & (d ^ a))) + x3 - 1044525330) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + (d ^ (b & (c ^ d))) + x4 - 176418897) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + (c ^ (a & (b ^ c))) + x5 + 1200080426) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + (b ^ (d & (a ^ b))) + x6 - 1473231341) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + (a ^ (c & (d ^ a))) + x7 - 45705983) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + (d ^ (b & (c ^ d))) + x8 + 1770035416) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + (c ^ (a & (b ^ c))) + x9 - 1958414417) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + (b ^ (d & (a ^ b))) + x10 - 42063) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + (a ^ (c & (d ^ a))) + x11 - 1990404162) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;
  a = (a + (d ^ (b & (c ^ d))) + x12 + 1804603682) | 0;
  a = (((a << 7) | (a >>> 25)) + b) | 0;
  d = (d + (c ^ (a & (b ^ c))) + x13 - 40341101) | 0;
  d = (((d << 12) | (d >>> 20)) + a) | 0;
  c = (c + (b ^ (d & (a ^ b))) + x14 - 1502002290) | 0;
  c = (((c << 17) | (c >>> 15)) + d) | 0;
  b = (b + (a ^ (c & (d ^ a))) + x15 + 1236535329) | 0;
  b = (((b << 22) | (b >>> 10)) + c) | 0;

  a = (a + (c ^ (d & (b ^ c))) + x1 - 165796510) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + (b ^ (c & (a ^ b))) + x6 - 1069501632) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + (a ^ (b & (d ^ a))) + x11 + 643717713) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + (d ^ (a & (c ^ d))) + x0 - 373897302) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + (c ^ (d & (b ^ c))) + x5 - 701558691) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + (b ^ (c & (a ^ b))) + x10 + 38016083) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + (a ^ (b & (d ^ a))) + x15 - 660478335) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + (d ^ (a & (c ^ d))) + x4 - 405537848) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + (c ^ (d & (b ^ c))) + x9 + 568446438) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + (b ^ (c & (a ^ b))) + x14 - 1019803690) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + (a ^ (b & (d ^ a))) + x3 - 187363961) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + (d ^ (a & (c ^ d))) + x8 + 1163531501) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;
  a = (a + (c ^ (d & (b ^ c))) + x13 - 1444681467) | 0;
  a = (((a << 5) | (a >>> 27)) + b) | 0;
  d = (d + (b ^ (c & (a ^ b))) + x2 - 51403784) | 0;
  d = (((d << 9) | (d >>> 23)) + a) | 0;
  c = (c + (a ^ (b & (d ^ a))) + x7 + 1735328473) | 0;
  c = (((c << 14) | (c >>> 18)) + d) | 0;
  b = (b + (d ^ (a & (c ^ d))) + x12 - 1926607734) | 0;
  b = (((b << 20) | (b >>> 12)) + c) | 0;

  a = (a + (b ^ c ^ d) + x5 - 378558) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + (a ^ b ^ c) + x8 - 2022574463) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + (d ^ a ^ b) + x11 + 1839030562) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + (c ^ d ^ a) + x14 - 35309556) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + (b ^ c ^ d) + x1 - 1530992060) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + (a ^ b ^ c) + x4 + 1272893353) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + (d ^ a ^ b) + x7 - 155497632) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + (c ^ d ^ a) + x10 - 1094730640) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + (b ^ c ^ d) + x13 + 681279174) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + (a ^ b ^ c) + x0 - 358537222) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + (d ^ a ^ b) + x3 - 722521979) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + (c ^ d ^ a) + x6 + 76029189) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;
  a = (a + (b ^ c ^ d) + x9 - 640364487) | 0;
  a = (((a << 4) | (a >>> 28)) + b) | 0;
  d = (d + (a ^ b ^ c) + x12 - 421815835) | 0;
  d = (((d << 11) | (d >>> 21)) + a) | 0;
  c = (c + (d ^ a ^ b) + x15 + 530742520) | 0;
  c = (((c << 16) | (c >>> 16)) + d) | 0;
  b = (b + (c ^ d ^ a) + x2 - 995338651) | 0;
  b = (((b << 23) | (b >>> 9)) + c) | 0;

  a = (a + (c ^ (b | ~d)) + x0 - 198630844) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + (b ^ (a | ~c)) + x7 + 1126891415) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + (a ^ (d | ~b)) + x14 - 1416354905) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + (d ^ (c | ~a)) + x5 - 57434055) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + (c ^ (b | ~d)) + x12 + 1700485571) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + (b ^ (a | ~c)) + x3 - 1894986606) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + (a ^ (d | ~b)) + x10 - 1051523) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + (d ^ (c | ~a)) + x1 - 2054922799) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + (c ^ (b | ~d)) + x8 + 1873313359) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + (b ^ (a | ~c)) + x15 - 30611744) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + (a ^ (d | ~b)) + x6 - 1560198380) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + (d ^ (c | ~a)) + x13 + 1309151649) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;
  a = (a + (c ^ (b | ~d)) + x4 - 145523070) | 0;
  a = (((a << 6) | (a >>> 26)) + b) | 0;
  d = (d + (b ^ (a | ~c)) + x11 - 1120210379) | 0;
  d = (((d << 10) | (d >>> 22)) + a) | 0;
  c = (c + (a ^ (d | ~b)) + x2 + 718787259) | 0;
  c = (((c << 15) | (c >>> 17)) + d) | 0;
  b = (b + (d ^ (c | ~a)) + x9 - 343485551) | 0;
  b = (((b << 21) | (b >>> 11)) + c) | 0;

  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
}
