import { memoryStore, prefixOf, type Store } from "@assay/store";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestServer, PASSWORD, refusal, type TestServer } from "../../testing.fixture.ts";

type Client = Pick<TestServer["admin"], "request">;

let storage: Store;
let server: TestServer;
beforeEach(async () => {
  storage = { ...memoryStore(), close: async () => {} };
  server = await createTestServer({ storage });
});
afterEach(() => server.assay.close());

const get = (who: Client) => who.request("GET /notifications/preferences");
const put = (who: Client, body: object) => who.request("PUT /notifications/preferences", { body: body as never });

const SLACK = "https://hooks.slack.example/services/T0/B0/very-secret-path";
const WEBHOOK = { webhook_url: "https://example.org/hook?token=abc", webhook_secret: "a secret of the receiver" };

test("by default, every channel is off and every event is chosen", async () => {
  const viewer = await server.as("VIEWER");
  expect(await get(viewer)).toMatchObject({
    user_id: viewer.user.id,
    email_enabled: false,
    email_address: null,
    slack_enabled: false,
    slack_webhook_url: null,
    webhook_enabled: false,
    webhook_url: null,
    webhook_secret: null,
    events: { EXPERIMENT_STARTED: true, SAFETY_ROLLBACK: true, KEY_STALE: true },
    updated_at: null,
  });
});

test("preferences stored before a channel existed read as if it is off", async () => {
  await put(server.admin, { email_enabled: true });
  await server.assay.close();
  const [entry] = await storage.list(prefixOf("notification-preferences", "doc"));
  const { slack_enabled, slack_webhook_url_sealed, ...older } = JSON.parse(new TextDecoder().decode(entry!.value));
  expect([slack_enabled, slack_webhook_url_sealed]).toEqual([false, null]);
  await storage.batch([{ type: "put", key: entry!.key, value: new TextEncoder().encode(JSON.stringify(older)) }]);
  server = await createTestServer({ storage });
  const unset = { email_enabled: true, slack_enabled: false, slack_webhook_url: null };
  expect(await get(server.admin)).toMatchObject(unset);
  expect(await put(server.admin, { webhook_enabled: false })).toMatchObject(unset);
});

test("preferences stored before an event existed read as if it is chosen", async () => {
  await put(server.admin, { events: { KEY_STALE: false } });
  await server.assay.close();
  const [entry] = await storage.list(prefixOf("notification-preferences", "doc"));
  const { events, ...rest } = JSON.parse(new TextDecoder().decode(entry!.value));
  const { PROPOSAL_CREATED, ...older } = events;
  expect(PROPOSAL_CREATED).toBe(true);
  const value = new TextEncoder().encode(JSON.stringify({ ...rest, events: older }));
  await storage.batch([{ type: "put", key: entry!.key, value }]);
  server = await createTestServer({ storage });
  const chosen = { events: { KEY_STALE: false, PROPOSAL_CREATED: true } };
  expect(await get(server.admin)).toMatchObject(chosen);
  expect(await put(server.admin, { webhook_enabled: false })).toMatchObject(chosen);
});

test("merges changes, keeps them over restarts, and returns secrets as a mask that keeps them", async () => {
  const viewer = await server.as("VIEWER", "vera");
  await put(viewer, { slack_enabled: true, slack_webhook_url: SLACK, events: { KEY_STALE: false } });
  await put(viewer, { ...WEBHOOK, webhook_enabled: true, slack_webhook_url: "********" });
  await server.assay.close();
  server = await createTestServer({ storage });
  const answer = await get(server.connect({ username: "vera", password: PASSWORD }));
  expect(answer).toMatchObject({
    slack_enabled: true,
    slack_webhook_url: "********",
    webhook_url: WEBHOOK.webhook_url,
    webhook_secret: "********",
    events: { KEY_STALE: false, EXPERIMENT_STARTED: true },
  });
  expect(JSON.stringify(answer)).not.toContain("very-secret-path");
});

test("the store and the trail contain no secrets", async () => {
  await put(server.admin, { slack_webhook_url: SLACK, ...WEBHOOK });
  await put(server.admin, { webhook_secret: "another secret of the receiver" });
  const entries = await storage.list("", { limit: 10_000 });
  const trail = await storage.read("audit", 0, 1000);
  const all = [...entries.map(({ value }) => value), ...trail.map(({ record }) => record)]
    .map((bytes) => new TextDecoder().decode(bytes))
    .join("\n");
  for (const secret of ["very-secret-path", "secret of the receiver"]) expect(all).not.toContain(secret);
  expect(trail.map(({ record }) => new TextDecoder().decode(record)).join("\n")).not.toContain("token=abc");
});

test.each([
  [{ slack_enabled: true }, ["slack_webhook_url"]],
  [{ webhook_enabled: true, webhook_secret: "a secret of the receiver" }, ["webhook_url"]],
  [{ webhook_enabled: true, webhook_url: "https://example.org" }, ["webhook_secret"]],
  [{ webhook_secret: "too short" }, ["webhook_secret"]],
  [{ webhook_url: "ftp://example.org" }, ["webhook_url"]],
  [{ webhook_url: "https://user:password@example.org" }, ["webhook_url"]],
  [{ email_address: "nobody" }, ["email_address"]],
  [{ events: { KEY_STALE: "yes" } }, ["events", "KEY_STALE"]],
])("rejects %j", async (body, loc) => {
  expect(await refusal(put(server.admin, body))).toMatchObject({ status: 422, issues: [{ loc: ["body", ...loc] }] });
});

test("an enabled channel cannot lose its address", async () => {
  await put(server.admin, { slack_enabled: true, slack_webhook_url: SLACK });
  expect(await refusal(put(server.admin, { slack_webhook_url: null }))).toMatchObject({ status: 422 });
  await put(server.admin, { slack_webhook_url: null, slack_enabled: false });
  expect((await get(server.admin)).slack_webhook_url).toBeNull();
});

test("only DEVELOPERs may use an address other than their own", async () => {
  const viewer = await server.as("VIEWER", "vera");
  expect(await refusal(put(viewer, { email_address: "else@example.org" }))).toMatchObject({ status: 422 });
  expect((await put(viewer, { email_address: "Vera@example.org" })).email_address).toBe("Vera@example.org");
  const developer = await server.as("DEVELOPER");
  expect((await put(developer, { email_address: "team@example.org" })).email_address).toBe("team@example.org");
});

test("ADMINs list the preferences of all users, without secrets", async () => {
  const viewer = await server.as("VIEWER", "vera");
  await put(viewer, { ...WEBHOOK, slack_webhook_url: SLACK });
  const { items, total } = await server.admin.request("GET /notifications/admin/preferences");
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({
    user_id: viewer.user.id,
    slack_webhook_url: "********",
    webhook_url: "https://example.org/********",
    webhook_secret: "********",
  });
  expect(await refusal(viewer.request("GET /notifications/admin/preferences"))).toMatchObject({ status: 403 });
  await server.admin.request("DELETE /admin/users/{user_id}", { params: { user_id: viewer.user.id } });
  expect((await server.admin.request("GET /notifications/admin/preferences")).total).toBe(0);
});
