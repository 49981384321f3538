import fc from "fast-check";
import { expect, test } from "vitest";
import { createInlineAnalyst } from "./analyst.ts";
import { encodeRecord } from "./event-record.ts";
import { createRecordDecoder } from "./record-decoder.ts";
import { event, exposure, journals } from "./records.fixture.ts";

/** Cuts a log into chunks of about as many rows, and decodes them. */
async function throughChunks(records: Parameters<typeof encodeRecord>[0][], rows: number) {
  const analyst = createInlineAnalyst();
  const encoded = records.map((record, index) => ({ position: index + 1, record: encodeRecord(record) }));
  await analyst.ask("load", [], encoded);
  const decoder = createRecordDecoder();
  const decoded = [];
  for (let after = 0; ; ) {
    const cut = await analyst.ask("cut", after, rows);
    if (!cut) return decoded;
    decoded.push(...decoder.records(cut.chunk, cut.details));
    after = cut.through;
  }
}

test("the records of chunks are those of the journal, but for the ids of events", async () => {
  await fc.assert(
    fc.asyncProperty(journals, fc.integer({ min: 1, max: 30 }), async (records, rows) => {
      const decoded = await throughChunks(records, rows);
      const expected = records.slice(0, decoded.length).map((record, index) => ({
        position: index + 1,
        // A chunk has the time of a join, which is that of its receipt if there was none.
        record: { ...record, joins: record.joins.map((join) => ({ time: record.at, ...join })) },
      }));
      expect(decoded).toEqual(expected);
    }),
  );
});

test("metadata, flags, forced arms and the unit of a join are kept", async () => {
  const metadata = { country: "de", nested: { a: [1] } };
  const events = [
    exposure("ada", "t", 5, { metadata, flagKey: "button", forced: true }),
    event({ userId: "bob", value: -0.5, experimentId: "x" }),
  ];
  const joins = [{ userId: "ada", unitId: "company=acme", experimentId: "x", time: 7 }];
  expect(await throughChunks([{ at: 9, events, joins }], 1)).toEqual([
    { position: 1, record: { at: 9, events, joins } },
  ]);
});
