import { memoryStore } from "@assay/store";
import { expect, test } from "vitest";
import { rotateSecrets } from "../../rotate-secrets.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { configs, connect, LOOPBACK, SECRETS, serveThirdParties } from "./third-party.fixture.ts";

const URL_ = "https://third.example";
const UNKNOWN = "018f0000-0000-7000-8000-000000000000";
const MASK = "********";

const get = (server: TestServer, id: string) => server.admin.request("GET /integrations/{id}", { params: { id } });
const update = (server: TestServer, id: string, body: object) =>
  server.admin.request("PUT /integrations/{id}", { params: { id }, body: body as never });

test("creates an integration, lists it without its config and returns it with masked secrets", async () => {
  const server = await createTestServer();
  const developer = await server.as("DEVELOPER");
  const { warnings, ...created } = await connect(developer, "TRACKER", {
    ...configs(URL_).TRACKER,
    allow_unsigned: true,
  });
  expect(warnings).toHaveLength(1);
  expect(created).toEqual({
    id: expect.any(String),
    name: "TRACKER integration",
    integration_type: "TRACKER",
    description: "",
    is_active: true,
    created_at: "2026-03-01T12:00:00.000Z",
    updated_at: "2026-03-01T12:00:00.000Z",
    created_by: developer.user.id,
  });
  expect((await get(server, created.id)).config).toEqual({
    base_url: URL_,
    username: "bot@example.org",
    api_token: MASK,
    allow_unsigned: true,
  });
  const crm = await connect(developer, "CRM", { ...configs(URL_).CRM, webhook_secret: "a secret" });
  const list = (query: object) => server.admin.request("GET /integrations", { query });
  expect(await list({})).toEqual([crm, created]);
  expect(await list({ type: "tracker" })).toEqual([created]);
  expect(await list({ is_active: false })).toEqual([]);
  expect(await list({ skip: 1, limit: 1 })).toEqual([created]);
  expect(await list({ search: "tracker INT" })).toEqual([created]);
  expect(await list({ search: "none" })).toEqual([]);
  expect(await refusal(list({ limit: 201 }))).toMatchObject({ status: 422 });
  expect(await refusal(list({ type: "PAGER" }))).toMatchObject({ status: 422 });
});

test.each(["TRACKER", "CRM"] as const)(
  "a %s without a webhook secret answers a warning when it is made",
  async (type) => {
    const server = await createTestServer();
    let count = 0;
    const warningsWith = async (more: object) => {
      const created = await connect(server.admin, type, { ...configs(URL_)[type], ...more }, `Number ${++count}`);
      expect(await get(server, created.id)).not.toHaveProperty("warnings");
      return created.warnings;
    };
    const code = "UNSIGNED_WEBHOOKS";
    const useless =
      "Webhooks of this integration change nothing; set webhook_secret or webhook_token, or allow_unsigned";
    const open =
      "Everyone who knows the address of the webhook can change experiments; set webhook_secret or webhook_token";
    expect(await warningsWith({})).toEqual([{ code, msg: useless }]);
    expect(await warningsWith({ allow_unsigned: false })).toEqual([{ code, msg: useless }]);
    expect(await warningsWith({ allow_unsigned: true })).toEqual([{ code, msg: open }]);
    expect(await warningsWith({ webhook_secret: "a secret" })).toBeUndefined();
    expect(await warningsWith({ webhook_token: "a-token", allow_unsigned: true })).toBeUndefined();
  },
);

test.each([
  ["TRACKER", { base_url: URL_, username: "u" }, "api_token"],
  ["TRACKER", {}, "base_url, username, api_token"],
  ["TRACKER", { base_url: URL_, username: "u", api_token: null }, "api_token"],
  ["TRACKER", { base_url: URL_, username: "u", api_token: MASK }, "api_token"],
  ["CRM", { instance_url: URL_, client_id: "c" }, "client_secret"],
  ["CODEHOST", { token: "t" }, "webhook_secret"],
] as const)("%s without its required fields is a 400 that names them", async (type, config, missing) => {
  const server = await createTestServer();
  expect(await refusal(connect(server.admin, type, config))).toMatchObject({
    status: 400,
    detail: `Missing required config fields: ${missing}`,
  });
});

test("rejects a name with control characters with 422, on creation and on change", async () => {
  const { admin } = await createTestServer();
  const issue = { loc: ["body", "name"], msg: "Control characters are not allowed" };
  for (const name of ["Jira\u001b[31m", "Jira\r\nBcc: all", "Ji\u0000ra", "Ji\u0085ra"]) {
    const refused = await refusal(connect(admin, "TRACKER", configs(URL_).TRACKER, name));
    expect(refused).toMatchObject({ status: 422, issues: [issue] });
  }
  const { id } = await connect(admin, "TRACKER", configs(URL_).TRACKER, " Jira – Köln\n");
  const rename = admin.request("PUT /integrations/{id}", { params: { id }, body: { name: "Ji\tra" } });
  expect(await refusal(rename)).toMatchObject({ status: 422, issues: [issue] });
  expect(await admin.request("GET /integrations/{id}", { params: { id } })).toMatchObject({ name: "Jira – Köln" });
});

test("an absent config misses all of its fields, and an absent description is empty", async () => {
  const { admin } = await createTestServer();
  const create = (body: object) => admin.request("POST /integrations", { body: body as never });
  const body = { name: "x", integration_type: "CODEHOST" };
  expect(await refusal(create(body))).toMatchObject({
    status: 400,
    detail: "Missing required config fields: token, webhook_secret",
  });
  const config = configs(URL_).CODEHOST;
  expect(await create({ ...body, config })).toMatchObject({ description: "" });
});

test("suggests the nearest key for every unknown key of a config, and reports a missing type", async () => {
  const { admin } = await createTestServer();
  const config = { ...configs(URL_).TRACKER, api_tokn: "x", user_name: "x", "two\nlines": 1 };
  expect(await refusal(connect(admin, "TRACKER", config))).toMatchObject({
    status: 422,
    issues: [
      { loc: ["body", "config", "api_tokn"], msg: 'Unknown key "api_tokn"; did you mean "api_token"?' },
      { loc: ["body", "config", "user_name"], msg: 'Unknown key "user_name"; did you mean "username"?' },
      { loc: ["body", "config", "two\nlines"], msg: expect.stringContaining('Unknown key "two\\nlines"') },
    ],
  });
  const body = { name: "x", description: "", config: {} } as never;
  expect(await refusal(admin.request("POST /integrations", { body }))).toMatchObject({
    status: 422,
    issues: [{ loc: ["body", "integration_type"], msg: "Field required", type: "missing" }],
  });
});

test.each([
  [{ api_tokn: "x" }, "api_tokn", 'Unknown key "api_tokn"; did you mean "api_token"?'],
  [{ base_url: "ftp://x" }, "base_url", /http or https/],
  [{ base_url: "https://user:pw@x.example" }, "base_url", /without user name/],
  [{ base_url: "https://x.example/?token=1" }, "base_url", /without user name/],
  [{ base_url: 1 }, "base_url", /string/],
  [{ username: "a:b" }, "username", /colon/],
  [{ api_token: "" }, "api_token", /empty/],
  [{ allow_unsigned: "yes" }, "allow_unsigned", /boolean/],
  [{ transitions: { Done: "EXPLODE" } }, "transitions", /option|Invalid/],
  [{ webhook_token: "two words" }, "webhook_token", /ASCII/],
])("rejects a config with %j with 422 and names the path", async (field, name, text) => {
  const server = await createTestServer();
  const config = { ...configs(URL_).TRACKER, ...field };
  const { status, issues } = (await refusal(connect(server.admin, "TRACKER", config))) as never as {
    status: number;
    issues: { loc: string[]; msg: string }[];
  };
  expect([status, issues[0]?.loc.slice(0, 3)]).toEqual([422, ["body", "config", name]]);
  expect(issues[0]?.msg).toMatch(text);
});

test("rejects a missing name and a missing or unknown type with 422", async () => {
  const server = await createTestServer();
  const whole = { name: "n", integration_type: "TRACKER", description: "d", config: configs(URL_).TRACKER };
  for (const field of ["name", "integration_type"]) {
    const body = { ...whole, [field]: undefined };
    const answer = await refusal(server.admin.request("POST /integrations", { body: body as never }));
    expect(answer).toMatchObject({ status: 422, detail: expect.stringContaining(`body.${field}: `) });
  }
  const body = { ...whole, integration_type: "PAGER" };
  expect(await refusal(server.admin.request("POST /integrations", { body: body as never }))).toMatchObject({
    status: 422,
  });
});

test("rejects a second active integration of a type with the same name with 409", async () => {
  const server = await createTestServer();
  const first = await connect(server.admin, "TRACKER", configs(URL_).TRACKER, "Jira");
  const twin = { status: 409, detail: 'An active TRACKER integration "Jira" already exists' };
  expect(await refusal(connect(server.admin, "TRACKER", configs(URL_).TRACKER, "Jira"))).toMatchObject(twin);
  await connect(server.admin, "CRM", configs(URL_).CRM, "Jira");
  const other = await connect(server.admin, "TRACKER", configs(URL_).TRACKER, "Other");
  expect(await refusal(update(server, other.id, { name: "Jira" }))).toMatchObject(twin);
  await server.admin.request("DELETE /integrations/{id}", { params: { id: first.id } });
  expect((await update(server, other.id, { name: "Jira" })).name).toBe("Jira");
});

test("merges the config by key, clears nulls, and keeps a secret for the mask", async () => {
  const parties = await serveThirdParties();
  const server = await createTestServer(LOOPBACK);
  const { id } = await connect(server.admin, "TRACKER", { ...configs(parties.url).TRACKER, webhook_token: "t" });
  const works = async () => (await server.admin.request("POST /integrations/{id}/test", { params: { id } })).success;
  const changed = await update(server, id, {
    description: "Ours",
    config: { api_token: MASK, transitions: { Shipped: "complete" }, webhook_token: null },
  });
  expect(changed).toMatchObject({ name: "TRACKER integration", description: "Ours", version: 2 });
  expect(changed.config).toEqual({
    base_url: parties.url,
    username: "bot@example.org",
    api_token: MASK,
    transitions: { Shipped: "COMPLETE" },
  });
  expect(await works()).toBe(true);
  await update(server, id, { config: { api_token: "another" } });
  expect(await works()).toBe(false);
  await update(server, id, { config: { api_token: SECRETS.api_token, transitions: null } });
  expect(await works()).toBe(true);
  expect(await refusal(update(server, id, { config: { username: null } }))).toMatchObject({ status: 400 });
  expect(await refusal(update(server, id, { config: { user: "x" } }))).toMatchObject({ status: 422 });
  await parties.close();
});

test("requires the credentials to change their destination", async () => {
  const server = await createTestServer();
  const { id } = await connect(server.admin, "TRACKER", { ...configs(URL_).TRACKER, webhook_token: "t" });
  const elsewhere = { base_url: "https://evil.example" };
  for (const config of [elsewhere, { ...elsewhere, api_token: MASK }]) {
    expect(await refusal(update(server, id, { config }))).toMatchObject({
      status: 422,
      detail: "body.config.api_token: Send api_token again; its destination has changed",
    });
  }
  expect((await update(server, id, { config: { base_url: `${URL_}/` } })).config.base_url).toBe(URL_);
  const moved = await update(server, id, { config: { ...elsewhere, api_token: "known" } });
  expect(moved.config).toMatchObject({ base_url: "https://evil.example", webhook_token: MASK });
  const crm = await connect(server.admin, "CRM", configs(URL_).CRM);
  const tokenUrl = { token_url: "https://evil.example/token" };
  expect(await refusal(update(server, crm.id, { config: tokenUrl }))).toMatchObject({ status: 422 });
});

test("a developer or the owner may change it; others may only read it or get a 403", async () => {
  const server = await createTestServer();
  const owner = await server.as("DEVELOPER");
  const { id } = await connect(owner, "CODEHOST", configs(URL_).CODEHOST);
  await server.admin.request("PATCH /admin/users/{user_id}", {
    params: { user_id: owner.user.id },
    body: { role: "VIEWER" },
  });
  const change = (client: Pick<typeof owner, "request">, of = id) =>
    client.request("PUT /integrations/{id}", { params: { id: of }, body: { description: "x" } });
  const [other, analyst, viewer] = [
    await server.as("DEVELOPER"),
    await server.as("ANALYST"),
    await server.as("VIEWER"),
  ];
  expect((await change(owner)).description).toBe("x");
  expect((await change(other)).description).toBe("x");
  for (const client of [analyst, viewer]) {
    expect(await refusal(change(client))).toMatchObject({
      status: 403,
      detail: "Not enough permissions: DEVELOPER or owner required",
    });
    expect(await refusal(change(client, UNKNOWN))).toMatchObject({ status: 403 });
    expect(await refusal(connect(client, "CRM", configs(URL_).CRM))).toMatchObject({ status: 403 });
    expect(await refusal(client.request("DELETE /integrations/{id}", { params: { id } }))).toMatchObject({
      status: 403,
    });
  }
  expect(await refusal(viewer.request("GET /integrations/{id}", { params: { id } }))).toMatchObject({ status: 403 });
  expect(await refusal(viewer.request("GET /integrations/{id}/deliveries", { params: { id } }))).toMatchObject({
    status: 403,
  });
  expect((await analyst.request("GET /integrations/{id}", { params: { id } })).id).toBe(id);
  expect(await refusal(change(other, UNKNOWN))).toMatchObject({ status: 404 });
  expect(await refusal(change(other, "no-uuid"))).toMatchObject({ status: 422 });
  await owner.request("DELETE /integrations/{id}", { params: { id } });
});

test("a deactivated integration can be read, does nothing, and its secrets are deleted from the store", async () => {
  const store = memoryStore();
  const server = await createTestServer({ storage: store });
  const { id } = await connect(server.admin, "TRACKER", configs(URL_).TRACKER);
  const before = (await get(server, id)).version;
  const remove = () => server.admin.request("DELETE /integrations/{id}", { params: { id } });
  await remove();
  await remove();
  expect(await get(server, id)).toMatchObject({ is_active: false, version: before + 1, config: { api_token: MASK } });
  expect(
    (await server.admin.request("GET /integrations", { query: { is_active: false } })).map((one) => one.id),
  ).toEqual([id]);
  const inactive = { status: 400, detail: "The integration is not active" };
  expect(await refusal(update(server, id, { name: "again" }))).toMatchObject(inactive);
  expect(await refusal(server.admin.request("POST /integrations/{id}/test", { params: { id } }))).toMatchObject(
    inactive,
  );
  expect(await textOf(store)).not.toMatch(/s1\.[\w-]+\./);
});

test("changes support If-Match, and creation an Idempotency-Key, which stores no secret", async () => {
  const store = memoryStore();
  const server = await createTestServer({ storage: store });
  const { json } = await server.send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  const headers = { authorization: `Bearer ${json.access_token}` };
  const body = { name: "n", integration_type: "TRACKER", description: "", config: configs(URL_).TRACKER };
  const create = () =>
    server.send("POST", "/integrations", { headers: { ...headers, "idempotency-key": "once" }, body });
  const [first, second] = [await create(), await create()];
  expect([first.status, second.json]).toEqual([201, first.json]);
  const put = (version: string) =>
    server.send("PUT", `/integrations/${first.json.id}`, {
      headers: { ...headers, "if-match": version },
      body: { name: "m" },
    });
  expect((await put('"v7"')).status).toBe(412);
  expect((await put('"v1"')).status).toBe(200);
  expect(await textOf(store)).not.toContain(SECRETS.api_token);
});

test("secrets survive a restart with their key, and a rotation", async () => {
  const parties = await serveThirdParties();
  const store = memoryStore();
  const [made, older, newer] = [undefined, ["a".repeat(32)], ["b".repeat(32), "a".repeat(32)]];
  // Closing a server closes its store, so each gets a store that only appears to close.
  const open = (secretKeys: string[] | undefined) =>
    createTestServer({
      ...LOOPBACK,
      storage: { ...store, close: async () => {} },
      ...(secretKeys ? { secretKeys } : {}),
    });
  const first = await open(made);
  const { id } = await connect(first.admin, "TRACKER", configs(parties.url).TRACKER);
  const testIn = async (server: TestServer) => {
    const result = await server.admin.request("POST /integrations/{id}/test", { params: { id } });
    await server.assay.close();
    return result;
  };
  expect(await testIn(first)).toMatchObject({ success: true, status: 200, reason: null });
  expect((await testIn(await open(older))).success).toBe(true);
  expect(await rotateSecrets(store, older)).toEqual({ checked: 1, resealed: 1, unreadable: [] });
  expect(await rotateSecrets(store, newer)).toEqual({ checked: 1, resealed: 1, unreadable: [] });
  expect(await rotateSecrets(store, newer)).toEqual({ checked: 1, resealed: 0, unreadable: [] });
  expect((await testIn(await open(["b".repeat(32)]))).success).toBe(true);
  const lost = ["c".repeat(32)];
  expect(await rotateSecrets(store, lost)).toEqual({
    checked: 1,
    resealed: 0,
    unreadable: [{ resource: "integration", id }],
  });
  const without = await open(lost);
  expect(await without.admin.request("POST /integrations/{id}/test", { params: { id } })).toMatchObject({
    success: false,
    status: null,
    reason: "The stored credentials cannot be decrypted with the keys of this server; send them again",
  });
  expect(await refusal(update(without, id, { config: { username: "other" } }))).toMatchObject({ status: 422 });
  await update(without, id, { config: { api_token: SECRETS.api_token } });
  expect((await testIn(without)).success).toBe(true);
  await parties.close();
});

test("rejects short keys for secrets at start", async () => {
  await expect(createTestServer({ secretKeys: ["short"] })).rejects.toThrow("at least 32 characters");
  await expect(createTestServer({ outbound: { allowPrivateNetworks: ["intranet"] } })).rejects.toThrow("intranet");
});

/** Everything in a store, as text. */
async function textOf(store: ReturnType<typeof memoryStore>): Promise<string> {
  const entries = await store.list("", { limit: 100_000 });
  return entries.map(({ value }) => Buffer.from(value).toString()).join("\n");
}
