import type { JsonValue } from "@assay/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeRecord, encodeRecord } from "./event-record.ts";

type JsonObject = Record<string, JsonValue>;

const text = fc.string({ minLength: 1, unit: "binary" });
const nullable = fc.option(text);

it("reads back every record it writes", () => {
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
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4e12 }), fc.array(events), fc.array(joins), (at, some, joined) => {
      const record = { at, events: some, joins: joined };
      expect(decodeRecord(encodeRecord(record))).toEqual(record);
    }),
  );
});
