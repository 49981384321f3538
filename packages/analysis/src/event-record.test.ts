import type { JsonValue } from "@assay/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRecord, encodeRecord, withoutEvents } from "./event-record.ts";

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
