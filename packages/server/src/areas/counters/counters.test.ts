import { memoryStore, type Store, toStore } from "@assay/store";
import { createStorage } from "unstorage";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

const params = { experiment_id: "x" };
const experiment = (changes: object = {}) => ({
  key: "x",
  name: "X",
  status: "ACTIVE",
  variants: [{ key: "a" }, { key: "b" }],
  ...changes,
});

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
  await server.admin.request("POST /experiments/", { body: experiment() as never });
});
afterEach(() => server.assay.close());

const get = (client = server.admin) => client.request("GET /counters/{experiment_id}", { params });
const increment = (body: object, client = server.admin) =>
  client.request("POST /counters/{experiment_id}/increment", { params, body: body as never });
const bulk = (increments: object[], client = server.admin) =>
  client.request("POST /counters/{experiment_id}/bulk", { params, body: { increments } as never });
const none = { assignments: 0, events: 0, conversions: 0 };

describe("counting", () => {
  test("starts at 0 and adds up, by variant id or key and counter in either case", async () => {
    const empty = await get();
    expect(empty).toMatchObject({ totals: none, updated_at: null });
    expect(empty.variants).toEqual(["a", "b"].map((key) => ({ variant_id: key, variant_key: key, ...none })));
    await increment({ variant_id: "a", counter: "events" });
    server.advance(1000);
    const answer = await increment({ variant_id: "b", counter: "CONVERSIONS", amount: 1000 });
    expect(answer).toEqual({
      experiment_id: empty.experiment_id,
      totals: { assignments: 0, events: 1, conversions: 1000 },
      variants: [
        { variant_id: "a", variant_key: "a", assignments: 0, events: 1, conversions: 0 },
        { variant_id: "b", variant_key: "b", assignments: 0, events: 0, conversions: 1000 },
      ],
      updated_at: "2026-03-01T12:00:01.000Z",
    });
    expect(await get()).toEqual(answer);
  });

  test("counts a repeated request with an Idempotency-Key once", async () => {
    const { key } = await server.withKey(["write"]);
    const headers = { "x-api-key": key, "idempotency-key": "one" };
    const body = { variant_id: "a", counter: "events", amount: 5 };
    const first = await server.send("POST", "/counters/x/increment", { headers, body });
    const again = await server.send("POST", "/counters/x/increment", { headers, body });
    expect([first.status, again.status, again.text]).toEqual([200, 200, first.text]);
    expect((await get()).totals.events).toBe(5);
    const other = await server.send("POST", "/counters/x/increment", { headers, body: { ...body, amount: 6 } });
    expect(other.status).toBe(422);
  });

  test("counts all or nothing in bulk, also with the same counter more than once", async () => {
    const answer = await bulk([
      { variant_id: "a", counter: "events", amount: 2 },
      { variant_id: "a", counter: "events", amount: 3 },
      { variant_id: "b", counter: "assignments" },
    ]);
    expect(answer.totals).toEqual({ assignments: 1, events: 5, conversions: 0 });
    const refused = await refusal(
      bulk([
        { variant_id: "a", counter: "events" },
        { variant_id: "c", counter: "events" },
      ]),
    );
    expect(refused).toMatchObject({
      status: 422,
      issues: [
        {
          loc: ["body", "increments", 1, "variant_id"],
          msg: 'The experiment has no variant "c"',
          type: "unknown_variant",
        },
      ],
    });
    expect((await get()).totals.events).toBe(5);
  });

  test.each([
    [{ variant_id: "c", counter: "events" }, "variant_id"],
    [{ variant_id: "a", counter: "clicks" }, "counter"],
    [{ variant_id: "a" }, "counter"],
    [{ counter: "events" }, "variant_id"],
    [{ variant_id: "a", counter: "events", amount: 0 }, "amount"],
    [{ variant_id: "a", counter: "events", amount: 1001 }, "amount"],
    [{ variant_id: "a", counter: "events", amount: 1.5 }, "amount"],
    [{ variant_id: "a", counter: "events", amount: -1 }, "amount"],
  ])("rejects %j", async (body, field) => {
    const { status, issues } = await refusal(increment(body));
    expect([status, (issues as { loc: unknown }[])[0]!.loc]).toEqual([422, ["body", field]]);
    expect((await get()).totals).toEqual(none);
  });

  test("accepts 1 to 100 increments at a time", async () => {
    const one = { variant_id: "a", counter: "events" };
    expect((await refusal(bulk([]))).status).toBe(422);
    expect((await refusal(bulk(Array(101).fill(one)))).status).toBe(422);
    expect((await bulk(Array(100).fill(one))).totals.events).toBe(100);
  });
});

describe("tracking", () => {
  const send = (events: object[], client = server.admin) =>
    client.request("POST /tracking/events", { body: { events } as never });
  const exposure = (user_id: string, variant_id: string, changes: object = {}) => ({
    ...{ event_type: "exposure", user_id, experiment_id: "x", variant_id },
    ...changes,
  });
  let tracker: Awaited<ReturnType<TestServer["withKey"]>>;
  beforeEach(async () => {
    tracker = await server.withKey(["read", "write"]);
  });

  test("raises counters: a user, their events, and their outcomes as conversions", async () => {
    const { variant_key } = await tracker.request("POST /tracking/assign", {
      body: { experiment_key: "x", user_id: "u" },
    });
    server.advance(1000);
    await tracker.request("POST /tracking/track", { body: { event_type: "purchase", user_id: "u", value: 3 } });
    const own = { assignments: 1, events: 2, conversions: 1 };
    const { totals, variants, updated_at } = await get();
    expect(totals).toEqual(own);
    expect(variants.find((one) => one.variant_key === variant_key)).toMatchObject(own);
    expect(variants.find((one) => one.variant_key !== variant_key)).toMatchObject(none);
    expect(updated_at).toBe("2026-03-01T12:00:01.000Z");
  });

  test("adds to what was incremented", async () => {
    await send([exposure("u", "a"), exposure("v", "b")], tracker);
    server.advance(1000);
    const answer = await increment({ variant_id: "a", counter: "assignments", amount: 5 });
    expect(answer.totals).toEqual({ assignments: 7, events: 2, conversions: 0 });
    expect(answer.variants.map(({ assignments }) => assignments)).toEqual([6, 1]);
    expect(answer.updated_at).toBe("2026-03-01T12:00:01.000Z");
    expect(await get()).toEqual(answer);
  });

  test("counts a user, and an event sent again, once, and late events too", async () => {
    const events = [exposure("u", "a", { event_id: "1" }), { event_type: "buy", user_id: "u", event_id: "2" }];
    await send(events, tracker);
    await send(events, tracker);
    await tracker.request("POST /tracking/track", { body: events[1] as never });
    expect((await get()).totals).toEqual({ assignments: 1, events: 2, conversions: 1 });
    // Received before its exposure, but it happened after it.
    await send([{ event_type: "buy", user_id: "v" }], tracker);
    expect((await get()).totals).toEqual({ assignments: 1, events: 2, conversions: 1 });
    await send([exposure("v", "b", { timestamp: "2026-03-01T11:00:00Z" })], tracker);
    expect((await get()).totals).toEqual({ assignments: 2, events: 4, conversions: 2 });
  });

  test("counts the users that results have, without those seen in two arms", async () => {
    await send([exposure("u", "a"), exposure("v", "b"), exposure("w", "a"), exposure("w", "b")], tracker);
    const { sample_size, crossover } = await server.admin.request("GET /results/{experiment_id}", { params });
    const { totals, variants } = await get();
    expect([crossover, totals.assignments, totals.events]).toEqual([1, 2, 2]);
    expect(variants.map(({ assignments }) => assignments)).toEqual([sample_size.control, sample_size.treatment]);
  });

  test("counts as conversions the events of the experiment's metrics", async () => {
    const metrics = [{ name: "Bought", event_type: "buy", kind: "CONVERSION" }];
    await server.admin.request("PUT /experiments/{experiment_id}", { params, body: { metrics } as never });
    await send(
      [exposure("u", "a"), { event_type: "buy", user_id: "u" }, { event_type: "look", user_id: "u" }],
      tracker,
    );
    expect((await get()).totals).toEqual({ assignments: 1, events: 3, conversions: 1 });
  });

  test("counts control as its own arm, wherever it is in the list", async () => {
    const variants = [{ key: "a" }, { key: "b", is_control: true }];
    await server.admin.request("POST /experiments/", { body: experiment({ key: "y", variants }) as never });
    await send([exposure("u", "b", { experiment_id: "y" })], tracker);
    const answer = await server.admin.request("GET /counters/{experiment_id}", { params: { experiment_id: "y" } });
    expect(answer.variants.map(({ variant_key, assignments }) => [variant_key, assignments])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
  });

  test("forgets an erased user, as results do", async () => {
    await send([exposure("u", "a"), exposure("v", "a")], tracker);
    await server.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "u" } });
    expect((await get()).totals).toEqual({ assignments: 1, events: 1, conversions: 0 });
  });

  test("counts from 0 after a reset; results keep everything", async () => {
    await send([exposure("u", "a"), { event_type: "buy", user_id: "u" }], tracker);
    await server.admin.request("DELETE /counters/{experiment_id}", { params });
    expect(await get()).toMatchObject({ totals: none, updated_at: null });
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "counters.reset" } });
    expect(items[0]?.old_value).toEqual({ counters: { assignments: 1, events: 2, conversions: 1 } });
    await send([exposure("u", "a"), exposure("v", "b"), { event_type: "buy", user_id: "u" }], tracker);
    expect((await get()).totals).toEqual({ assignments: 1, events: 3, conversions: 1 });
    await server.admin.request("DELETE /counters/{experiment_id}", { params });
    expect((await get()).totals).toEqual(none);
    const results = await server.admin.request("GET /results/{experiment_id}", { params });
    expect(results.sample_size).toEqual({ control: 1, treatment: 1 });
  });

  test("a reset survives an erasure and a restart", async () => {
    const store = memoryStore();
    const kept = { ...store, close: async () => {} };
    const before = await createTestServer({ storage: kept });
    await before.admin.request("POST /experiments/", { body: experiment() as never });
    const key = await before.withKey(["write"]);
    await send([exposure("u", "a"), exposure("v", "a")], key);
    await before.admin.request("DELETE /counters/{experiment_id}", { params });
    await send([exposure("w", "b")], key);
    await before.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "u" } });
    await before.assay.close();
    const after = await createTestServer({ storage: kept });
    expect((await get(after.admin)).totals).toEqual({ assignments: 1, events: 1, conversions: 0 });
    await after.assay.close();
    await store.close();
  });
});

describe("rights", () => {
  test("DEVELOPERs and keys with write count; VIEWERs read, except DRAFTs", async () => {
    const [viewer, analyst, developer] = [
      await server.as("VIEWER"),
      await server.as("ANALYST"),
      await server.as("DEVELOPER"),
    ];
    const one = { variant_id: "a", counter: "events" };
    for (const client of [viewer, analyst]) {
      expect((await refusal(increment(one, client))).status).toBe(403);
      expect((await refusal(bulk([one], client))).status).toBe(403);
    }
    const [writer, reader] = [await server.withKey(["write"]), await server.withKey(["read"])];
    await increment(one, developer);
    await increment(one, writer);
    expect((await refusal(increment(one, reader))).status).toBe(403);
    expect((await refusal(get(writer))).status).toBe(403);
    for (const client of [viewer, analyst, reader]) expect((await get(client)).totals.events).toBe(2);
    await server.admin.request("POST /experiments/", { body: experiment({ key: "y", status: "DRAFT" }) as never });
    const draft = { params: { experiment_id: "y" } };
    expect((await refusal(viewer.request("GET /counters/{experiment_id}", draft))).status).toBe(404);
    expect((await analyst.request("GET /counters/{experiment_id}", draft)).totals).toEqual(none);
  });

  test("only an ADMIN resets counters, and the audit trail keeps the old values", async () => {
    await bulk([
      { variant_id: "a", counter: "events", amount: 7 },
      { variant_id: "b", counter: "conversions", amount: 2 },
    ]);
    const developer = await server.as("DEVELOPER");
    expect((await refusal(developer.request("DELETE /counters/{experiment_id}", { params }))).status).toBe(403);
    await server.admin.request("DELETE /counters/{experiment_id}", { params });
    expect(await get()).toMatchObject({ totals: none, updated_at: null });
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "counters.reset" } });
    expect(items).toMatchObject([
      {
        resource_type: "experiment",
        resource_name: "x",
        old_value: { counters: { assignments: 0, events: 7, conversions: 2 } },
      },
    ]);
    expect((await increment({ variant_id: "a", counter: "events" })).totals.events).toBe(1);
  });
});

describe("what is stored", () => {
  const stores: [string, () => Store][] = [
    ["memory", memoryStore],
    ["an unstorage driver", () => toStore(createStorage())],
  ];

  test.each(stores)("over %s, simultaneous counts all add up, single and in bulk", async (_, create) => {
    const crowded = await createTestServer({ storage: create() });
    await crowded.admin.request("POST /experiments/", { body: experiment() as never });
    const one = { variant_id: "a", counter: "events" } as const;
    const two = { variant_id: "b", counter: "assignments", amount: 3 } as const;
    const path = "POST /counters/{experiment_id}/increment";
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        index % 4 === 0
          ? crowded.admin.request("POST /counters/{experiment_id}/bulk", { params, body: { increments: [one, two] } })
          : crowded.admin.request(path, { params, body: index % 2 ? one : two }),
      ),
    );
    const { totals } = await crowded.admin.request("GET /counters/{experiment_id}", { params });
    expect(totals).toEqual({ assignments: 3 * 20, events: 30, conversions: 0 });
    await crowded.assay.close();
  });

  test("counts survive a restart, and are deleted with a DRAFT", async () => {
    const store = memoryStore();
    const kept = { ...store, close: async () => {} };
    const before = await createTestServer({ storage: kept });
    const { id } = await before.admin.request("POST /experiments/", { body: experiment({ status: "DRAFT" }) as never });
    await before.admin.request("POST /counters/{experiment_id}/increment", {
      params,
      body: { variant_id: "a", counter: "events", amount: 4 },
    });
    await before.assay.close();
    const after = await createTestServer({ storage: kept });
    expect((await after.admin.request("GET /counters/{experiment_id}", { params })).totals.events).toBe(4);
    await after.admin.request("DELETE /experiments/{experiment_id}", { params });
    await expect.poll(async () => (await store.list(`counters/${id}/`)).length).toBe(0);
    await after.assay.close();
    await store.close();
  });

  test("a new experiment does not inherit the counts of a deleted one with the same key", async () => {
    await server.admin.request("POST /experiments/", { body: experiment({ key: "y", status: "DRAFT" }) as never });
    const y = { params: { experiment_id: "y" } };
    await server.admin.request("POST /counters/{experiment_id}/increment", {
      ...y,
      body: { variant_id: "a", counter: "events" },
    });
    await server.admin.request("DELETE /experiments/{experiment_id}", y);
    await server.admin.request("POST /experiments/", { body: experiment({ key: "y" }) as never });
    expect((await server.admin.request("GET /counters/{experiment_id}", y)).totals).toEqual(none);
  });
});
