import { createClient } from "@assay/client";
import { afterEach, expect, test, vi } from "vitest";
import type { Batch } from "./batch.ts";
import { deliver } from "./delivery.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

type Answer = { status: number; body: unknown; headers?: Record<string, string> };

/** A client that answers requests with these responses in turn, and then accepts everything. */
function clientOf(answers: Answer[], seen: number[] = []) {
  const fetch = async (request: Request) => {
    const { events } = (await request.json()) as { events: unknown[] };
    seen.push(events.length);
    const accepted = { accepted: events.length, duplicates: 0, rejected: 0, errors: [] };
    const { status, body, headers } = answers.shift() ?? { status: 201, body: accepted };
    return Response.json(body, { status, headers });
  };
  return createClient({ fetch, apiKey: "key" });
}

async function* batchesOf(...sizes: number[]): AsyncGenerator<Batch> {
  let row = 2;
  for (const size of sizes) {
    const rows = Array.from({ length: size }, () => row++);
    const events = rows.map((number) => ({ event_type: "x", user_id: `${number}`, event_id: `${number}` }));
    yield { events, rows, rowCount: size };
  }
}

test("counts rejections and warnings, and names the rows of the first rejections", async () => {
  const errors = [{ index: 1, loc: ["body", "events", 1, "value"], msg: "Too large", type: "x" }];
  const warnings = [0, 2].map((index) => ({ index, code: "EXPERIMENT_NOT_RUNNING", msg: "It is PAUSED" }));
  const client = clientOf([{ status: 201, body: { accepted: 1, duplicates: 1, rejected: 1, errors, warnings } }]);
  const tally = await deliver(client, batchesOf(3, 2), 1, () => {});
  expect(tally).toMatchObject({
    rows: 5,
    accepted: 3,
    duplicates: 1,
    rejected: 1,
    reasons: ["row 3: value: Too large"],
  });
  expect([...tally.remarks]).toEqual([["It is PAUSED", 2]]);
});

test("counts a batch without valid events as rejected, and continues", async () => {
  const detail = [{ loc: ["body", "events", 0, "user_id"], msg: "Too long", type: "x" }];
  const tally = await deliver(clientOf([{ status: 422, body: { detail } }]), batchesOf(2, 1), 1, () => {});
  expect(tally).toMatchObject({ rows: 3, accepted: 1, rejected: 2, reasons: ["row 2: user_id: Too long"] });
});

test("waits after a 429 and sends the batch again", async () => {
  const seen: number[] = [];
  const limited = { status: 429, body: { detail: "Rate limit exceeded" }, headers: { "Retry-After": "1" } };
  const waits = vi.spyOn(globalThis, "setTimeout");
  const tally = await deliver(clientOf([limited], seen), batchesOf(4), 1, () => {});
  // Up to a quarter of a second is random.
  expect(
    waits.mock.calls.filter(([, milliseconds = 0]) => milliseconds >= 1_000 && milliseconds <= 1_250),
  ).toHaveLength(1);
  expect(tally.accepted).toBe(4);
  expect(seen).toEqual([4, 4]);
});

test("limits the batches in progress, and stops at a refusal", async () => {
  let made = 0;
  async function* counted() {
    for await (const batch of batchesOf(1, 1, 1, 1, 1, 1, 1, 1)) {
      made++;
      yield batch;
    }
  }
  const client = clientOf([{ status: 403, body: { detail: "Not enough permissions" } }]);
  await expect(deliver(client, counted(), 2, () => {})).rejects.toThrow("Not enough permissions");
  expect(made).toBeLessThanOrEqual(4);
});
