import { memoryStore } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestServer, type TestServer } from "../../testing.fixture.ts";
import {
  configs,
  connect,
  type Fault,
  LOOPBACK,
  SECRETS,
  serveThirdParties,
  type ThirdParties,
} from "./third-party.fixture.ts";

const MINUTE = 60_000;

let parties: ThirdParties;
let servers: TestServer[];
beforeEach(async () => {
  servers = [];
  parties = await serveThirdParties();
  // Fake only the timer of the message queue; connections keep the real clock.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(async () => {
  await Promise.all(servers.map(({ assay }) => assay.close()));
  vi.useRealTimers();
  await parties.close();
});

async function start(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer({ ...LOOPBACK, jobs: true, ...options });
  servers.push(server);
  return server;
}

const LINKS = { tracker_issue_key: "SHOP-1", crm_campaign_id: "701/1", code_pull_request: "acme/shop#42" };

const create = (server: TestServer, fields: object = LINKS, key = "checkout") =>
  server.admin.request("POST /experiments/", {
    body: { key, name: "Checkout", status: "ACTIVE", variants: [{ key: "a" }, { key: "b" }], ...fields },
  });
const complete = (server: TestServer, key = "checkout") =>
  server.admin.request("POST /experiments/{experiment_id}/complete", { params: { experiment_id: key } });
const deliveries = async (server: TestServer, id: string) =>
  (await server.admin.request("GET /integrations/{id}/deliveries", { params: { id } })).items;
const settled = (server: TestServer, id: string, ...expected: object[]) =>
  vi.waitFor(async () => expect(await deliveries(server, id)).toMatchObject(expected));

/** Advances the clock of the server and runs due timers. */
async function wait(server: TestServer, milliseconds: number): Promise<void> {
  server.advance(milliseconds);
  await vi.advanceTimersByTimeAsync(30_000);
}

test("sends the results of a completed experiment: comments, and the status of the campaign", async () => {
  const server = await start();
  const ids = [];
  for (const [type, config] of Object.entries(configs(parties.url))) {
    ids.push((await connect(server.admin, type as "TRACKER", config)).id);
  }
  await create(server, {
    ...LINKS,
    variants: [{ key: "a" }, { key: "b" }],
    metrics: [{ name: "Paid [x](http://evil) @all", event_type: "paid", role: "PRIMARY" }],
  });
  await vi.waitFor(() => expect(parties.requests).toHaveLength(2));
  const key = await server.withKey(["write"]);
  const events = Array.from({ length: 40 }, (_, index) => {
    const common = { user_id: `u${index}`, experiment_id: "checkout" };
    const exposure = { ...common, event_type: "exposure", variant_id: index % 2 ? "b" : "a" };
    return index % 4 === 1 ? [exposure, { ...common, event_type: "paid" }] : [exposure];
  }).flat();
  server.advance(1000);
  await key.request("POST /tracking/events", { body: { events } });
  server.advance(1000);
  parties.requests.length = 0;
  await server.admin.request("POST /experiments/{experiment_id}/complete", {
    params: { experiment_id: "checkout" },
    body: { winner: "b" },
  });
  for (const id of ids)
    await vi.waitFor(async () =>
      expect((await deliveries(server, id))[0]).toMatchObject({
        direction: "OUTBOUND",
        status: "DELIVERED",
        attempts: 1,
        reason: null,
        experiment_key: "checkout",
      }),
    );
  const sent = Object.fromEntries(parties.requests.map((one) => [`${one.method} ${one.path}`, one]));
  expect(Object.keys(sent).sort()).toEqual([
    "PATCH /services/data/v61.0/sobjects/Campaign/701%2F1",
    "POST /repos/acme/shop/issues/42/comments",
    "POST /rest/api/2/issue/SHOP-1/comment",
  ]);
  const { body } = JSON.parse(sent["POST /rest/api/2/issue/SHOP-1/comment"]!.text);
  expect(JSON.parse(sent["POST /repos/acme/shop/issues/42/comments"]!.text)).toEqual({ body });
  const [title, users, metric] = body.split("\n");
  expect([title, users]).toEqual([
    "Assay: experiment checkout is COMPLETED, b wins.",
    "Users: 20 in control, 20 in treatment.",
  ]);
  expect(metric).toMatch(
    /^- Paid x \(http:\u200b\/\/evil\) @\u200ball \(primary\), b: 0 to 0.5, difference .* p = .*, significant$/,
  );
  expect(JSON.parse(sent["PATCH /services/data/v61.0/sobjects/Campaign/701%2F1"]!.text)).toEqual({
    Status: "Completed",
  });
});

test("sends each status of a campaign once, and the results if it has a field for them", async () => {
  const server = await start();
  const { id } = await connect(server.admin, "CRM", { ...configs(parties.url).CRM, results_field: "Outcome__c" });
  await create(server);
  await settled(server, id, { event: "campaign_status", subject: "701/1", status: "DELIVERED" });
  await server.admin.request("PUT /experiments/{experiment_id}", {
    params: { experiment_id: "checkout" },
    body: { description: "x" },
  });
  await complete(server);
  await settled(server, id, { status: "DELIVERED" }, { status: "DELIVERED" });
  await server.admin.request("POST /experiments/{experiment_id}/archive", { params: { experiment_id: "checkout" } });
  const bodies = parties.requests.filter(({ method }) => method === "PATCH").map(({ text }) => JSON.parse(text));
  expect(bodies).toEqual([
    { Status: "In Progress" },
    { Status: "Completed", Outcome__c: "Assay: experiment checkout is COMPLETED.\nThere is no data to show." },
  ]);
});

test("sends nothing without a link, and nothing to an inactive integration", async () => {
  const server = await start();
  const tracker = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(server, {}, "unlinked");
  await complete(server, "unlinked");
  await server.admin.request("DELETE /integrations/{id}", { params: { id: tracker.id } });
  await create(server);
  await complete(server);
  const other = await connect(server.admin, "CODEHOST", configs(parties.url).CODEHOST);
  await create(server, { code_pull_request: "../../user/emails#1" }, "odd");
  await complete(server, "odd");
  await settled(server, other.id, {
    status: "FAILED",
    reason: "code_pull_request is not owner/repository#1",
    attempts: 0,
  });
  expect([await deliveries(server, tracker.id), parties.requests]).toEqual([[], []]);
});

test("does not notify the CRM that completed the experiment", async () => {
  const server = await start();
  const { id } = await connect(server.admin, "CRM", { ...configs(parties.url).CRM, allow_unsigned: true });
  await create(server, { crm_campaign_id: "701/1", status: "DRAFT" });
  for (const status of ["In Progress", "Completed"]) {
    await server.send("POST", `/integrations/${id}/webhook/crm`, { body: { campaign_id: "701/1", status } });
  }
  await settled(
    server,
    id,
    { direction: "INBOUND", status: "PROCESSED" },
    { direction: "INBOUND", status: "PROCESSED" },
  );
  expect(parties.requests).toEqual([]);
});

test.each<[string, Fault[], string]>([
  ["a 500", [500], "The other system answered 500"],
  ["a 429", [429], "The other system answered 429"],
  ["a reset connection", ["reset"], "CONNECTION: The other side cannot be reached, or closed the connection"],
])("after %s it retries with increasing delays", async (_, faults, reason) => {
  const server = await start();
  const { id } = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(server);
  parties.failNext(...faults, ...faults);
  await complete(server);
  await settled(server, id, { status: "PENDING", attempts: 1, reason, next_attempt_at: "2026-03-01T12:01:00.000Z" });
  await wait(server, MINUTE);
  await settled(server, id, { status: "PENDING", attempts: 2, reason, next_attempt_at: "2026-03-01T12:03:00.000Z" });
  await wait(server, MINUTE);
  expect(parties.requests).toHaveLength(2);
  await wait(server, MINUTE);
  await settled(server, id, { status: "DELIVERED", attempts: 3, reason: null, next_attempt_at: null });
  expect(new Set(parties.requests.map(({ text }) => text)).size).toBe(1);
});

test("waits for Retry-After", async () => {
  const server = await start();
  const { id } = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(server);
  parties.failNext({ retryAfter: 900 });
  await complete(server);
  await settled(server, id, { status: "PENDING", next_attempt_at: "2026-03-01T12:15:00.000Z" });
});

test.each<[string, Fault, string]>([
  ["a 404", 404, "The other system answered 404"],
  ["a 401", 401, "The other system answered 401"],
  ["an endless answer", "huge", "TOO_LARGE: The response is too large"],
])("after %s it stops retrying", async (_, fault, reason) => {
  const server = await start();
  const { id } = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(server);
  parties.failNext(fault);
  await complete(server);
  await settled(server, id, { status: "FAILED", attempts: 1, reason, next_attempt_at: null });
  await wait(server, 24 * 60 * MINUTE);
  expect(parties.requests).toHaveLength(1);
});

test("tries eight times, without an effect on the completion", async () => {
  const server = await start();
  const { id } = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(server);
  parties.failNext(...Array<Fault>(20).fill(503));
  expect((await complete(server)).status).toBe("COMPLETED");
  for (let attempts = 1; attempts <= 8; attempts++) {
    await settled(server, id, { attempts, status: attempts < 8 ? "PENDING" : "FAILED" });
    await wait(server, 6 * 60 * MINUTE);
  }
  expect(parties.requests).toHaveLength(8);
});

test("the next server sends what was in progress when a server stopped", async () => {
  const store = memoryStore();
  const first = await start({ storage: { ...store, close: async () => {} } });
  const { id } = await connect(first.admin, "TRACKER", configs(parties.url).TRACKER);
  await create(first);
  parties.failNext("hang");
  await complete(first);
  await vi.waitFor(() => expect(parties.requests).toHaveLength(1));
  await first.assay.close();
  const later = first.now() + MINUTE;
  const next = await start({ storage: store, now: () => later });
  await settled(next, id, { status: "DELIVERED", attempts: 2 });
});

test("two nodes on one store send a message once", async () => {
  const store = memoryStore();
  let now = Date.parse("2026-03-01T12:00:00.000Z");
  const options = () => ({ storage: { ...store, close: async () => {} }, now: () => now });
  const first = await start(options());
  const { id } = await connect(first.admin, "TRACKER", configs(parties.url).TRACKER);
  const second = await start(options());
  await create(first);
  parties.failNext(503);
  await complete(first);
  await settled(first, id, { status: "PENDING", attempts: 1 });
  now += MINUTE;
  await vi.advanceTimersByTimeAsync(30_000);
  await settled(second, id, { status: "DELIVERED", attempts: 2 });
  expect(parties.requests).toHaveLength(2);
});

test("one request replaces a rejected access token for all that wait", async () => {
  const server = await start();
  await connect(server.admin, "CRM", { ...configs(parties.url).CRM, access_token: SECRETS.access_token });
  const release = parties.holdAnswers();
  for (const key of ["one", "two", "three"]) await create(server, { crm_campaign_id: key }, key);
  await vi.waitFor(() => expect(parties.requests.filter(({ method }) => method === "PATCH")).toHaveLength(3));
  release();
  const bearer = () =>
    parties.requests.filter(({ method }) => method === "PATCH").map((one) => one.headers.authorization);
  const supplied = `Bearer ${SECRETS.access_token}`;
  await vi.waitFor(() =>
    expect(bearer()).toEqual([supplied, supplied, supplied, ...Array(3).fill("Bearer token-hush-1")]),
  );
  expect(parties.requests.filter(({ path }) => path.endsWith("/token"))).toHaveLength(1);
  parties.revokeTokens();
  await complete(server, "one");
  await vi.waitFor(() => expect(bearer().slice(6)).toEqual(["Bearer token-hush-1", "Bearer token-hush-2"]));
  server.advance(7200_000);
  await complete(server, "two");
  await vi.waitFor(() => expect(bearer().slice(8)).toEqual(["Bearer token-hush-3"]));
});

test.each<[string, Fault[], { success: boolean; status: number | null; reason: unknown }]>([
  ["answers", [], { success: true, status: 200, reason: null }],
  ["refuses", [401], { success: false, status: 401, reason: "The other system answered 401" }],
  ["fails", [503, 503, 503], { success: false, status: 503, reason: "The other system answered 503" }],
  [
    "resets",
    ["reset", "reset", "reset"],
    { success: false, status: null, reason: expect.stringMatching(/^CONNECTION: /) },
  ],
  ["never ends", ["huge"], { success: false, status: null, reason: expect.stringMatching(/^TOO_LARGE: /) }],
  [
    "redirects inside",
    [{ redirect: "http://169.254.169.254/latest/meta-data/" }],
    { success: false, status: null, reason: expect.stringMatching(/^BLOCKED_ADDRESS: /) },
  ],
])("the test of an integration reports whether the other side %s", async (_, faults, expected) => {
  const server = await start();
  const { id } = await connect(server.admin, "TRACKER", configs(parties.url).TRACKER);
  parties.failNext(...faults);
  const result = await server.admin.request("POST /integrations/{id}/test", { params: { id } });
  expect(result).toEqual({ ...expected, latency_ms: expect.any(Number) });
});

test("the test requests a token of a CRM with the stored credentials, and the user of a code host", async () => {
  const server = await start();
  const check = async (id: string) => server.admin.request("POST /integrations/{id}/test", { params: { id } });
  const crm = await connect(server.admin, "CRM", configs(parties.url).CRM);
  expect(await check(crm.id)).toMatchObject({ success: true, status: 200 });
  const wrong = await connect(server.admin, "CRM", { ...configs(parties.url).CRM, client_secret: "wrong" }, "Wrong");
  expect(await check(wrong.id)).toMatchObject({
    success: false,
    status: 400,
    reason: "The token endpoint answered 400 without an access token",
  });
  const code = await connect(server.admin, "CODEHOST", configs(parties.url).CODEHOST);
  expect(await check(code.id)).toMatchObject({ success: true });
  expect(parties.requests.map(({ path }) => path)).toEqual([
    "/services/oauth2/token",
    "/services/data/v61.0/sobjects/Campaign",
    "/services/oauth2/token",
    "/rate_limit",
  ]);
});

test("never connects to an internal address", async () => {
  const server = await createTestServer();
  servers.push(server);
  const { port } = new URL(parties.url);
  for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0"]) {
    const config = configs(`http://${host}:${port}`).TRACKER;
    const { id } = await connect(server.admin, "TRACKER", config, host);
    const result = await server.admin.request("POST /integrations/{id}/test", { params: { id } });
    expect(result).toMatchObject({ success: false, status: null, reason: expect.stringMatching(/^BLOCKED_ADDRESS: /) });
  }
  expect(parties.requests).toEqual([]);
});

test("the trail, the log and the responses never contain a secret", async () => {
  const lines: unknown[] = [];
  const note = (...words: unknown[]) => void lines.push(words);
  const server = await start({ logger: { info: note, warn: note, error: note } });
  const answers: unknown[] = [];
  const ids: string[] = [];
  const { webhook_token, webhook_secret } = SECRETS;
  for (const [type, config] of Object.entries(configs(parties.url))) {
    const more = type === "CODEHOST" ? {} : { webhook_token, webhook_secret };
    const token = type === "CRM" ? { access_token: SECRETS.access_token } : {};
    const created = await connect(server.admin, type as "CRM", { ...config, ...more, ...token });
    ids.push(created.id);
    answers.push(created);
  }
  await create(server);
  parties.failNext(500, 401, "reset", 503, { redirect: `http://10.0.0.1/?${SECRETS.token}` });
  await complete(server);
  await server.send("POST", "/integrations", { body: { config: configs(parties.url).TRACKER } });
  for (const id of ids) {
    const params = { id };
    const odd = { config: { description: SECRETS.token, api_tokn: SECRETS.api_token, tokn: SECRETS.token } };
    answers.push(
      await server.admin.request("PUT /integrations/{id}", { params, body: odd as never }).catch((error) => error),
    );
    answers.push(await server.admin.request("POST /integrations/{id}/test", { params }));
    answers.push(await server.admin.request("GET /integrations/{id}", { params }));
    for (const path of ["tracker", "crm", "codehost"]) {
      const headers = { "x-assay-webhook-token": webhook_token, "x-hub-signature-256": "sha256=0" };
      answers.push(await server.send("POST", `/integrations/${id}/webhook/${path}`, { body: {}, headers }));
    }
    await vi.waitFor(async () =>
      expect((await deliveries(server, id)).every(({ status }) => status !== "RECEIVED")).toBe(true),
    );
    answers.push(await deliveries(server, id));
  }
  await server.admin.request("DELETE /integrations/{id}", { params: { id: ids[0]! } });
  answers.push(await server.admin.request("GET /integrations"));
  const trail = await server.admin.request("GET /audit-logs", { query: { limit: 500 } });
  expect(trail.items.map(({ action }) => action)).toContain("integration.create");
  const text = [lines, answers, trail].map((one) => JSON.stringify(one, withErrors)).join("\n");
  for (const secret of Object.values(SECRETS)) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(`bot@example.org:${secret}`).toString("base64"));
  }
  expect(text).not.toMatch(/token-hush|s1\.[\w-]{8}\./);
});

/** Errors with their messages, which `JSON.stringify` alone omits. */
function withErrors(_: string, value: unknown): unknown {
  return value instanceof Error
    ? Object.fromEntries(Object.getOwnPropertyNames(value).map((name) => [name, value[name as "message"]]))
    : value;
}
