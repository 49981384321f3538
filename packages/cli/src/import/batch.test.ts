import { expect, test } from "vitest";
import { toBatches } from "./batch.ts";

async function batchesOf(rows: number[], maxEvents: number, maxBytes: number) {
  async function* source() {
    for (const [index, size] of rows.entries()) {
      yield { number: index + 2, events: Array.from({ length: size }, () => ({ event_type: "x", user_id: "u" })) };
    }
  }
  const batches = [];
  for await (const { rows, rowCount } of toBatches(source(), maxEvents, maxBytes)) batches.push({ rows, rowCount });
  return batches;
}

test("fills batches with whole rows, up to a number of events", async () => {
  expect(await batchesOf([2, 2, 2, 1], 5, 10_000)).toEqual([
    { rows: [2, 2, 3, 3], rowCount: 2 },
    { rows: [4, 4, 5], rowCount: 2 },
  ]);
});

test("keeps batches below a number of bytes, and sends a larger row alone", async () => {
  const batches = await batchesOf([1, 1, 9, 1], 5000, 120);
  expect(batches.map(({ rowCount }) => rowCount)).toEqual([2, 1, 1]);
});

test("makes no batch without rows", async () => {
  expect(await batchesOf([], 5, 100)).toEqual([]);
});
