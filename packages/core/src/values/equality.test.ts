import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createMembership, isSame, toNumber } from "./equality.ts";

describe("sameness of JSON values", () => {
  it("compares content, regardless of the order of keys", () => {
    expect(isSame({ a: 1, b: [{ c: null }] }, { b: [{ c: null }], a: 1 })).toBe(true);
    expect(isSame([1, 2], [2, 1])).toBe(false);
    expect(isSame([], {})).toBe(false);
    expect(isSame({ a: undefined }, { b: undefined })).toBe(false);
    expect(isSame(JSON.parse('{"__proto__":1}'), {})).toBe(false);
    expect(isSame({}, JSON.parse('{"toString":1}'))).toBe(false);
  });

  it("agrees with a comparison of canonical JSON", () => {
    const canonical = (value: unknown): string =>
      JSON.stringify(value, (_, part) =>
        typeof part === "object" && part !== null && !Array.isArray(part) ? Object.entries(part).sort() : part,
      );
    const json = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(json, json, (left, right) => {
        expect(isSame(left, JSON.parse(JSON.stringify(left)))).toBe(true);
        if (isSame(left, right)) expect(canonical(left)).toBe(canonical(right));
      }),
    );
  });
});

describe("numbers", () => {
  it.each([
    ["1", 1],
    [" 1.50 ", 1.5],
    ["-2e3", -2000],
    [".5", 0.5],
    ["0x10", null],
    ["", null],
    ["1e999", null],
    ["Infinity", null],
    [Number.NaN, null],
    [true, null],
  ])("read %j as %j", (text, expected) => {
    expect(toNumber(text)).toBe(expected);
  });
});

describe("membership", () => {
  it("compares numbers with strings that spell them, and text with text", () => {
    const isIn = createMembership([1, "02", true], false);
    expect([1, "1", "1.0", 2, "02", true].map(isIn)).toEqual([true, true, true, true, true, true]);
    expect(["2", "true", null, {}, "x"].map(isIn)).toEqual([false, false, false, false, false]);
  });
});
