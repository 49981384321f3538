import { expect, test } from "vitest";
import { exactBytes, openEntry, openRecord, sealEntry, sealRecord } from "./entry.ts";

/** Bytes as lmdb returns them: at the start of a longer buffer, with a `length` property on the instance. */
function reused(bytes: Uint8Array, make: (size: number) => Uint8Array): Uint8Array {
  const buffer = make(bytes.length + 100).fill(0xaa);
  buffer.set(bytes);
  return Object.defineProperty(buffer, "length", { value: bytes.length });
}

const KINDS: [string, (size: number) => Uint8Array][] = [
  ["Buffer", Buffer.alloc],
  ["Uint8Array", (size) => new Uint8Array(size)],
];
const VALUES = [new Uint8Array(), new Uint8Array([7]), new Uint8Array(5_000).fill(7)];

for (const [kind, make] of KINDS) {
  test.each(VALUES)(`a ${kind} longer than its length property opens as the entry that was sealed`, (value) => {
    const opened = openEntry("key", reused(sealEntry("key", value, 3), make));
    expect(opened).toEqual({ key: "key", value, version: 3 });
    expect(opened?.value.buffer.byteLength, "a copy with its own memory").toBe(value.length);
  });

  test.each(VALUES)(`a ${kind} longer than its length property opens as the record that was sealed`, (record) => {
    const opened = openRecord(9, reused(sealRecord(9, record), make));
    expect(opened).toEqual(record);
    expect(opened?.buffer.byteLength, "a copy with its own memory").toBe(record.length);
  });

  test(`the exact bytes of a ${kind} are those that its length property counts`, () => {
    const bytes = exactBytes(reused(new Uint8Array([1, 2, 3]), make));
    expect([...bytes.subarray(1)]).toEqual([2, 3]);
    expect(bytes.byteLength).toBe(3);
  });
}

test("rejects an entry and a record that end before their first byte of content, and accepts one byte more", () => {
  expect(openEntry("key", sealEntry("key", new Uint8Array(), 1).subarray(0, 11))).toBeNull();
  expect(openEntry("key", sealEntry("key", new Uint8Array(), 1))).not.toBeNull();
  expect(openRecord(1, sealRecord(1, new Uint8Array()).subarray(0, 3))).toBeNull();
  expect(openRecord(1, sealRecord(1, new Uint8Array()))).not.toBeNull();
});

test("rejects a flipped bit, another key and another position", () => {
  const entry = sealEntry("key", new Uint8Array([1, 2]), 1);
  const record = sealRecord(5, new Uint8Array([1, 2]));
  expect(openEntry("other", entry)).toBeNull();
  expect(openRecord(6, record)).toBeNull();
  entry[entry.length - 1]! ^= 1;
  record[record.length - 1]! ^= 1;
  expect(openEntry("key", entry)).toBeNull();
  expect(openRecord(5, record)).toBeNull();
});
