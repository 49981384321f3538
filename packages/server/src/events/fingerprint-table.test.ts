import fc from "fast-check";
import { expect, test } from "vitest";
import { createFingerprintTable } from "./fingerprint-table.ts";

test("has the pairs that were added, and no others", () => {
  const table = createFingerprintTable();
  table.add("ada", 1);
  table.add("", 2);
  table.add("ada", 1);
  expect(table.size).toBe(2);
  expect([table.has("ada", 1), table.has("", 2)]).toEqual([true, true]);
  expect([table.has("ada", 2), table.has("", 1), table.has("Ada", 1), table.has("ada ", 1)]).toEqual(
    Array(4).fill(false),
  );
  table.clear();
  expect([table.size, table.has("ada", 1), table.has("", 2)]).toEqual([0, false, false]);
});

test("answers as a Set does, for any texts", () => {
  const pair = fc.tuple(fc.string({ unit: "binary", maxLength: 40 }), fc.nat({ max: 3 }));
  const step = fc.record({ isAdded: fc.boolean(), pair });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const table = createFingerprintTable();
      const model = new Set<string>();
      for (const { isAdded, pair } of steps) {
        const [text, number] = pair;
        expect(table.has(text, number)).toBe(model.has(JSON.stringify(pair)));
        if (!isAdded) continue;
        table.add(text, number);
        model.add(JSON.stringify(pair));
      }
      expect(table.size).toBe(model.size);
    }),
  );
});

test.each<[string, (index: number) => string]>([
  ["that count up", (index) => `user-${index}`],
  ["that differ at their start", (index) => `${index.toString(36).padStart(6, "0")}-9f2c-4a7b-8d1e-3b5c6d7e8f90`],
  [
    "that differ in high bits of their characters",
    (index) => String.fromCharCode(256 * (index % 200), 256 * (index >> 8)),
  ],
  [
    "of one character more each",
    (index) => "a".repeat(index % 400) + String.fromCharCode(0x4e00 + Math.floor(index / 400)),
  ],
])("tells 60,000 texts %s from as many others", (_, toText) => {
  const texts = [...new Set(Array.from({ length: 60_000 }, (_, index) => toText(index)))];
  const table = createFingerprintTable();
  for (const text of texts) table.add(text, 0);
  expect(table.size).toBe(texts.length);
  expect(texts.every((text) => table.has(text, 0))).toBe(true);
  expect(texts.filter((text) => table.has(text, 1) || table.has(`${text}.`, 0))).toEqual([]);
});
