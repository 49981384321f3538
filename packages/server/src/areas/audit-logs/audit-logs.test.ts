import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { signInFrom } from "../../http/request.fixture.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const list = (query: object = {}) => server.admin.request("GET /audit-logs", { query });
const actions = async (query: object = {}) => (await list(query)).items.map(({ action }) => action);

describe("an entry", () => {
  test("contains who changed what, with the old and new values", async () => {
    const { user, ...developer } = await server.as("DEVELOPER");
    const flag = await developer.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
    await developer.request("PUT /feature-flags/{id}", { params: { id: "f" }, body: { name: "G" } });
    const [changed, created] = (await list({ resource_type: "feature_flag" })).items;
    expect(changed).toMatchObject({
      action: "feature_flag.update",
      actor_type: "USER",
      actor_id: user.id,
      resource_id: flag.id,
      resource_name: "f",
      old_value: { name: "F" },
      new_value: { name: "G" },
      timestamp: new Date(server.now()).toISOString(),
    });
    expect(changed!.sequence).toBeGreaterThan(created!.sequence);
    expect(changed!.request_id).toEqual(expect.any(String));
    expect(created).toMatchObject({ action: "feature_flag.create", old_value: null });
  });

  test("is found only by its own id", async () => {
    const entry = (await list()).items[0]!;
    const found = await server.admin.request("GET /audit-logs/{id}", { params: { id: entry.id } });
    expect(found.id).toBe(entry.id);
    const get = (id: string) => refusal(server.admin.request("GET /audit-logs/{id}", { params: { id } }));
    expect(await get("00000000-0000-7000-8000-000000000000")).toMatchObject({ status: 404 });
    expect(await get("no-uuid")).toMatchObject({ status: 422 });
  });

  test("contains the address that a trusted proxy reported", async () => {
    const behind = await createTestServer({ trustProxy: 1 });
    await signInFrom(behind, "10.0.0.1", "someone", { "x-forwarded-for": "6.6.6.6, 192.0.2.77" });
    const { items } = await behind.admin.request("GET /audit-logs", { query: { action: "auth.login_failed" } });
    expect(items[0]).toMatchObject({ ip: "192.0.2.77" });
    await behind.assay.close();
  });
});

describe("the list", () => {
  test("is newest first, in pages with a stable order", async () => {
    for (let index = 0; index < 7; index++) {
      await server.admin.request("POST /feature-flags/", { body: { key: `f${index}`, name: "F" } });
    }
    const all = await list();
    expect(all).toMatchObject({ skip: 0, limit: 100, total: all.items.length });
    const sequences = all.items.map(({ sequence }) => sequence);
    expect(sequences).toEqual([...sequences].sort((a, b) => b - a));
    const pages = [await list({ limit: 3 }), await list({ skip: 3, limit: 3 }), await list({ skip: 6, limit: 500 })];
    expect(pages.flatMap(({ items }) => items)).toEqual(all.items);
    expect((await list({ skip: 10_000 })).items).toEqual([]);
  });

  test("filters by action, resource, actor and time", async () => {
    const { user, ...developer } = await server.as("DEVELOPER");
    const flag = await developer.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
    const before = new Date(server.now()).toISOString();
    server.advance(1000);
    await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "f" } });
    const after = new Date(server.now()).toISOString();
    expect(await actions({ resource_type: "feature_flag" })).toEqual(["feature_flag.delete", "feature_flag.create"]);
    expect(await actions({ resource_id: flag.id, start_date: after })).toEqual(["feature_flag.delete"]);
    expect(await actions({ resource_id: flag.id, end_date: before })).toEqual(["feature_flag.create"]);
    expect(await actions({ actor_id: user.id, action: "feature_flag.create" })).toHaveLength(1);
    expect(await actions({ action: "nobody.did_this" })).toEqual([]);
  });

  test.each([{ limit: 501 }, { limit: 0 }, { skip: -1 }, { start_date: "yesterday" }, { action: "" }])(
    "rejects %j",
    async (query) => {
      expect(await refusal(list(query))).toMatchObject({ status: 422 });
    },
  );
});

test("counts by action, resource, actor and day, with the filters of the list", async () => {
  const { user, ...developer } = await server.as("DEVELOPER");
  await developer.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
  server.advance(24 * 3600 * 1000);
  await server.admin.request("DELETE /feature-flags/{id}", { params: { id: "f" } });
  const stats = await server.admin.request("GET /audit-logs/stats");
  expect(stats.total).toBe((await list()).total);
  expect(stats.by_action).toMatchObject({ "feature_flag.create": 1, "feature_flag.delete": 1 });
  expect(stats.by_resource_type.feature_flag).toBe(2);
  expect(stats.by_actor[user.id]).toBeGreaterThan(0);
  expect(Object.keys(stats.by_day)).toEqual(["2026-03-01", "2026-03-02"]);
  const narrow = await server.admin.request("GET /audit-logs/stats", { query: { resource_type: "feature_flag" } });
  expect(narrow).toMatchObject({ total: 2, by_day: { "2026-03-01": 1, "2026-03-02": 1 } });
});

test("ANALYST and above read the trail; VIEWER, keys and anonymous callers cannot", async () => {
  for (const path of ["/audit-logs", "/audit-logs/stats"] as const) {
    for (const role of ["ANALYST", "DEVELOPER", "ADMIN"] as const) await (await server.as(role)).request(`GET ${path}`);
    expect(await refusal((await server.as("VIEWER")).request(`GET ${path}`))).toMatchObject({ status: 403 });
    expect(await refusal((await server.withKey(["admin"])).request(`GET ${path}`))).toMatchObject({ status: 401 });
    expect(await refusal(server.anonymous.request(`GET ${path}`))).toMatchObject({ status: 401 });
  }
});

describe("the use of credentials", () => {
  test("is recorded at once at first, then once a minute with a count, per key and route class", async () => {
    const key = await server.withKey(["read"]);
    const uses = async () => (await list({ resource_id: key.id })).items.filter(({ action }) => /use$/.test(action));
    await key.request("GET /feature-flags/");
    expect((await uses()).map(({ action }) => action)).toEqual(["api_key.first_use"]);
    for (let index = 0; index < 5; index++) await key.request("GET /feature-flags/");
    expect(await uses()).toHaveLength(1);
    server.advance(60_000);
    await key.request("GET /feature-flags/");
    const [counted] = await uses();
    expect(counted).toMatchObject({
      action: "api_key.use",
      actor_type: "API_KEY",
      actor_id: key.id,
      new_value: { route_class: "api", count: 5 },
    });
  });

  test("records the remaining count when the server closes", async () => {
    const storage = { ...memoryStore(), close: async () => {} };
    const first = await createTestServer({ storage });
    const key = await first.withKey(["read"]);
    for (let index = 0; index < 3; index++) await key.request("GET /feature-flags/");
    await first.assay.close();
    const second = await createTestServer({ storage });
    const { items } = await second.admin.request("GET /audit-logs", { query: { action: "api_key.use" } });
    expect(items[0]).toMatchObject({ resource_id: key.id, new_value: { count: 2 } });
    await second.assay.close();
  });

  test("is recorded for tokens too", async () => {
    const { user, ...person } = await server.as("ANALYST");
    for (let index = 0; index < 3; index++) await person.request("GET /users/me");
    server.advance(60_000);
    await person.request("GET /users/me");
    const entries = (await list({ actor_id: user.id, resource_type: "token" })).items;
    expect(entries.map(({ action }) => action)).toEqual(["token.use", "token.first_use"]);
    expect(entries[0]).toMatchObject({ new_value: { route_class: "api", count: 2 } });
  });

  test("is recorded at once if it fails, and as a count in a flood", async () => {
    const key = await server.withKey(["read"]);
    await server.admin.request("DELETE /api-keys/{id}", { params: { id: key.id } });
    await refusal(key.request("GET /feature-flags/"));
    const refused = await list({ action: "api_key.refused" });
    expect(refused.items[0]).toMatchObject({ resource_id: key.id, actor_id: null });
    await server.send("GET", "/users/me", { headers: { authorization: "Bearer nonsense" } });
    const [entry] = (await list({ action: "token.refused" })).items;
    expect(entry).toMatchObject({ new_value: { reason: "Could not validate credentials" } });
    for (let index = 0; index < 200; index++) {
      await server.send("GET", "/users/me", { headers: { authorization: "Bearer nonsense" } });
    }
    expect((await list({ action: "token.refused" })).total).toBe(60);
    server.advance(60_000);
    await server.send("GET", "/users/me", { headers: { authorization: "Bearer nonsense" } });
    const after = (await list({ action: "token.refused" })).items;
    expect(after.map(({ new_value }) => new_value?.count)).toContain(141);
  });
});
