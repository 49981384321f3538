import { readFileSync } from "node:fs";
import { keyOf, memoryStore, type Store, StoreRefused, toStore } from "@assay/store";
import { createStorage, type Storage } from "unstorage";
import { expect, test } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { ADMIN, createTestServer } from "../testing.fixture.ts";
import { FORMAT, MIGRATIONS, type Migration, openFormat } from "./format.ts";

const runtime = createRuntime({ logger: silentLogger });
const bytes = (text: string) => new TextEncoder().encode(text);
const put = (store: Store, key: string, text: string) => store.batch([{ type: "put", key, value: bytes(text) }]);
const read = async (store: Store, key: string) => {
  const entry = await store.get(key);
  return entry && new TextDecoder().decode(entry.value);
};

/** Reads the storage that a closed server of an earlier format left behind, from a JSON file of its items. */
async function dataSet(format: number): Promise<Storage> {
  const file = new URL(`./data-sets/format-${format}.json`, import.meta.url);
  const storage = createStorage();
  const items: Record<string, string> = JSON.parse(readFileSync(file, "utf8"));
  for (const [name, text] of Object.entries(items)) await storage.setItem(name, text);
  return storage;
}

test("reads everything that a server of format 0 wrote", async () => {
  const storage = await dataSet(0);
  const server = await createTestServer({ storage, now: () => Date.parse("2026-03-02T12:00:00.000Z") });
  const { admin } = server;
  const flag = await admin.request("GET /feature-flags/{id}", { params: { id: "checkout" } });
  expect(flag).toMatchObject({ status: "ACTIVE", rollout_percentage: 50 });
  const { items } = await admin.request("GET /rollout-schedules");
  expect(items[0]?.stages.map(({ status }) => status)).toEqual(["IN_PROGRESS", "PENDING"]);
  // 20 users in each arm; 5 bought in the control, 10 in the treatment.
  const params = { experiment_id: "price" };
  const { sample_size, metrics } = await admin.request("GET /results/{experiment_id}", { params });
  expect(sample_size).toEqual({ control: 20, treatment: 20 });
  expect(metrics[0]).toMatchObject({ control_value: 0.25, treatment_value: 0.5 });
  // 7 incremented events, 40 exposures and 15 purchases.
  const { totals } = await admin.request("GET /counters/{experiment_id}", { params });
  expect(totals).toEqual({ assignments: 40, events: 7 + 40 + 15, conversions: 15 });
  expect(await admin.request("GET /segments")).toMatchObject({ items: [{ name: "pros" }] });
  const apiKey = "asy_95bc7eaaff4bfaf595_uVt9nIP_BTDlnPtTjMRTLU_mTq2njKxC6VRoAS-Ai1o";
  const event = { event_type: "buy", user_id: "u-39", experiment_id: "price", event_id: "e-39" };
  const again = await server.connect({ apiKey }).request("POST /tracking/track", { body: event });
  // The server remembers the ids of events.
  expect(again.duplicate).toBe(true);
  const ada = server.connect({ username: "ada", password: "a-password-of-tests" });
  expect(await ada.request("GET /auth/me")).toMatchObject({ username: "ada" });
  await server.assay.close();
  const store = toStore(storage);
  expect(await read(store, keyOf("format"))).toBe(`{"format":${FORMAT}}`);
  await store.close();
});

test.each([
  [1, '[1,1772366400000,[["e-1","buy","ada",-5,0,0,0,2.5,0,{"plan":"pro"}]]]'],
  [2, '[2,1772366400000,"e-1",["ada"],[["buy"]],0,[-5],[2.5],[[0,{"plan":"pro"}]]]'],
])("reads the events of format %d", async (format, record) => {
  const store: Store = { ...memoryStore(), close: async () => {} };
  await put(store, keyOf("format"), `{"format":${format}}`);
  await store.batch([{ type: "append", journal: "events", records: [bytes(record)] }]);
  const { admin, assay } = await createTestServer({ storage: store });
  const params = { user_id: "ada" };
  expect((await admin.request("GET /tracking/users/{user_id}", { params })).events).toMatchObject([
    {
      event_id: "e-1",
      event_type: "buy",
      value: 2.5,
      event_metadata: { plan: "pro" },
      timestamp: "2026-03-01T11:59:59.995Z",
    },
  ]);
  await assay.close();
});

test("a new store has the newest format, and there is a migration from each earlier one", async () => {
  const store: Store = { ...memoryStore(), close: async () => {} };
  const { assay } = await createTestServer({ storage: store });
  expect(await read(store, keyOf("format"))).toBe(`{"format":${FORMAT}}`);
  expect(MIGRATIONS).toHaveLength(FORMAT);
  await assay.close();
});

test("refuses data of a later version, changes nothing, and says what to do", async () => {
  const store: Store = { ...memoryStore(), close: async () => {} };
  await put(store, keyOf("format"), `{"format":${FORMAT + 1}}`);
  await put(store, keyOf("feature-flags", "doc", "x"), "a record that this version cannot read");
  const starting = createTestServer({ storage: store, admin: ADMIN });
  await expect(starting).rejects.toThrow(StoreRefused);
  await expect(starting).rejects.toThrow(
    `it has format ${FORMAT + 1}, and this version reads formats up to ${FORMAT}. Start the later version again, or restore a backup`,
  );
  expect((await store.list("")).map(({ key }) => key)).toEqual(["feature-flags/doc/x", "format"]);
});

test("migrations run in order; one that fails runs again, and those before it do not", async () => {
  const store = memoryStore();
  let fails = true;
  const migrations: Migration[] = [
    async (inner) => void (await inner.increment("first", 1)),
    async (inner) => {
      await inner.increment("second", 1);
      if (fails) throw new Error("Killed");
    },
  ];
  await expect(openFormat(store, runtime, migrations)).rejects.toThrow("Killed");
  expect(await read(store, "format")).toBe('{"format":1}');
  fails = false;
  await openFormat(store, runtime, migrations);
  const found = await Promise.all(["first", "second", "format"].map((key) => read(store, key)));
  expect(found).toEqual(["1", "2", '{"format":2}']);
});

test("of several nodes that start at once, one migrates", async () => {
  const store = memoryStore();
  const migrations: Migration[] = [
    async (inner) => {
      await inner.increment("runs", 1);
      await new Promise((resolve) => setTimeout(resolve, 50));
    },
  ];
  await Promise.all([1, 2, 3].map(() => openFormat(store, runtime, migrations)));
  expect(await read(store, "runs")).toBe("1");
});
