import type { JsonValue } from "@assay/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import {
  decodeRecord,
  type EventRecord,
  encodeRecord,
  type Join,
  type StoredEvent,
  withoutEvents,
} from "./event-record.ts";

type JsonObject = Record<string, JsonValue>;

const text = fc.string({ minLength: 1, unit: "binary" });
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
const rowOf = (one: EventRecord) => JSON.parse(new TextDecoder().decode(encodeRecord(one)));

it("stores columns, with what events share once and times relative to the receipt", () => {
  const shown = { ...NOTHING, type: "exposure", experimentId: "x", variantKey: "a" };
  const events: StoredEvent[] = [
    { ...shown, id: "1", userId: "ada", time: 90 },
    { ...NOTHING, id: "2", userId: "ada", type: "buy", time: 100, value: 2.5, metadata: { plan: "pro" } },
    { ...shown, id: "3", userId: "bob", time: 101, forced: true },
    { ...shown, id: "4", userId: "bob", time: 102 },
    { ...NOTHING, id: "5", userId: "bob", type: "see", time: 103, flagKey: "f" },
  ];
  const joins: Join[] = [
    { userId: "ada", unitId: "u", experimentId: null },
    { userId: "bob", unitId: "v", experimentId: "x", time: 95 },
  ];
  expect(rowOf({ at: 100, events, joins })).toEqual([
    2,
    100,
    "1\n2\n3\n4\n5",
    ["ada", "ada", "bob", "bob", "bob"],
    [["exposure", "x", "a"], ["buy"], ["exposure", "x", "a", 0, 1], ["see", 0, 0, "f"]],
    [0, 1, 2, 0, 3],
    [-10, 0, 1, 2, 3],
    [null, 2.5, null, null, null],
    [[1, { plan: "pro" }]],
    [
      ["ada", "u"],
      ["bob", "v", "x", -5],
    ],
  ]);
});

it("leaves out the columns that say nothing", () => {
  const seen = { ...NOTHING, id: "1", userId: "ada", type: "see", time: 100 };
  expect(rowOf({ at: 100, events: [seen, { ...seen, id: "2" }], joins: [] })).toEqual([
    2,
    100,
    "1\n2",
    ["ada", "ada"],
    [["see"]],
    0,
    [0, 0],
    0,
  ]);
});

it("keeps ids with line feeds apart", () => {
  const events = ["1\n2", "3"].map((id) => ({ ...NOTHING, id, userId: "ada", type: "see", time: 1 }));
  expect(rowOf({ at: 1, events, joins: [] })[2]).toEqual(["1\n2", "3"]);
  expect(decodeRecord(encodeRecord({ at: 1, events, joins: [] })).events).toEqual(events);
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
});
