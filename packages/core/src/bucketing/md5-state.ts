/** The message that `transform` reads: little-endian words, room for two blocks of 16. */
export const message = /* @__PURE__ */ new Int32Array(32);

/** The running digest, four words; {@link reset} before a message, `transform` for every block. */
export const state = /* @__PURE__ */ new Int32Array(4);

/** Starts a new message. */
export function reset(): void {
  state[0] = 0x67452301;
  state[1] = 0xefcdab89;
  state[2] = 0x98badcfe;
  state[3] = 0x10325476;
}
