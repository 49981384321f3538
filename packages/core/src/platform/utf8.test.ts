import fc from "fast-check";
import { expect, test } from "vitest";
import { toUtf8 } from "./utf8.ts";

const encode = (text: string) => String.fromCharCode(...new TextEncoder().encode(text));

test.each([
  "",
  "ada:new-checkout",
  "\u007f\u0080\u07ff\u0800\ud7ff\ue000\uffff",
  "\u{10000}\u{10ffff}\u{1f469}\u200d\u{1f680}",
  "a\ud800b",
  "\udfff",
  "\udc00\ud800",
  "\ud800\ud800\udc00",
])("the bytes of %j are those of TextEncoder", (text) => {
  expect(toUtf8(text)).toEqual(encode(text));
});

const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));

test.each([
  ["characters", fc.string({ unit: "binary" })],
  ["UTF-16 units in any order", units],
])("the bytes of any %s are those of TextEncoder", (_, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(toUtf8(text)).toEqual(encode(text));
    }),
  );
});
