import type { JsonValue } from "@assay/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeRecord, type EventRecord, encodeRecord, withoutEvents } from "./event-record.ts";

type JsonObject = Record<string, JsonValue>;

const text = fc.oneof(fc.string({ minLength: 1, unit: "binary" }), fc.constantFrom("\ud800", "\udc00"));
const nullable = fc.option(text);

const events = fc.record({
  id: text,
  type: text,
  userId: text,
  time: fc.integer({ min: 0, max: 4e12 }),
  experimentId: nullable,
  variantKey: nullable,
  flagKey: nullable,
  value: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0)),
  forced: fc.boolean(),
  metadata: fc.option(fc.constant<JsonObject>({ a: { b: [1, null] } })),
});
const joins = fc.record({ userId: text, unitId: text, experimentId: nullable });
const record = fc.record({ at: fc.integer({ min: 0, max: 4e12 }), events: fc.array(events), joins: fc.array(joins) });

it("reads back every record it writes", () => {
  fc.assert(
    fc.property(record, (one) => {
      expect(decodeRecord(encodeRecord(one))).toEqual(one);
    }),
  );
});

it("leaves events out, and keeps the others and the joins as they are", () => {
  fc.assert(
    fc.property(record, fc.array(fc.nat(12)), (one, indexes) => {
      const left = one.events.filter((_, index) => !indexes.includes(index));
      expect(withoutEvents(encodeRecord(one), new Set(indexes))).toEqual(encodeRecord({ ...one, events: left }));
    }),
  );
});

const NOTHING = { experimentId: null, variantKey: null, flagKey: null, value: null, forced: false, metadata: null };
const bytesOf = (row: unknown) => new TextEncoder().encode(JSON.stringify(row));
const SEEN = { ...NOTHING, id: "1", userId: "ada", type: "see", time: 100 };

const SHOWN = { ...NOTHING, type: "exposure", experimentId: "x", variantKey: "a" };
const RECORD: EventRecord = {
  at: 100,
  events: [
    { ...SHOWN, id: "1", userId: "ada", time: 90 },
    { ...NOTHING, id: "22", userId: "ada", type: "buy", time: 100, value: 2.5, metadata: { plan: "pro" } },
    { ...SHOWN, id: "3", userId: "bob", time: 101, forced: true },
    { ...SHOWN, id: "4", userId: "zoë", time: 102 },
    { ...NOTHING, id: "5", userId: "bob", type: "see", time: 103, flagKey: "f" },
  ],
  joins: [
    { userId: "ada", unitId: "u", experimentId: null },
    { userId: "bob", unitId: "v", experimentId: "x", time: 95 },
  ],
};

describe("the bytes of a record", () => {
  const texts = (bytes: Uint8Array, from: number, to?: number) => new TextDecoder().decode(bytes.subarray(from, to));

  it("are columns, with what events share once and times relative to the receipt", () => {
    const bytes = encodeRecord(RECORD);
    const view = new DataView(bytes.buffer);
    const row = <T>(from: number, step: number, read: (place: number) => T) =>
      [0, 1, 2, 3, 4].map((index) => read(from + index * step));
    expect([...bytes.subarray(0, 4)]).toEqual([3, 1, 4, 8]);
    expect([view.getUint32(4, true), view.getFloat64(8, true)]).toEqual([5, 100]);
    expect(row(28, 8, (place) => view.getFloat64(place, true))).toEqual([NaN, 2.5, NaN, NaN, NaN]);
    expect(row(68, 4, (place) => view.getInt32(place, true))).toEqual([-10, 0, 1, 2, 3]);
    expect(row(88, 2, (place) => view.getUint16(place, true))).toEqual([3, 3, 3, 3, 3]);
    expect(row(98, 2, (place) => view.getUint16(place, true))).toEqual([1, 2, 1, 1, 1]);
    expect([...bytes.subarray(108, 113)]).toEqual([0, 1, 2, 0, 3]);
    const head =
      '[[["exposure","x","a"],["buy"],["exposure","x","a",0,1],["see",0,0,"f"]],' +
      '[[1,{"plan":"pro"}]],[["ada","u"],["bob","v","x",-5]]]';
    expect([16, 20, 24].map((place) => view.getUint32(place, true))).toEqual([head.length, 16, 6]);
    expect(texts(bytes, 113)).toBe(`${head}adaadabobzoëbob122345`);
  });

  it("leave out the columns that say nothing", () => {
    const bytes = encodeRecord({ at: 100, events: [SEEN, { ...SEEN, id: "2" }], joins: [] });
    expect([...bytes.subarray(0, 4)]).toEqual([3, 0, 4, 0]);
    expect(texts(bytes, 28 + 2 * (4 + 2 + 2))).toBe('[[["see"]]]adaada12');
  });

  it.each([
    [2 ** 31 - 1, 4],
    [2 ** 31, 8],
    [-(2 ** 31), 4],
    [-(2 ** 31) - 1, 8],
    [0.5, 8],
  ])("hold a time of %d after the receipt in %d bytes", (after, width) => {
    const record = {
      at: 4e12,
      events: [SEEN, { ...SEEN, id: "2" }].map((one) => ({ ...one, time: 4e12 + after })),
      joins: [],
    };
    expect(encodeRecord(record)[2]).toBe(width);
    expect(decodeRecord(encodeRecord(record))).toEqual(record);
  });

  it.each([
    [1, 0],
    [2, 1],
    [256, 1],
    [257, 2],
    [65_536, 2],
    [65_537, 4],
  ])("hold which of %d kinds an event has in %d bytes", (count, width) => {
    const events = Array.from({ length: count }, (_, index) => ({ ...SEEN, id: `${index}`, type: `type-${index}` }));
    const bytes = encodeRecord({ at: 100, events, joins: [] });
    expect(bytes[1]).toBe(width);
    expect(decodeRecord(bytes).events).toEqual(events);
  });

  it.each(["id", "userId"])("keep an odd %s", (field) => {
    for (const text of [
      "",
      "\n",
      "\ufeffx",
      "\ud800",
      "\udc00\ud800",
      "é",
      "🐈",
      "x".repeat(65_535),
      "x".repeat(65_536),
    ]) {
      const events = [SEEN, { ...SEEN, [field]: text }, { ...SEEN, [field]: `\udc00${text}` }];
      expect(decodeRecord(encodeRecord({ at: 1, events: events.slice(1, 2), joins: [] })).events).toEqual([events[1]]);
      expect(decodeRecord(encodeRecord({ at: 1, events, joins: [] })).events).toEqual(events);
    }
  });

  it("are refused if some are missing, or more follow", () => {
    const bytes = encodeRecord(RECORD);
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodeRecord(bytes.subarray(0, length))).toThrow(SyntaxError);
    }
    const more = Uint8Array.of(...bytes, 0);
    expect(() => decodeRecord(more)).toThrow(`The event record has ${more.length} bytes instead of ${bytes.length}`);
  });

  it("may be a part of other bytes", () => {
    const bytes = encodeRecord(RECORD);
    const around = Uint8Array.of(1, 2, 3, ...bytes, 4);
    expect(decodeRecord(around.subarray(3, -1))).toEqual(RECORD);
  });
});

it("keeps a hundred kinds of events apart, also where they alternate", () => {
  const events = Array.from({ length: 300 }, (_, index) => ({
    ...NOTHING,
    id: `${index}`,
    userId: "ada",
    type: `type-${index % 100}`,
    time: index,
  }));
  expect(decodeRecord(encodeRecord({ at: 1, events, joins: [] })).events).toEqual(events);
});

it("reads the columns of version 2", () => {
  const row = [
    2,
    100,
    "1\n22\n3\n4\n5",
    ["ada", "ada", "bob", "zoë", "bob"],
    [["exposure", "x", "a"], ["buy"], ["exposure", "x", "a", 0, 1], ["see", 0, 0, "f"]],
    [0, 1, 2, 0, 3],
    [-10, 0, 1, 2, 3],
    [null, 2.5, null, null, null],
    [[1, { plan: "pro" }]],
    [
      ["ada", "u"],
      ["bob", "v", "x", -5],
    ],
  ];
  expect(decodeRecord(bytesOf(row))).toEqual(RECORD);
  const plain = [2, 100, ["1\n2", "2"], ["ada", "ada"], [["see"]], 0, [0, 0], 0];
  const events = [
    { ...SEEN, id: "1\n2" },
    { ...SEEN, id: "2" },
  ];
  expect(decodeRecord(bytesOf(plain))).toEqual({ at: 100, events, joins: [] });
  expect(decodeRecord(bytesOf([2, 100, "", [], [], 0, [], 0])).events).toEqual([]);
  const joined = bytesOf([2, 100, "", [], [], 0, [], 0, [], [["ada", "u"]]]);
  expect(withoutEvents(joined, new Set())).toEqual(
    encodeRecord({ at: 100, events: [], joins: RECORD.joins.slice(0, 1) }),
  );
});

it("reads the rows of version 1", () => {
  const rows = [
    ["1", "see", "ada", -5],
    ["2", "exposure", "ada", 0, "x", "a", 0, null, 1],
    ["3", "buy", "bob", 1, 0, 0, "f", 2.5, 0, { plan: "pro" }],
  ];
  expect(
    decodeRecord(
      bytesOf([
        1,
        100,
        rows,
        [
          ["ada", "u"],
          ["bob", "v", "x", -1],
        ],
      ]),
    ),
  ).toEqual({
    at: 100,
    events: [
      { ...NOTHING, id: "1", type: "see", userId: "ada", time: 95 },
      {
        ...NOTHING,
        id: "2",
        type: "exposure",
        userId: "ada",
        time: 100,
        experimentId: "x",
        variantKey: "a",
        forced: true,
      },
      {
        ...NOTHING,
        id: "3",
        type: "buy",
        userId: "bob",
        time: 101,
        flagKey: "f",
        value: 2.5,
        metadata: { plan: "pro" },
      },
    ],
    joins: [
      { userId: "ada", unitId: "u", experimentId: null },
      { userId: "bob", unitId: "v", experimentId: "x", time: 99 },
    ],
  });
  expect(decodeRecord(bytesOf([1, 100, [["1", "see", "ada", 0]]])).joins).toEqual([]);
});

it("refuses a version that it does not know", () => {
  expect(() => decodeRecord(bytesOf([3, 100]))).toThrow(new SyntaxError("Event record of version 3"));
  expect(() => decodeRecord(Uint8Array.of(4, 0))).toThrow(new SyntaxError("Event record of version 4"));
});
