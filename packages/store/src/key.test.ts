import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { assertKey, keyOf, MAX_KEY_LENGTH, partOf, partsOf } from "./key.ts";

/** Any UTF-16 text, lone surrogates included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) });

describe("keyOf", () => {
  test("leaves plain parts unchanged", () => {
    expect(keyOf("feature-flags", "new_checkout.v2")).toBe("feature-flags/new_checkout.v2");
  });

  test.each([
    ["A", "=41"],
    ["", "+"],
    [".", "+2e"],
    ["..", "+2e+2e"],
    ["a?b", "a=3fb"],
    ["a/b", "a+2fb"],
    ["a$", "a+24"],
    ["100%", "100+25"],
    ["é", "~c3~a9"],
    ["\ud800", "~ed~a0~80"],
  ])("writes %j as %s", (text, encoded) => {
    expect(keyOf(text)).toBe(encoded);
    expect(partOf(encoded)).toBe(text);
  });

  test("makes a readable prefix and a hash of a long part", () => {
    const long = `Ab${"c".repeat(500)}`;
    expect(keyOf("x", long)).toMatch(/^x\/=41bc{36}~~[0-9a-f]{64}$/);
    expect(partsOf(keyOf("x", long))).toEqual(["x", null]);
    expect(keyOf(long)).not.toBe(keyOf(`${long}c`));
  });

  test("leaves a plain part of 128 characters unchanged, and hashes a longer one", () => {
    const longest = "a.b-".repeat(32).replace(/.$/, "_");
    expect(keyOf(longest)).toBe(longest);
    expect(keyOf(`${longest}x`)).toMatch(/^(?:a\.b-){10}~~[0-9a-f]{64}$/);
    expect(keyOf("a.b.")).toBe("a.b+2e");
  });

  test("rejects no parts and a key that is too long", () => {
    expect(() => keyOf()).toThrow(TypeError);
    expect(() => keyOf(...Array.from({ length: 10 }, () => "a".repeat(100)))).toThrow(String(MAX_KEY_LENGTH));
  });

  test("reads only spellings that it writes", () => {
    for (const odd of ["~41", "=41=4", ".a", "A", "~c3", "a b", "++"]) expect(partOf(odd)).toBeNull();
  });

  test("returns every text and never gives two texts one key", () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 1, maxLength: 4 }), (texts) => {
        const key = keyOf(...texts);
        assertKey(key);
        expect(key).toBe(key.toLowerCase());
        for (const [index, part] of partsOf(key).entries()) {
          if (part !== null) expect(part).toBe(texts[index]);
        }
      }),
    );
  });

  test("keeps the order of letters, digits and everything beyond ASCII", () => {
    const text = fc.string({ unit: fc.constantFrom(..."09AZaz_ é€😀"), minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
        expect(Math.sign(Buffer.compare(Buffer.from(keyOf(a)), Buffer.from(keyOf(b))))).toBe(order);
      }),
    );
  });
});
