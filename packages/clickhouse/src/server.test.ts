import { createClient as createAssayClient } from "@assay/client";
import { createAssay } from "@assay/server";
import { memoryStore } from "@assay/store";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { hasClickHouse, startClickHouse } from "../../server/src/areas/warehouse/clickhouse.fixture.ts";
import { clickhouseEvents } from "./clickhouse-events.ts";
import { startProxy } from "./proxy.fixture.ts";
import { expectSame } from "./same.fixture.ts";

const ADMIN = { username: "admin", password: "correct horse battery" };
const ORIGIN = "http://assay.test";
const METRICS = [
  { name: "Bought", event_type: "purchase", kind: "CONVERSION", role: "PRIMARY" },
  { name: "Revenue", event_type: "purchase", kind: "MEAN" },
] as const;
const PATIENCE = { timeout: 20_000, interval: 50 };
const silent = { info() {}, warn() {}, error() {} };

type ClickHouse = Awaited<ReturnType<typeof startClickHouse>>;
type Proxy = Awaited<ReturnType<typeof startProxy>>;
type Options = NonNullable<Parameters<typeof createAssay>[0]>;

/** Starts a server on a store, with clients. */
async function start(options: Options) {
  const lines: string[] = [];
  const logger = {
    ...silent,
    error: (message: string, fields?: object) => lines.push(message + JSON.stringify(fields)),
  };
  const assay = createAssay({ admin: ADMIN, passwordCost: 16, rateLimit: false, jobs: false, logger, ...options });
  await assay.ready;
  const fetch: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
  const admin = createAssayClient({ baseUrl: ORIGIN, fetch, retries: 0, ...ADMIN });
  const key = await admin.request("POST /api-keys", { body: { name: "test", scopes: ["write"] } });
  const writer = createAssayClient({ baseUrl: ORIGIN, fetch, retries: 0, apiKey: key.key! });
  return {
    assay,
    admin,
    lines,
    track: (events: object[]) => writer.request("POST /tracking/events", { body: { events } as never }),
    identify: (anonymous_id: string, user_id: string) =>
      writer.request("POST /tracking/identify", { body: { anonymous_id, user_id } }),
    create: (key: string) =>
      admin.request("POST /experiments/", {
        body: { key, name: key, status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }], metrics: [...METRICS] },
      }),
    results: (experiment_id: string) => admin.request("GET /results/{experiment_id}", { params: { experiment_id } }),
    async ready() {
      const response = await assay.fetch(new Request(`${ORIGIN}/readyz`));
      return { status: response.status, body: (await response.json()) as { events?: Record<string, unknown> } };
    },
  };
}

/** Events of users of an experiment, numbered. */
function eventsOf(experiment: string, from: number, to: number): object[] {
  return Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    const user_id = `user-${number}`;
    const exposure = { event_id: `x${experiment}${number}`, event_type: "exposure", experiment_id: experiment };
    const bought = { event_id: `p${experiment}${number}`, event_type: "purchase", user_id, value: (number * 37) % 90 };
    return [{ ...exposure, variant_id: number % 2 === 0 ? "a" : "b", user_id }, ...(number % 3 === 0 ? [bought] : [])];
  }).flat();
}

describe.runIf(hasClickHouse)("a server with events in ClickHouse", () => {
  let clickhouse: ClickHouse;
  let proxy: Proxy;
  beforeAll(async () => {
    clickhouse = await startClickHouse();
    proxy = await startProxy(clickhouse.connection.port);
  });
  afterAll(async () => {
    await proxy.stop();
    await clickhouse.stop();
  });
  /** The engine, behind the proxy; every server closes its own client. */
  const engine = (url = proxy.url) =>
    clickhouseEvents({
      client: createClient({
        url,
        username: "reader",
        password: "hunter2",
        request_timeout: 5000,
        log: { level: ClickHouseLogLevel.OFF },
      }),
    });

  test("answers as a server without, with duplicates, joined and erased people", async () => {
    const storage = { ...memoryStore(), close: async () => {} };
    const copied = await start({ storage, events: engine() });
    await copied.create("checkout");
    await copied.track(eventsOf("checkout", 0, 200));
    await copied.track(eventsOf("checkout", 150, 260));
    await copied.identify("user-3", "user-6");
    await copied.identify("user-9", "user-500");
    const own = await start({ storage });
    const expectEqual = async () => {
      const { computed_at: _, ...theirs } = await copied.results("checkout");
      const { computed_at: __, ...ours } = await own.results("checkout");
      expectSame(theirs, ours, "results");
      expect(theirs).not.toHaveProperty("complete_until");
      return theirs.sample_size.control + theirs.sample_size.treatment;
    };
    expect(await expectEqual()).toBe(259);
    const params = { user_id: "user-12" };
    const erasure = await copied.admin.request("DELETE /tracking/users/{user_id}", { params });
    expect(erasure.erased_events).toBe(2);
    expect(await expectEqual()).toBe(258);
    const metrics = (await copied.ready()).body.events;
    expect(metrics).toMatchObject({ engine: "ClickHouse", behind: 0, reason: null });
    expect(metrics!.complete_until).toMatch(/^20/);
    const found = await clickhouse.client.query({
      query: "SELECT count() AS n FROM assay_events WHERE user_id = 'user-12'",
      format: "JSONEachRow",
    });
    expect(await found.json()).toEqual([{ n: 0 }]);
    await own.assay.close();
    await copied.assay.close();
  });

  test("takes events while ClickHouse is away, answers what it knows, and catches up by itself", async () => {
    const server = await start({ events: engine() });
    await server.create("known");
    await server.create("unknown");
    await server.track(eventsOf("known", 0, 100));
    const before = await server.results("known");
    proxy.decide(() => "DOWN");
    expect(await server.track(eventsOf("known", 100, 140))).toMatchObject({ accepted: 53 });
    const during = await server.results("known");
    expect(during.sample_size).toEqual(before.sample_size);
    expect(during.complete_until).toMatch(/^20/);
    expect(during.analysis_warnings).toContain("EVENTS_DELAYED");
    await expect(server.results("unknown")).rejects.toMatchObject({ status: 503 });
    const { status, body } = await server.ready();
    expect(status).toBe(200);
    expect(body.events).toMatchObject({ reason: expect.stringContaining("ClickHouse does not answer") });
    expect(body.events!.behind).toBeGreaterThan(0);
    proxy.decide(() => "PASS");
    await vi.waitFor(
      async () => expect((await server.ready()).body.events).toMatchObject({ behind: 0, reason: null }),
      PATIENCE,
    );
    const after = await server.results("known");
    expect(after.sample_size).toEqual({ control: 70, treatment: 70 });
    expect(after).not.toHaveProperty("complete_until");
    expect(after.analysis_warnings).not.toContain("EVENTS_DELAYED");
    await server.assay.close();
  });

  test("starts while ClickHouse is away, says so, and logs no secret", async () => {
    const server = await start({ events: engine("http://127.0.0.1:9") });
    await server.create("early");
    expect(await server.track(eventsOf("early", 0, 4))).toMatchObject({ accepted: 6 });
    await expect(server.results("early")).rejects.toMatchObject({ status: 503 });
    expect((await server.ready()).body.events).toMatchObject({
      behind: null,
      reason: "ClickHouse does not answer (ECONNREFUSED)",
    });
    expect(server.lines.join("\n")).toContain("ClickHouse is not available; results wait for it");
    expect(server.lines.join("\n")).not.toContain("hunter2");
    await server.assay.close();
  });

  test("counts every event once, though answers of inserts are lost", async () => {
    const server = await start({ events: engine() });
    await server.create("lossy");
    let inserts = 0;
    proxy.decide((sql) => (sql.startsWith("INSERT") && ++inserts % 3 !== 0 ? "LOST" : "PASS"));
    await server.track(eventsOf("lossy", 0, 60));
    await vi.waitFor(async () => expect((await server.ready()).body.events).toMatchObject({ behind: 0 }), PATIENCE);
    proxy.decide(() => "PASS");
    expect(inserts).toBeGreaterThan(2);
    const { sample_size, metrics } = await server.results("lossy");
    expect(sample_size).toEqual({ control: 30, treatment: 30 });
    expect(metrics.find(({ name }) => name === "Bought")).toMatchObject({
      control_value: 10 / 30,
      treatment_value: 10 / 30,
    });
    await server.assay.close();
  });

  test("copies the events again if the store was restored from a backup", async () => {
    const storage = memoryStore();
    const keeper = { ...storage, close: async () => {} };
    const first = await start({ storage: keeper, events: engine() });
    await first.create("restored");
    for (let part = 0; part < 5; part++) await first.track(eventsOf("restored", part * 10, part * 10 + 10));
    expect((await first.results("restored")).sample_size).toEqual({ control: 25, treatment: 25 });
    await first.assay.close();
    // Of the backup only the first records of the journal were written.
    const early: typeof storage = {
      ...keeper,
      head: async (journal) => (journal === "events" ? 2 : storage.head(journal)),
      read: async (journal, after, limit) =>
        (await storage.read(journal, after, limit)).filter(({ position }) => journal !== "events" || position <= 2),
    };
    const second = await start({ storage: early, events: engine() });
    expect((await second.results("restored")).sample_size).toEqual({ control: 10, treatment: 10 });
    await second.assay.close();
  });

  test("copies compacted events and then those of the journal", async () => {
    const storage = memoryStore();
    const keeper = { ...storage, close: async () => {} };
    const own = await start({ storage: keeper });
    await own.create("long");
    for (let from = 0; from < 100_000; from += 2000) await own.track(eventsOf("long", from, from + 2000));
    await vi.waitFor(
      async () => expect((await storage.list("event-segments/", { limit: 1 })).length).toBe(1),
      PATIENCE,
    );
    await own.track(eventsOf("long", 100_000, 100_500));
    const { computed_at: _, ...ours } = await own.results("long");
    const copied = await start({ storage: keeper, events: engine() });
    const { computed_at: __, ...theirs } = await copied.results("long");
    expectSame(theirs, ours, "results");
    await own.assay.close();
    await copied.assay.close();
  }, 180_000);

  test("compacts what is copied, and copies it again once the tables are empty", async () => {
    const storage = memoryStore();
    const keeper = { ...storage, close: async () => {} };
    const copied = await start({ storage: keeper, events: engine() });
    await copied.create("compacted");
    for (let from = 0; from < 100_000; from += 2000) await copied.track(eventsOf("compacted", from, from + 2000));
    const before = await copied.results("compacted");
    const chunks = () => storage.list("event-segments/", { limit: 2 });
    await vi.waitFor(async () => expect(await chunks()).toHaveLength(1), PATIENCE);
    const [first] = await storage.read("events", 0, 1);
    expect(first?.position ?? (await storage.head("events")) + 1).toBeGreaterThan(1);
    await copied.assay.close();
    await clickhouse.client.command({ query: "TRUNCATE TABLE assay_events" });
    const again = await start({ storage: keeper, events: engine() });
    const { computed_at: _, ...ours } = before;
    const { computed_at: __, ...theirs } = await again.results("compacted");
    expectSame(theirs, ours, "results");
    expect(theirs.sample_size).toEqual({ control: 50_000, treatment: 50_000 });
    await again.assay.close();
  }, 180_000);
});
