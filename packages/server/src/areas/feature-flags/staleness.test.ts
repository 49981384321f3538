import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";

const DAY = 24 * 3600 * 1000;

let storage: Store;
let server: TestServer;
beforeEach(async () => {
  storage = { ...memoryStore(), close: async () => {} };
  server = await createTestServer({ storage });
});
afterEach(() => server.assay.close());

const create = (key: string, body: object = {}) =>
  server.admin.request("POST /feature-flags/", { body: { key, name: "A flag", status: "ACTIVE", ...body } as never });
const get = (id: string) => server.admin.request("GET /feature-flags/{id}", { params: { id } });
const list = (query: object = {}) => server.admin.request("GET /feature-flags/", { query });
const reasons = async (id: string) => (await get(id)).stale_reasons;
const evaluate = async (key: string) =>
  (await server.withKey(["read"])).request("POST /feature-flags/{key}/evaluate", {
    params: { key },
    body: { user_id: "u" },
  });

describe("the last evaluation", () => {
  test("is recorded at once, and later ones every minute", async () => {
    await create("a");
    expect((await get("a")).last_evaluated_at).toBeNull();
    await evaluate("a");
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
    server.advance(59_000);
    await evaluate("a");
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
    server.advance(1000);
    await evaluate("a");
    expect((await list())[0]!.last_evaluated_at).toBe("2026-03-01T12:01:00.000Z");
  });

  test("survives a restart, and is deleted with its flag", async () => {
    await create("a");
    await evaluate("a");
    await server.assay.close();
    server = await createTestServer({ storage });
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "a" } });
    await create("a");
    expect((await get("a")).last_evaluated_at).toBeNull();
    await server.assay.close();
    server = await createTestServer({ storage });
    expect((await get("a")).last_evaluated_at).toBeNull();
  });

  const ways: [string, (client: Awaited<ReturnType<TestServer["withKey"]>>) => Promise<unknown>][] = [
    [
      "an OpenFeature question",
      (client) => client.request("POST /openfeature/evaluate", { body: { flagKey: "a", userId: "u" } }),
    ],
    [
      "several OpenFeature questions",
      (client) => client.request("POST /openfeature/bulk-evaluate", { body: [{ flagKey: "a", userId: "u" }] }),
    ],
    [
      "OFREP",
      (client) =>
        server.send("POST", "/ofrep/v1/evaluate/flags/a", {
          headers: { "x-api-key": client.key },
          body: { context: { targetingKey: "u" } },
        }),
    ],
    ["the engine in this process", async () => server.assay.engine.evaluate("a", { targetingKey: "u" }, false)],
    [
      "an event that names the flag",
      (client) =>
        client.request("POST /tracking/track", { body: { event_type: "buy", user_id: "u", feature_flag_key: "a" } }),
    ],
    [
      "a batch of them",
      (client) =>
        client.request("POST /tracking/events", {
          body: [{ event_type: "buy", user_id: "u", feature_flag_key: "a" }] as never,
        }),
    ],
  ];
  test.each(ways)("is recorded by %s", async (_way, ask) => {
    await create("a");
    await ask(await server.withKey(["read", "write"]));
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
  });

  test("is recorded by an assignment to an experiment on the flag", async () => {
    const variants = [
      { key: "x", value: true },
      { key: "y", value: false },
    ];
    await create("a", { variants });
    await server.admin.request("POST /experiments/", {
      body: { key: "e", name: "E", status: "ACTIVE", feature_flag_key: "a" },
    });
    const client = await server.withKey(["write"]);
    await client.request("POST /tracking/assign", { body: { experiment_key: "e", user_id: "u" } });
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
  });

  test("is recorded by an assignment of the engine in this process, for the flag of that experiment only", async () => {
    const variants = [
      { key: "x", value: true },
      { key: "y", value: false },
    ];
    await create("a", { variants });
    await create("b", { variants });
    for (const key of ["a", "b"]) {
      await server.admin.request("POST /experiments/", {
        body: { key: `on-${key}`, name: "E", status: "ACTIVE", feature_flag_key: key },
      });
    }
    expect(server.assay.engine.assign("on-a", "u")).toMatchObject({ assigned: true });
    server.assay.engine.assign("unknown", "u");
    expect((await get("a")).last_evaluated_at).toBe("2026-03-01T12:00:00.000Z");
    expect((await get("b")).last_evaluated_at).toBeNull();
  });

  test("has the time of the event", async () => {
    await create("a");
    const client = await server.withKey(["write"]);
    const track = (timestamp: string) =>
      client.request("POST /tracking/track", {
        body: { event_type: "buy", user_id: "u", feature_flag_key: "a", timestamp },
      });
    await track("2026-02-20T00:00:00Z");
    expect((await get("a")).last_evaluated_at).toBe("2026-02-20T00:00:00.000Z");
    await track("2026-02-10T00:00:00Z");
    expect((await get("a")).last_evaluated_at).toBe("2026-02-20T00:00:00.000Z");
  });

  test("is not recorded by reading definitions or all flags, nor for unknown flags", async () => {
    await create("a");
    const client = await server.withKey(["read"]);
    await client.request("GET /openfeature/flags", {});
    await client.request("GET /feature-flags/user/{user_id}", { params: { user_id: "u" } });
    server.assay.engine.evaluate("unknown", {}, false);
    server.assay.engine.evaluateAll({ targetingKey: "u" });
    expect((await get("a")).last_evaluated_at).toBeNull();
    await create("unknown");
    expect((await get("unknown")).last_evaluated_at).toBeNull();
  });
});

describe("a flag is stale", () => {
  test("once it has expired", async () => {
    await create("a", { expires_at: "2026-03-02", rollout_percentage: 50 });
    expect(await get("a")).toMatchObject({ stale: false, stale_reasons: [] });
    server.advance(DAY);
    expect(await get("a")).toMatchObject({ stale: true, stale_reasons: ["EXPIRED"] });
  });

  test("when it was not evaluated for 30 days", async () => {
    await create("a", { rollout_percentage: 50 });
    server.advance(29 * DAY);
    await evaluate("a");
    server.advance(30 * DAY - 1);
    expect(await reasons("a")).toEqual([]);
    server.advance(1);
    expect(await reasons("a")).toEqual(["NOT_EVALUATED"]);
    await evaluate("a");
    expect(await reasons("a")).toEqual([]);
  });

  test.each([
    ["on for everyone", {}, ["FULLY_ROLLED_OUT"]],
    [
      "with one variant left",
      {
        variants: [
          { key: "x", value: 1, weight: 1 },
          { key: "y", value: 2, weight: 0 },
        ],
      },
      ["FULLY_ROLLED_OUT"],
    ],
    [
      "with rules that are off",
      {
        rules_enabled: false,
        rules: [{ id: "r", when: { attribute: "a", operator: "EXISTS" }, serve: { variant: "off" } }],
      },
      ["FULLY_ROLLED_OUT"],
    ],
    ["switched off", { status: "INACTIVE" }, ["SWITCHED_OFF"]],
    ["rolled out to 0 %", { rollout_percentage: 0 }, ["SWITCHED_OFF"]],
    ["rolled out to some", { rollout_percentage: 99 }, []],
    ["targeted", { targeting_rules: { countries: ["DE"] } }, []],
    ["with targeting that has nothing in it", { targeting_rules: { countries: [] } }, ["FULLY_ROLLED_OUT"]],
    [
      "with rules",
      { rules: [{ id: "r", when: { attribute: "a", operator: "EXISTS" }, serve: { variant: "off" } }] },
      [],
    ],
    [
      "with two variants",
      {
        variants: [
          { key: "x", value: 1 },
          { key: "y", value: 2 },
        ],
      },
      [],
    ],
  ])("or not stale, unchanged for 30 days and %s", async (_what, body, expected) => {
    await create("a", body);
    server.advance(30 * DAY - 1);
    await evaluate("a");
    expect(await reasons("a")).toEqual([]);
    server.advance(1);
    expect(await reasons("a")).toEqual(expected);
    await server.admin.request("PUT /feature-flags/{id}", { params: { id: "a" }, body: { name: "Still ours" } });
    expect(await reasons("a")).toEqual([]);
  });

  test("never if it is archived, and if it is permanent only when it expires", async () => {
    await create("archived", { status: "ARCHIVED", expires_at: "2026-01-01" });
    await create("permanent", { permanent: true });
    await create("until", { permanent: true, expires_at: "2026-03-10" });
    server.advance(31 * DAY);
    expect(await reasons("archived")).toEqual([]);
    expect(await reasons("permanent")).toEqual([]);
    expect(await reasons("until")).toEqual(["EXPIRED"]);
  });

  test("by missing evaluations only if the server would have seen them", async () => {
    await create("server", { rollout_percentage: 50 });
    await create("client", { rollout_percentage: 50, client_side: true });
    server.advance(20 * DAY);
    await (await server.withKey(["read"], { kind: "CLIENT" })).request("GET /openfeature/flags", {});
    server.advance(10 * DAY);
    expect(await reasons("server")).toEqual(["NOT_EVALUATED"]);
    expect(await reasons("client")).toEqual([]);
    await (await server.withKey(["read"])).request("GET /openfeature/flags", {});
    expect(await reasons("server")).toEqual([]);
    server.advance(30 * DAY);
    expect(await reasons("server")).toEqual(["NOT_EVALUATED"]);
    expect(await reasons("client")).toEqual(["NOT_EVALUATED"]);
  });

  test("by missing evaluations only after 30 days of observation, also over restarts", async () => {
    await create("a", { rollout_percentage: 50 });
    await server.assay.close();
    server = await createTestServer({ storage });
    server.advance(30 * DAY);
    expect(await reasons("a")).toEqual(["NOT_EVALUATED"]);
  });
});

test("lists stale flags, or the others, only", async () => {
  await create("old", { expires_at: "2026-01-01" });
  await create("young");
  expect((await list({ stale: true })).map(({ key, stale_reasons }) => [key, stale_reasons])).toEqual([
    ["old", ["EXPIRED"]],
  ]);
  expect((await list({ stale: false })).map(({ key }) => key)).toEqual(["young"]);
  expect(await list()).toHaveLength(2);
});

test("a flag that becomes stale changes the response but not its version", async () => {
  await create("a", { expires_at: "2026-03-02", rollout_percentage: 50 });
  const headers = { "x-api-key": (await server.withKey(["read", "admin"])).key };
  const first = await server.send("GET", "/feature-flags/a", { headers });
  const etag = first.headers.get("etag")!;
  const again = () => server.send("GET", "/feature-flags/a", { headers: { ...headers, "if-none-match": etag } });
  expect((await again()).status).toBe(304);
  server.advance(DAY);
  expect((await again()).json).toMatchObject({ stale: true, version: 1 });
  const init = { headers: { ...headers, "if-match": etag }, body: { name: "B" } };
  expect((await server.send("PUT", "/feature-flags/a", init)).status).toBe(200);
  expect((await server.send("PUT", "/feature-flags/a", init)).status).toBe(412);
});
