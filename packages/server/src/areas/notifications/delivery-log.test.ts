import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import { createDeliveryLog, type DeliveryRecord } from "./delivery-log.ts";

const KEPT = 12_000;
/** Creates ids that increase with time, like those of the server. */
const idOf = (index: number) => `019ca8b0-${index.toString(16).padStart(4, "0")}-7000-8000-000000000000`;

let server: TestServer;
/** Number of deliveries that the store has returned. */
let read: number;

beforeEach(async () => {
  const store = memoryStore();
  const log = createDeliveryLog(store);
  for (let start = 0; start < KEPT; start += 1000) {
    const some = Array.from({ length: 1000 }, (_, index) => recordOf(start + index));
    await store.batch(log.additions(some));
  }
  const storage: Store = {
    ...store,
    async list(prefix, options) {
      const entries = await store.list(prefix, options);
      if (prefix.startsWith("notification-deliveries/")) read += entries.length;
      return entries;
    },
  };
  server = await createTestServer({ storage });
  read = 0;
});
afterEach(() => server.assay.close());

/** Creates a delivery. One in a thousand has failed. A range of a thousand belongs to another user. */
function recordOf(index: number): DeliveryRecord {
  const at = "2026-03-01T11:00:00.000Z";
  const notice = {
    event: "EXPERIMENT_STARTED" as const,
    title: `Number ${index}`,
    text: "",
    data: {},
    occurred_at: at,
  };
  return {
    id: idOf(index),
    user_id: index < 10_000 && index >= 9000 ? "other" : "somebody",
    channel: "EMAIL",
    event: notice.event,
    title: notice.title,
    recipient: "somebody@example.org",
    status: index % 1000 === 0 ? "FAILED" : "SENT",
    attempts: 1,
    error: null,
    next_attempt_at: null,
    created_at: at,
    sent_at: at,
    notice,
  };
}

const page = (query: object) => server.admin.request("GET /notifications/delivery-log", { query });

test("reads a page from the newest on, and not beyond", async () => {
  const first = await page({ limit: 50 });
  expect(first.items.map(({ title }) => title)).toEqual(
    Array.from({ length: 50 }, (_, index) => `Number ${KEPT - 1 - index}`),
  );
  expect(first).toMatchObject({ total: 1050, total_is_exact: false, skip: 0, limit: 50 });
  expect(read).toBeLessThanOrEqual(1500);
  read = 0;
  const later = await page({ skip: 3000, limit: 2 });
  expect(later.items.map(({ id }) => id)).toEqual([idOf(KEPT - 3001), idOf(KEPT - 3002)]);
  expect(read).toBeLessThanOrEqual(4500);
});

test("a filter with few matches searches only what is kept", async () => {
  const failed = await page({ status: "failed" });
  expect(failed.items.map(({ title }) => title)).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((thousand) => `Number ${thousand}000`),
  );
  expect(failed).toMatchObject({ total: 10, total_is_exact: true });
  expect(read).toBeLessThanOrEqual(10_500);
  const theirs = await page({ user_id: "other", skip: 998, limit: 5 });
  expect(theirs.items.map(({ title }) => title)).toEqual(["Number 9001", "Number 9000"]);
  expect(theirs).toMatchObject({ total: 1000, total_is_exact: true });
});

test("the job deletes the oldest deliveries beyond the maximum", async () => {
  await server.runJob("notification-retry");
  read = 0;
  const last = await page({ skip: 9999, limit: 5 });
  expect(last).toMatchObject({ total: 10_000, total_is_exact: true, items: [{ title: "Number 2000" }] });
  expect(read).toBe(10_000);
});
