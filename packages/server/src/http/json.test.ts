import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "./json.ts";

const nested = (depth: number, leaf = "1") => "[".repeat(depth) + leaf + "]".repeat(depth);
const objects = (depth: number) => '{"a":'.repeat(depth) + 1 + "}".repeat(depth);
const filler = `"${"x".repeat(40_000)}"`;

test.each([
  ["lists", nested(64), nested(65)],
  ["objects", objects(64), objects(65)],
  ["a long text", `[${filler},${nested(63)}]`, `[${filler},${nested(64)}]`],
  ["closing brackets in a string", nested(64, '"]]]]"'), `["]]]]","\\"]]",${nested(64)}]`],
  ["lists of objects", `[{},{},{"a":${nested(62)}},{}]`, `[{},{},{"a":${nested(63)}},{}]`],
  ["lists of objects in a string", `["{},{},{",${nested(63)}]`, `["{},{},{",${nested(64)}]`],
])("reads 64 levels and rejects 65: %s", (_, good, bad) => {
  expect(parseJson(good)).toEqual(JSON.parse(good));
  expect(() => parseJson(bad)).toThrow("Request body is nested deeper than 64 levels");
});

test("does not count brackets in strings and adjacent lists as depth", () => {
  const text = JSON.stringify(["[".repeat(100), '\\"[[', ...Array.from({ length: 100 }, () => [[]])]);
  expect(parseJson(text)).toEqual(JSON.parse(text));
});

test("knows the depth among any objects and texts", () => {
  const text = fc.string({ unit: fc.constantFrom("{", "}", "[", "]", ",", "},{", '"', "\\", "a") });
  const part = fc.oneof(text, fc.constant({}), fc.constant([]), fc.record({ a: text }));
  const parts = fc.array(part, { maxLength: 100 });
  fc.assert(
    fc.property(parts, fc.integer({ min: 58, max: 70 }), parts, fc.boolean(), (before, depth, after, isObject) => {
      const inner = JSON.parse(isObject ? objects(depth) : nested(depth));
      const given = JSON.stringify([...before, inner, ...after]);
      if (depth + 1 <= 64) expect(parseJson(given)).toEqual(JSON.parse(given));
      else expect(() => parseJson(given)).toThrow("nested deeper than 64 levels");
    }),
  );
});

test.each(['{"__proto__":{"a":1},"b":2}', '{"\\u005f_proto__":{"a":1},"b":2}'])(
  "drops the key __proto__: %s",
  (text) => {
    for (const one of [text, `[${filler},${text}]`]) {
      const value = [parseJson(one)].flat().at(-1) as object;
      expect(Object.keys(value)).toEqual(["b"]);
      expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    }
  },
);

test("half a surrogate pair becomes U+FFFD", () => {
  expect(parseJson('["\\ud800","a\\udfffb","\\ud83d\\ude00","\\\\ud800"]')).toEqual(["�", "a�b", "😀", "\\ud800"]);
});

test("reads all other JSON like JSON.parse", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 10 }), (text) => {
      fc.pre(!text.includes("__proto__"));
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});
