import * as fc from "fast-check";
import { expect, test } from "vitest";
import { transform } from "./md5.ts";
import { transform as transformCompact } from "./md5-compact.ts";

const word = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
const words = (length: number) => fc.array(word, { minLength: length, maxLength: length });

test("the compact block and the one written out come to the same digest, whatever they are given", () => {
  fc.assert(
    fc.property(words(32), words(4), fc.constantFrom(0, 16), (block, digest, at) => {
      const [expected, state] = [Int32Array.from(digest), Int32Array.from(digest)];
      transform(expected, Int32Array.from(block), at);
      transformCompact(state, Int32Array.from(block), at);
      expect(state).toEqual(expected);
    }),
  );
});

test("the compact block comes to the digest of RFC 1321 for an empty message", () => {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476);
  transformCompact(state, Int32Array.of(0x80, ...new Array<number>(15).fill(0)), 0);
  expect(Buffer.from(state.buffer).toString("hex")).toBe("d41d8cd98f00b204e9800998ecf8427e");
});

test("no constant of the compact block hangs on the last digits of a platform's sine", () => {
  for (let step = 1; step <= 64; step++) {
    const scaled = Math.abs(Math.sin(step)) * 2 ** 32;
    expect(Math.abs(scaled - Math.round(scaled)), `sin(${step})`).toBeGreaterThan(1e-4);
  }
});
