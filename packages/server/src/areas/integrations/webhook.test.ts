import { createHmac } from "node:crypto";
import { memoryStore } from "@assay/store";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { createTestServer, ORIGIN, type TestServer } from "../../testing.fixture.ts";
import { configs, connect, SECRETS } from "./third-party.fixture.ts";

const URL_ = "https://third.example";
const DAY = 24 * 3600 * 1000;

const sign = (text: string, secret = SECRETS.webhook_secret) =>
  `sha256=${createHmac("sha256", secret).update(text).digest("hex")}`;

/** Creates a server with an experiment that is linked to every integration. */
async function setUp(options: Parameters<typeof createTestServer>[0] = {}) {
  const server = await createTestServer(options);
  await server.admin.request("POST /experiments/", {
    body: {
      key: "checkout",
      name: "Checkout",
      variants: [{ key: "a" }, { key: "b" }],
      tracker_issue_key: "SHOP-1",
      crm_campaign_id: "701-1",
      code_pull_request: "Acme/shop#42",
    },
  });
  return server;
}

const status = async (server: TestServer, key = "checkout") =>
  (await server.admin.request("GET /experiments/{experiment_id}", { params: { experiment_id: key } })).status;
const move = (server: TestServer, action: "start" | "pause" | "complete") =>
  server.admin.request(`POST /experiments/{experiment_id}/${action}`, { params: { experiment_id: "checkout" } });
const deliveries = async (server: TestServer, id: string) =>
  (await server.admin.request("GET /integrations/{id}/deliveries", { params: { id } })).items;

/** Sends bytes as a third party does. */
async function deliver(
  server: TestServer,
  id: string,
  path: "tracker" | "crm" | "codehost",
  body: unknown,
  headers: Record<string, string> = {},
  query = "",
) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await server.assay.fetch(
    new Request(`${ORIGIN}/api/v1/integrations/${id}/webhook/${path}${query}`, {
      method: "POST",
      body: text,
      headers: { "content-type": "application/json", ...headers },
    }),
  );
  return { status: response.status, json: await response.json() };
}

const moved = (to: string, key = "SHOP-1", id = Math.random()) => ({
  webhookEvent: "jira:issue_updated",
  timestamp: id,
  issue: { id: "10001", key, fields: { summary: "Checkout", status: { name: to } } },
  changelog: { items: [{ field: "status", fromString: "To Do", toString: to }] },
});

const unsigned = (server: TestServer) =>
  connect(server.admin, "TRACKER", { ...configs(URL_).TRACKER, allow_unsigned: true });

const pullRequest = (fields: object) => ({
  action: "closed",
  number: 42,
  pull_request: {
    title: "New checkout",
    html_url: "https://code.example/1",
    head: { ref: "x" },
    base: { ref: "main" },
  },
  repository: { full_name: "acme/shop" },
  ...fields,
});

/** Sends an event of the code host with a valid signature. */
function push(server: TestServer, id: string, body: object, headers: Record<string, string> = {}) {
  const text = JSON.stringify(body);
  return deliver(server, id, "codehost", text, {
    "x-codehost-event": "pull_request",
    "x-codehost-delivery": `d-${Math.random()}`,
    "x-hub-signature-256": sign(text),
    ...headers,
  });
}

test.each([
  ["In Progress", "DRAFT", "ACTIVE"],
  ["in progress", "PAUSED", "ACTIVE"],
  ["Blocked", "ACTIVE", "PAUSED"],
  ["On Hold", "ACTIVE", "PAUSED"],
  ["Done", "ACTIVE", "COMPLETED"],
  ["Resolved", "PAUSED", "COMPLETED"],
  ["Won't Do", "ACTIVE", "ARCHIVED"],
  ["In Review", "ACTIVE", "ACTIVE"],
])("an issue that becomes %s takes an experiment from %s to %s", async (to, from, expected) => {
  const server = await setUp();
  const { id } = await unsigned(server);
  if (from !== "DRAFT") await move(server, "start");
  if (from === "PAUSED") await move(server, "pause");
  expect(await deliver(server, id, "tracker", moved(to))).toEqual({ status: 200, json: { processed: true } });
  expect(await status(server)).toBe(expected);
});

test("the trail records a webhook as the actor with its reason, and so does the log of deliveries", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  await deliver(server, id, "tracker", moved("In Progress"), { "x-atlassian-webhook-identifier": "w-1" });
  const { items } = await server.admin.request("GET /audit-logs", { query: { action: "experiment.start" } });
  const { id: admin } = await server.admin.request("GET /users/me");
  const reason = `Issue SHOP-1 is In Progress (integration "TRACKER integration", for its last editor admin (${admin}))`;
  expect(items).toMatchObject([{ actor_type: "WEBHOOK", actor_id: id, reason }]);
  expect(await deliveries(server, id)).toMatchObject([
    {
      direction: "INBOUND",
      event: "jira:issue_updated",
      subject: "SHOP-1",
      experiment_key: "checkout",
      action: "experiment.start",
      status: "PROCESSED",
      verified: false,
      delivery_id: "w-1",
      repeats: 0,
    },
  ]);
});

test("an illegal change is answered as processed, changes nothing, and the trail contains the reason", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  expect(await deliver(server, id, "tracker", moved("Blocked"))).toEqual({ status: 200, json: { processed: true } });
  expect(await status(server)).toBe("DRAFT");
  const why = "An experiment cannot go from DRAFT to PAUSED";
  await vi.waitFor(async () => {
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "experiment.change_refused" } });
    expect(items).toMatchObject([
      { resource_name: "checkout", actor_type: "WEBHOOK", new_value: { asked: "PAUSE", refusal: why } },
    ]);
  });
  expect(await deliveries(server, id)).toMatchObject([{ status: "IGNORED", reason: why }]);
});

test("reacts only to a changed status", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  const done = { key: "SHOP-1", fields: { status: { name: "In Progress" } } };
  const silent = [
    { webhookEvent: "jira:issue_updated", issue: done, changelog: { items: [{ field: "summary", toString: "x" }] } },
    { webhookEvent: "comment_created", issue: done },
    { webhookEvent: "jira:issue_updated", issue: { key: "SHOP-2", fields: done.fields } },
    { webhookEvent: "jira:issue_updated", issue: { key: "SHOP-1" } },
    { changelog: { items: [{ field: "status" }] }, issue: done },
    { issue: [] },
    { webhookEvent: 5, issue: { key: {} }, changelog: { items: "x" } },
    {},
  ];
  for (const body of silent) {
    expect(await deliver(server, id, "tracker", body)).toEqual({ status: 200, json: { processed: true } });
  }
  expect(await status(server)).toBe("DRAFT");
  expect((await deliveries(server, id)).map((one) => one.status)).toEqual(silent.map(() => "IGNORED"));
  // An automation rule that sends the issue without a changelog.
  await deliver(server, id, "tracker", { issue: done });
  expect(await status(server)).toBe("ACTIVE");
});

test("a custom table of statuses replaces the built-in one", async () => {
  const server = await setUp();
  const config = { ...configs(URL_).TRACKER, allow_unsigned: true, transitions: { Läuft: "start" } };
  const { id } = await connect(server.admin, "TRACKER", config);
  await deliver(server, id, "tracker", moved("In Progress"));
  expect(await status(server)).toBe("DRAFT");
  await deliver(server, id, "tracker", moved("läuft"));
  expect(await status(server)).toBe("ACTIVE");
});

test("logs an unsigned webhook, which changes nothing unless allow_unsigned is set", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "TRACKER", configs(URL_).TRACKER);
  expect(await deliver(server, id, "tracker", moved("In Progress"))).toEqual({
    status: 200,
    json: { processed: true },
  });
  expect(await status(server)).toBe("DRAFT");
  expect(await deliveries(server, id)).toMatchObject([{ status: "IGNORED", verified: false }]);
});

test("accepts a token in a header or in the query, and rejects a request without it", async () => {
  const server = await setUp();
  const config = { ...configs(URL_).TRACKER, webhook_token: SECRETS.webhook_token, allow_unsigned: true };
  const { id } = await connect(server.admin, "TRACKER", config);
  const refused = { status: 401, json: { detail: "Invalid webhook signature" } };
  expect(await deliver(server, id, "tracker", moved("In Progress"))).toEqual(refused);
  expect(await deliver(server, id, "tracker", moved("In Progress"), { "x-assay-webhook-token": "wrong" })).toEqual(
    refused,
  );
  expect(await deliver(server, id, "tracker", moved("In Progress"), {}, "?token=")).toEqual(refused);
  expect(await deliver(server, id, "tracker", "{not json", {}, "?token=wrong")).toEqual(refused);
  expect(await deliveries(server, id)).toEqual([]);
  const token = { "x-assay-webhook-token": SECRETS.webhook_token };
  expect((await deliver(server, id, "tracker", moved("In Progress"), token)).status).toBe(200);
  expect(await status(server)).toBe("ACTIVE");
  expect((await deliver(server, id, "tracker", moved("Blocked"), {}, `?token=${SECRETS.webhook_token}`)).status).toBe(
    200,
  );
  expect(await status(server)).toBe("PAUSED");
  expect(await deliveries(server, id)).toMatchObject([{ verified: true }, { verified: true }]);
  await vi.waitFor(async () => {
    const query = { action: "integration.webhook_refused" };
    const { items } = await server.admin.request("GET /audit-logs", { query });
    expect(items).toHaveLength(4);
    expect(items[0]).toMatchObject({ resource_type: "integration", resource_id: id });
  });
});

test("checks a tracker's signature over the raw bytes if it has a secret", async () => {
  const server = await setUp();
  const config = { ...configs(URL_).TRACKER, webhook_secret: SECRETS.webhook_secret };
  const { id } = await connect(server.admin, "TRACKER", config);
  const text = ` ${JSON.stringify(moved("In Progress"))}\n`;
  expect((await deliver(server, id, "tracker", text, { "x-hub-signature": sign(text.trim()) })).status).toBe(401);
  expect((await deliver(server, id, "tracker", text, { "x-hub-signature": sign(text) })).status).toBe(200);
  expect(await status(server)).toBe("ACTIVE");
});

test("a campaign starts and completes the experiment that it names or is linked to", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CRM", { ...configs(URL_).CRM, allow_unsigned: true });
  const event = { event_type: "campaign.updated", campaign_id: "701-9", campaign_name: "Spring" };
  const ok = { status: 200, json: { processed: true } };
  expect(await deliver(server, id, "crm", { ...event, status: "In Progress", experiment_key: "checkout" })).toEqual(ok);
  expect(await status(server)).toBe("ACTIVE");
  expect(await deliver(server, id, "crm", { ...event, status: "Completed" })).toEqual(ok);
  expect(await deliver(server, id, "crm", { ...event, status: "Completed", experiment_key: "no-such" })).toEqual(ok);
  expect(await status(server)).toBe("ACTIVE");
  expect(await deliver(server, id, "crm", { ...event, status: "Aborted", campaign_id: "701-1" })).toEqual(ok);
  expect(await status(server)).toBe("COMPLETED");
  expect((await deliveries(server, id)).map((one) => [one.subject, one.status])).toEqual([
    ["701-1", "PROCESSED"],
    ["701-9", "IGNORED"],
    ["701-9", "IGNORED"],
    ["701-9", "PROCESSED"],
  ]);
});

test("a pull request closed without a merge pauses a running experiment; a merged one adds a note", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST);
  const ok = { status: 200, json: { processed: true } };
  expect(await push(server, id, pullRequest({ pull_request: { merged: false } }))).toEqual(ok);
  expect(await status(server)).toBe("DRAFT");
  await move(server, "start");
  expect(await push(server, id, pullRequest({ action: "opened" }))).toEqual(ok);
  expect(await push(server, id, pullRequest({ number: 43 }))).toEqual(ok);
  expect(await push(server, id, { ref: "refs/heads/main" }, { "x-codehost-event": "push" })).toEqual(ok);
  expect(await push(server, id, pullRequest({ pull_request: { title: "T", merged: true } }))).toEqual(ok);
  expect(await status(server)).toBe("ACTIVE");
  await vi.waitFor(async () => {
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "experiment.note" } });
    expect(items).toMatchObject([
      { new_value: { note: 'Pull request acme/shop#42 "T" was merged' }, actor_type: "WEBHOOK" },
    ]);
  });
  expect(await push(server, id, pullRequest({ round: 2 }))).toEqual(ok);
  expect(await status(server)).toBe("PAUSED");
});

test("rejects every code-host webhook without the right signature with 401", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST);
  await move(server, "start");
  const text = JSON.stringify(pullRequest({}));
  const signatures = [
    {},
    { "x-hub-signature-256": "" },
    { "x-hub-signature-256": sign(text, "another") },
    { "x-hub-signature-256": sign(`${text} `) },
    { "x-hub-signature-256": sign(text).replace("sha256=", "") },
    { "x-hub-signature-256": `sha1=${createHmac("sha1", SECRETS.webhook_secret).update(text).digest("hex")}` },
    { "x-assay-webhook-token": SECRETS.webhook_secret },
  ];
  for (const headers of signatures) {
    const answer = await deliver(server, id, "codehost", text, headers as Record<string, string>);
    expect(answer).toEqual({ status: 401, json: { detail: "Invalid webhook signature" } });
  }
  expect((await deliver(server, id, "codehost", "{broken")).status).toBe(401);
  expect(await status(server)).toBe("ACTIVE");
  expect(await deliveries(server, id)).toEqual([]);
});

test("rejects a body that is not a JSON object with 400, 415 or 422, and a large one with 413", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST);
  const signed = (text: string, headers = {}) =>
    deliver(server, id, "codehost", text, { "x-hub-signature-256": sign(text), ...headers });
  expect(await signed("{broken")).toEqual({ status: 400, json: { detail: "Request body is not valid JSON" } });
  expect((await signed("{}", { "content-type": "application/x-www-form-urlencoded" })).status).toBe(415);
  for (const text of ["[]", "null", '"x"', "1", ""]) expect([text, (await signed(text)).status]).toEqual([text, 422]);
  expect((await signed(`{"x":"${"y".repeat(1_048_576)}"}`)).status).toBe(413);
});

test("ignores a repeated delivery for a week: the same id, or the same body under another id", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST);
  await move(server, "start");
  const closed = pullRequest({});
  const again = { status: 200, json: { processed: true, duplicate: true } };
  await push(server, id, closed, { "x-codehost-delivery": "one" });
  expect(await status(server)).toBe("PAUSED");
  await move(server, "start");
  expect(await push(server, id, closed, { "x-codehost-delivery": "one" })).toEqual(again);
  expect(await push(server, id, closed, { "x-codehost-delivery": "two" })).toEqual(again);
  expect(await push(server, id, pullRequest({ x: 1 }), { "x-codehost-delivery": "one" })).toEqual(again);
  server.advance(7 * DAY);
  expect(await push(server, id, closed, { "x-codehost-delivery": "one" })).toEqual(again);
  expect(await status(server)).toBe("ACTIVE");
  expect(await deliveries(server, id)).toMatchObject([{ delivery_id: "one", repeats: 4, status: "PROCESSED" }]);
  server.advance(2 * DAY);
  expect(await push(server, id, closed, { "x-codehost-delivery": "one" })).toEqual({
    status: 200,
    json: { processed: true },
  });
  expect(await status(server)).toBe("PAUSED");
});

test("one of many simultaneous deliveries takes effect", async () => {
  const server = await setUp();
  const { id } = await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST);
  await move(server, "start");
  const headers = { "x-codehost-delivery": "one" };
  const answers = await Promise.all(Array.from({ length: 10 }, () => push(server, id, pullRequest({}), headers)));
  expect(answers.filter(({ json }) => json.duplicate)).toHaveLength(9);
  const { items } = await server.admin.request("GET /audit-logs", { query: { action: "experiment.pause" } });
  expect(items).toHaveLength(1);
});

test("an interrupted delivery is processed when it is sent again after a restart", async () => {
  const store = memoryStore();
  let isCut = false;
  const cutting = {
    ...store,
    close: async () => {},
    batch: (operations: Parameters<typeof store.batch>[0]) =>
      isCut && !operations.some(({ type }) => type === "claim")
        ? Promise.reject(Object.assign(new Error("gone"), { name: "StoreUnavailable" }))
        : store.batch(operations),
  };
  const server = await setUp({ storage: cutting });
  const { id } = await unsigned(server);
  const body = moved("In Progress");
  const headers = { "x-atlassian-webhook-identifier": "one" };
  isCut = true;
  expect((await deliver(server, id, "tracker", body, headers)).status).toBe(503);
  isCut = false;
  expect(await deliveries(server, id)).toMatchObject([{ status: "RECEIVED" }]);
  await server.assay.close();
  const next = await createTestServer({ storage: store });
  expect(await deliver(next, id, "tracker", body, headers)).toEqual({ status: 200, json: { processed: true } });
  expect(await status(next)).toBe("ACTIVE");
  const again = { status: 200, json: { processed: true, duplicate: true } };
  expect(await deliver(next, id, "tracker", body, headers)).toEqual(again);
});

test("processes the same unsigned body again", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  await deliver(server, id, "tracker", moved("In Progress"));
  await move(server, "pause");
  expect(await deliver(server, id, "tracker", moved("In Progress"))).toEqual({
    status: 200,
    json: { processed: true },
  });
  expect(await status(server)).toBe("ACTIVE");
});

test("answers 404 for another type, an unknown integration and a deactivated one", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  const missing = { status: 404, json: { detail: "Resource not found" } };
  expect(await deliver(server, id, "crm", {})).toEqual(missing);
  expect(await deliver(server, id, "codehost", {})).toEqual(missing);
  expect(await deliver(server, "018f0000-0000-7000-8000-000000000000", "tracker", {})).toEqual(missing);
  expect((await deliver(server, "no-uuid", "tracker", {})).status).toBe(422);
  await server.admin.request("DELETE /integrations/{id}", { params: { id } });
  expect(await deliver(server, id, "tracker", moved("In Progress"))).toEqual(missing);
});

test("a webhook has the current rights of the last editor of its integration", async () => {
  const server = await setUp();
  const developer = await server.as("DEVELOPER");
  const { id } = await connect(developer, "TRACKER", { ...configs(URL_).TRACKER, allow_unsigned: true });
  await developer.request("POST /experiments/", {
    body: { key: "own", name: "Own", variants: [{ key: "a" }, { key: "b" }], tracker_issue_key: "SHOP-7" },
  });
  await deliver(server, id, "tracker", moved("In Progress"));
  await deliver(server, id, "tracker", moved("In Progress", "SHOP-7"));
  expect([await status(server), await status(server, "own")]).toEqual(["DRAFT", "ACTIVE"]);
  await server.admin.request("PATCH /admin/users/{user_id}", {
    params: { user_id: developer.user.id },
    body: { role: "VIEWER" },
  });
  await deliver(server, id, "tracker", moved("Blocked", "SHOP-7"));
  expect(await status(server, "own")).toBe("ACTIVE");
  expect((await deliveries(server, id))[0]).toMatchObject({
    status: "IGNORED",
    reason: "The last editor of the integration may no longer change experiments",
  });
});

describe("an integration that another user edited", () => {
  /** Creates an ACTIVE experiment of ada, linked to her integration, which bob may edit. */
  async function setUpTwo() {
    const server = await setUp();
    const [ada, bob] = [await server.as("DEVELOPER", "ada"), await server.as("DEVELOPER", "bob")];
    const { id } = await connect(ada, "TRACKER", { ...configs(URL_).TRACKER, webhook_token: SECRETS.webhook_token });
    await ada.request("POST /experiments/", {
      body: {
        key: "hers",
        name: "Hers",
        status: "ACTIVE",
        variants: [{ key: "a" }, { key: "b" }],
        tracker_issue_key: "SHOP-7",
      },
    });
    const edit = (who: typeof bob, config: Record<string, unknown> = {}) =>
      who.request("PUT /integrations/{id}", { params: { id }, body: { config: config as never } });
    const refused = async () => {
      const query = { action: "experiment.change_refused" };
      return vi.waitFor(async () => {
        const { items } = await server.admin.request("GET /audit-logs", { query });
        expect(items.length).toBeGreaterThan(0);
        return items;
      });
    };
    return { server, ada, bob, id, edit, refused };
  }

  test("changes no experiment that the editor may not change, and the trail names the editor", async () => {
    const { server, bob, id, edit, refused } = await setUpTwo();
    await edit(bob, { webhook_token: null, allow_unsigned: true });
    for (const to of ["Done", "Blocked", "Cancelled"]) await deliver(server, id, "tracker", moved(to, "SHOP-7"));
    expect(await status(server, "hers")).toBe("ACTIVE");
    const refusal = 'Not enough permissions: owner or ADMIN required for experiment "hers"';
    expect((await deliveries(server, id))[0]).toMatchObject({ status: "IGNORED", reason: refusal });
    expect((await refused())[0]).toMatchObject({
      actor_type: "WEBHOOK",
      actor_id: id,
      resource_name: "hers",
      new_value: { refusal, integration: "TRACKER integration", editor: `bob (${bob.user.id})` },
    });
  });

  test("acts for its owner again after the owner edited it", async () => {
    const { server, ada, bob, id, edit } = await setUpTwo();
    await edit(bob, { webhook_token: null, allow_unsigned: true });
    await edit(ada);
    await deliver(server, id, "tracker", moved("Done", "SHOP-7"));
    expect(await status(server, "hers")).toBe("COMPLETED");
    const { items } = await server.admin.request("GET /audit-logs", { query: { action: "experiment.complete" } });
    expect(items).toMatchObject([
      {
        actor_type: "WEBHOOK",
        actor_id: id,
        reason: expect.stringContaining(`for its last editor ada (${ada.user.id})`),
      },
    ]);
  });

  test.each([
    ["deactivated", { is_active: false }],
    ["VIEWER by now", { role: "VIEWER" }],
  ] as const)("does nothing once the editor is %s, and adds no note", async (_, body) => {
    const { server, bob } = await setUpTwo();
    const code = await connect(bob, "CODEHOST", configs(URL_).CODEHOST);
    await bob.request("POST /experiments/", {
      body: { key: "his", name: "His", variants: [{ key: "a" }, { key: "b" }], code_pull_request: "acme/own#1" },
    });
    const merge = (number: number) =>
      push(server, code.id, {
        ...pullRequest({ pull_request: { title: "T", merged: true } }),
        number: 1,
        round: number,
        repository: { full_name: "acme/own" },
      });
    const notes = async () =>
      (await server.admin.request("GET /audit-logs", { query: { action: "experiment.note" } })).items;
    await merge(1);
    await vi.waitFor(async () =>
      expect(await notes()).toMatchObject([{ new_value: { editor: `bob (${bob.user.id})` } }]),
    );
    await server.admin.request("PATCH /admin/users/{user_id}", { params: { user_id: bob.user.id }, body });
    await merge(2);
    expect((await deliveries(server, code.id))[0]).toMatchObject({
      status: "IGNORED",
      reason: "The last editor of the integration may no longer change experiments",
    });
    expect(await notes()).toHaveLength(1);
  });

  test("adds no note to an experiment that the editor may not change", async () => {
    const { server, bob } = await setUpTwo();
    const code = await connect(bob, "CODEHOST", configs(URL_).CODEHOST);
    await push(server, code.id, pullRequest({ pull_request: { title: "T", merged: true } }));
    expect((await deliveries(server, code.id))[0]).toMatchObject({
      status: "IGNORED",
      reason: 'Not enough permissions: owner or ADMIN required for experiment "checkout"',
    });
  });
});

test("the log keeps the last 1,000 deliveries, newest first, in pages", async () => {
  const server = await setUp();
  const { id } = await unsigned(server);
  for (let number = 0; number < 1200; number++)
    await deliver(server, id, "tracker", { number, webhookEvent: `e${number}` });
  const page = (skip: number, limit: number) =>
    server.admin.request("GET /integrations/{id}/deliveries", { params: { id }, query: { skip, limit } });
  const { items, total } = await page(0, 2);
  expect([items.map((one) => one.event), total]).toEqual([["e1199", "e1198"], 1000]);
  expect((await page(999, 2)).items.map((one) => one.event)).toEqual(["e200"]);
});

test("answers any webhook request with a documented status", async () => {
  const server = await setUp();
  const open = { allow_unsigned: true };
  const ids = {
    tracker: (await connect(server.admin, "TRACKER", { ...configs(URL_).TRACKER, ...open })).id,
    crm: (await connect(server.admin, "CRM", { ...configs(URL_).CRM, ...open })).id,
    codehost: (await connect(server.admin, "CODEHOST", configs(URL_).CODEHOST)).id,
  };
  const text = fc.constantFrom(
    "status",
    "In Progress",
    "Done",
    "SHOP-1",
    "checkout",
    "701-1",
    "closed",
    "pull_request",
  );
  const fields = [
    ...["issue", "key", "fields", "status", "name", "changelog", "items", "field", "toString", "webhookEvent"],
    ...["campaign_id", "experiment_key", "action", "number", "pull_request", "merged", "title", "repository"],
    ...["full_name", "__proto__", "constructor"],
  ];
  const { body } = fc.letrec((tie) => ({
    body: fc.oneof(
      { maxDepth: 5, depthSize: "medium" },
      text,
      fc.jsonValue({ maxDepth: 1 }),
      fc.array(tie("body"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...fields), tie("body"), { maxKeys: 6 }),
    ),
  }));
  const sent = fc.oneof(
    body.map((value) => JSON.stringify(value) ?? ""),
    fc.string({ maxLength: 30 }),
    fc.constant('{"issue":{"key":"SHOP-1"},"changelog":{"items":[{"field":"status"},null,5]}}'),
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom("tracker", "crm", "codehost"), sent, text, async (path, payload, event) => {
      const headers = { "x-hub-signature-256": sign(payload), "x-codehost-event": event };
      const { status: answer, json } = await deliver(server, ids[path], path, payload, headers);
      expect([200, 400, 422]).toContain(answer);
      if (answer === 200) expect(json.processed).toBe(true);
    }),
    { numRuns: 300 },
  );
  for (const id of Object.values(ids)) {
    expect((await deliveries(server, id)).filter((one) => one.status === "FAILED")).toEqual([]);
  }
});
