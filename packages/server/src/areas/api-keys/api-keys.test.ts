import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});
afterEach(() => server.assay.close());

const DAY = 24 * 3600 * 1000;

test("only the response to its creation contains the secret", async () => {
  const created = await server.admin.request("POST /api-keys", {
    body: { name: "backend", description: "the backend's", scopes: ["read", "write"] },
  });
  expect(created).toMatchObject({
    name: "backend",
    description: "the backend's",
    scopes: ["read", "write"],
    last_used_at: null,
    is_active: true,
    kind: "SERVER",
  });
  expect(created.key).toMatch(/^asy_[0-9a-f]{18}_[\w-]{43}$/);
  const [listed] = await server.admin.request("GET /api-keys");
  expect(listed).not.toHaveProperty("key");
  expect(listed).not.toHaveProperty("description");
  expect(JSON.stringify(listed)).not.toContain(created.key!.split("_").slice(2).join("_"));
});

test("requires only a name, with read as the default scope", async () => {
  expect(await server.admin.request("POST /api-keys", { body: { name: "plain" } })).toMatchObject({ scopes: ["read"] });
  expect(await refusal(server.admin.request("POST /api-keys", { body: {} as never }))).toMatchObject({ status: 422 });
  const unknown = refusal(server.admin.request("POST /api-keys", { body: { name: "x", scopes: ["root"] as never } }));
  expect(await unknown).toMatchObject({ status: 422 });
});

test("DEVELOPER and ADMIN create keys, and only with a token", async () => {
  for (const role of ["VIEWER", "ANALYST"] as const) {
    const client = await server.as(role);
    expect(await refusal(client.request("POST /api-keys", { body: { name: "no" } }))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: DEVELOPER required",
    });
  }
  const key = await server.withKey(["admin"]);
  expect(await refusal(key.request("POST /api-keys", { body: { name: "no" } }))).toMatchObject({ status: 401 });
});

test("rejects a revoked key from the next request on", async () => {
  const key = await server.withKey(["read"]);
  await key.request("GET /feature-flags/");
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: key.id } });
  expect(await refusal(key.request("GET /feature-flags/"))).toMatchObject({ status: 401, detail: "Invalid API key" });
  const [listed] = await server.admin.request("GET /api-keys");
  expect(listed).toMatchObject({ id: key.id, is_active: false });
});

test("one scope does not imply another", async () => {
  const flag = { key: "f", name: "F" };
  const reader = await server.withKey(["read"]);
  const writer = await server.withKey(["write"]);
  const admin = await server.withKey(["admin"]);
  expect(await refusal(reader.request("POST /feature-flags/", { body: flag }))).toMatchObject({
    status: 403,
    detail: "Not enough permissions: scope admin required",
  });
  expect(await refusal(writer.request("GET /feature-flags/"))).toMatchObject({ status: 403 });
  expect(await refusal(admin.request("GET /feature-flags/"))).toMatchObject({ status: 403 });
  expect(await admin.request("POST /feature-flags/", { body: flag })).toMatchObject({ key: "f" });
  const rollout = { params: { id: "f" }, body: { rollout_percentage: 10 } };
  expect(await writer.request("PATCH /feature-flags/{id}/rollout", rollout)).toMatchObject({ rollout_percentage: 10 });
});

test("a key has no more rights than its creator has now", async () => {
  const { user, ...developer } = await server.as("DEVELOPER");
  const { key } = await developer.request("POST /api-keys", { body: { name: "k", scopes: ["read", "admin"] } });
  const client = server.connect({ apiKey: key });
  await client.request("POST /feature-flags/", { body: { key: "one", name: "One" } });
  expect(await refusal(client.request("GET /admin/users"))).toMatchObject({ status: 403 });

  const params = { user_id: user.id };
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { role: "ANALYST" } });
  expect(await refusal(client.request("POST /feature-flags/", { body: { key: "two", name: "Two" } }))).toMatchObject({
    status: 403,
  });
  await client.request("GET /feature-flags/");
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { is_active: false } });
  expect(await refusal(client.request("GET /feature-flags/"))).toMatchObject({ status: 401 });
});

test("what a key creates belongs to its creator", async () => {
  const { user, ...developer } = await server.as("DEVELOPER");
  const { key } = await developer.request("POST /api-keys", { body: { name: "k", scopes: ["admin"] } });
  const flag = await server
    .connect({ apiKey: key })
    .request("POST /feature-flags/", { body: { key: "mine", name: "Mine" } });
  expect(flag.created_by).toBe(user.id);
});

test("a key expires at its time", async () => {
  const expires_at = new Date(server.now() + 60_000).toISOString();
  const key = await server.withKey(["read"], { expires_at });
  await key.request("GET /feature-flags/");
  server.advance(60_000);
  expect(await refusal(key.request("GET /feature-flags/"))).toMatchObject({ status: 401 });
});

test("records the first use at once, and later ones within a minute", async () => {
  const key = await server.withKey(["read"]);
  const lastUsed = async () =>
    (await server.admin.request("GET /api-keys")).find(({ id }) => id === key.id)?.last_used_at;
  expect(await lastUsed()).toBeNull();
  await key.request("GET /feature-flags/");
  const first = new Date(server.now()).toISOString();
  expect(await lastUsed()).toBe(first);
  server.advance(30_000);
  await key.request("GET /feature-flags/");
  expect(await lastUsed()).toBe(first);
  server.advance(30_000);
  await key.request("GET /feature-flags/");
  expect(await lastUsed()).toBe(new Date(server.now()).toISOString());
});

test("a key unused for 30 days is stale, and due for rotation after 90", async () => {
  const key = await server.withKey(["read"]);
  const created = server.now();
  const listed = async () => (await server.admin.request("GET /api-keys")).find(({ id }) => id === key.id)!;
  expect((await listed()).stale).toBe(false);
  expect((await listed()).rotate_by).toBe(new Date(created + 90 * DAY).toISOString());
  server.advance(30 * DAY + 1);
  expect((await listed()).stale).toBe(true);
  await key.request("GET /feature-flags/");
  expect((await listed()).stale).toBe(false);
});

test("other roles see only their own keys", async () => {
  await server.withKey(["read"]);
  const { user, ...person } = await server.as("DEVELOPER");
  await person.request("POST /api-keys", { body: { name: "own" } });
  expect(await person.request("GET /api-keys")).toHaveLength(2);
  await server.admin.request("PATCH /admin/users/{user_id}", {
    params: { user_id: user.id },
    body: { role: "VIEWER" },
  });
  expect((await person.request("GET /api-keys")).map(({ name }) => name)).toEqual(["own"]);
});

test("a CLIENT key works only on routes for browsers, and sees only client-side flags", async () => {
  for (const [key, client_side] of [
    ["open", true],
    ["internal", false],
  ] as const) {
    await server.admin.request("POST /feature-flags/", { body: { key, name: key, status: "ACTIVE", client_side } });
  }
  const browser = await server.withKey(["read"], { kind: "CLIENT" });
  expect(await refusal(browser.request("GET /feature-flags/"))).toMatchObject({ status: 403 });
  expect((await browser.request("GET /openfeature/flags")).flags.map(({ key }) => key)).toEqual(["open"]);
  expect(await browser.request("GET /feature-flags/user/{user_id}", { params: { user_id: "u" } })).toEqual({
    open: true,
  });
  const evaluate = (flagKey: string) =>
    browser.request("POST /openfeature/evaluate", { body: { flagKey, userId: "u" } });
  expect(await evaluate("open")).toMatchObject({ value: true });
  expect(await evaluate("internal")).toMatchObject({ value: null, errorCode: "FLAG_NOT_FOUND" });
});

test.each(["", "asy", "asy__", "asy_x_y", "x".repeat(5000), "asy_000000000000000000_é"])(
  "rejects the key %j",
  async (key) => {
    const { status, json } = await server.send("GET", "/feature-flags/", { headers: { "x-api-key": key } });
    expect([status, json]).toEqual([401, { detail: "Invalid API key" }]);
  },
);

test("a key's own rate limit replaces that of its class", async () => {
  const limited = await createTestServer({ rateLimit: { api: 1000 } });
  const key = await limited.withKey(["read"], { rate_limit_per_minute: 2 });
  await key.request("GET /feature-flags/");
  await key.request("GET /feature-flags/");
  expect(await refusal(key.request("GET /feature-flags/"))).toMatchObject({ status: 429 });
  const developer = await limited.as("DEVELOPER");
  const body = { name: "x", rate_limit_per_minute: 9999 };
  expect(await refusal(developer.request("POST /api-keys", { body }))).toMatchObject({ status: 403 });
  await limited.assay.close();
});

test("lists keys by part of their name or id, newest first and page by page", async () => {
  const ids: string[] = [];
  for (const name of ["Web", "Worker", "Mobile web"]) {
    ids.push((await server.admin.request("POST /api-keys", { body: { name } })).id);
  }
  const names = async (query: object) =>
    (await server.admin.request("GET /api-keys", { query })).map(({ name }) => name);
  expect(await names({})).toEqual(["Mobile web", "Worker", "Web"]);
  expect(await names({ search: "WEB" })).toEqual(["Mobile web", "Web"]);
  expect(await names({ search: ids[1] })).toEqual(["Worker"]);
  expect(await names({ skip: 1, limit: 1 })).toEqual(["Worker"]);
  expect(await refusal(server.admin.request("GET /api-keys", { query: { limit: 501 } }))).toMatchObject({
    status: 422,
  });
});

test("tells a key what it may do now", async () => {
  const body = { expires_at: new Date(server.now() + DAY).toISOString(), kind: "CLIENT" };
  const key = await server.withKey(["read", "write"], { ...body, allowed_origins: ["https://shop.example"] });
  const asked = (origin: string) =>
    server.send("GET", "/api-keys/current", { headers: { "x-api-key": key.key, origin } });
  expect((await asked("https://shop.example")).json).toEqual({
    id: key.id,
    kind: "CLIENT",
    scopes: ["read", "write"],
    expires_at: body.expires_at,
    allowed_origins: ["https://shop.example"],
  });
  expect((await asked("https://other.example")).status).toBe(403);
  await server.admin.request("DELETE /api-keys/{id}", { params: { id: key.id } });
  expect((await asked("https://shop.example")).status).toBe(401);
});

test("a key is not told scopes that its creator has lost", async () => {
  const { user, ...developer } = await server.as("DEVELOPER");
  const { key } = await developer.request("POST /api-keys", { body: { name: "k", scopes: ["read", "write"] } });
  const client = server.connect({ apiKey: key });
  expect(await client.request("GET /api-keys/current")).toMatchObject({ kind: "SERVER", scopes: ["read", "write"] });
  const params = { user_id: user.id };
  await server.admin.request("PATCH /admin/users/{user_id}", { params, body: { role: "ANALYST" } });
  expect(await client.request("GET /api-keys/current")).toMatchObject({ scopes: ["read"] });
});

test("a user's token is not an API key", async () => {
  expect(await refusal(server.admin.request("GET /api-keys/current"))).toMatchObject({ status: 401 });
});
