import { createHmac } from "node:crypto";
import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { smtpMailer } from "../../mail/smtp-mailer.ts";
import type { AssayOptions } from "../../options.ts";
import { createTestServer, refusal, type TestServer } from "../../testing.fixture.ts";
import { startMailServer, startReceiver } from "./receiver.fixture.ts";

type Client = Pick<TestServer["admin"], "request">;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const SECRET = "a secret of the receiver";

let storage: Store;
let server: TestServer;
let receiver: Awaited<ReturnType<typeof startReceiver>>;
const opened: { close(): unknown }[] = [];

async function start(options: AssayOptions = {}) {
  server = await createTestServer({ storage, outbound: { allowPrivateNetworks: true }, ...options });
  return server;
}
beforeEach(async () => {
  storage = { ...memoryStore(), close: async () => {} };
  receiver = await startReceiver();
  await start();
});
afterEach(async () => {
  await server.assay.close();
  await receiver.close();
  for (const one of opened.splice(0)) await one.close();
});

const put = (who: Client, body: object) => who.request("PUT /notifications/preferences", { body: body as never });
const wantWebhook = (who: Client = server.admin, body: object = {}) =>
  put(who, { webhook_enabled: true, webhook_url: `${receiver.url}/hook`, webhook_secret: SECRET, ...body });
const log = async (query: object = {}) =>
  (await server.admin.request("GET /notifications/delivery-log", { query })).items;
const logged = (expected: object[], query: object = {}) =>
  vi.waitFor(async () => expect(await log(query)).toMatchObject(expected));
const variants = [{ key: "control" }, { key: "green" }];
const startExperiment = (key: string, body: object = {}) =>
  server.admin.request("POST /experiments/", { body: { name: key, key, status: "ACTIVE", variants, ...body } });
const move = (experiment_id: string, to: "pause" | "complete" | "archive" | "start") =>
  server.admin.request(`POST /experiments/{experiment_id}/${to}`, { params: { experiment_id } });

describe("a webhook", () => {
  test("contains what happened, signed together with the time of sending, under the delivery's id", async () => {
    await wantWebhook();
    const { id, created_by } = await startExperiment("green");
    await logged([{ status: "SENT", attempts: 1, error: null, event: "EXPERIMENT_STARTED", channel: "WEBHOOK" }]);
    const [{ headers, body, path }] = receiver.received as [(typeof receiver.received)[0]];
    expect(path).toBe("/hook");
    expect(headers["x-assay-signature"]).toBe(`sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`);
    const [delivery] = await log();
    expect(headers).toMatchObject({ "x-assay-delivery": delivery!.id, "x-assay-event": "EXPERIMENT_STARTED" });
    expect(JSON.parse(body)).toEqual({
      id: delivery!.id,
      sent_at: "2026-03-01T12:00:00.000Z",
      occurred_at: "2026-03-01T12:00:00.000Z",
      event: "EXPERIMENT_STARTED",
      title: 'Experiment "green" has started',
      text: 'Experiment "green" has started (green).',
      data: {
        experiment_id: id,
        experiment_key: "green",
        old_status: null,
        new_status: "ACTIVE",
        winner: null,
        actor_id: created_by,
        reason: null,
      },
    });
    expect(delivery).toMatchObject({ recipient: new URL(receiver.url).host, sent_at: "2026-03-01T12:00:00.000Z" });
    expect(JSON.stringify(delivery)).not.toContain("/hook");
  });

  test("that fails does not fail the action, and is retried with increasing delays", async () => {
    await wantWebhook();
    receiver.answer.status = 500;
    expect((await startExperiment("green")).status).toBe("ACTIVE");
    await logged([{ status: "PENDING", attempts: 1, error: "The other side answered 500" }]);
    for (const [wait, attempts] of [
      [1, 2],
      [5, 3],
      [30, 4],
      [120, 5],
    ] as const) {
      server.advance(wait * MINUTE - 1);
      await server.runJob("notification-retry");
      expect(await log()).toMatchObject([{ attempts: attempts - 1 }]);
      server.advance(1);
      await server.runJob("notification-retry");
      await logged([{ status: "PENDING", attempts }]);
    }
    server.advance(360 * MINUTE);
    await server.runJob("notification-retry");
    await logged([{ status: "FAILED", attempts: 6, next_attempt_at: null }]);
    server.advance(DAY);
    await server.runJob("notification-retry");
    expect(receiver.received).toHaveLength(6);
    expect(new Set(receiver.received.map(({ headers }) => headers["x-assay-delivery"])).size).toBe(1);
  });

  test("that was not delivered is sent after a restart", async () => {
    await wantWebhook();
    receiver.answer.status = 503;
    await startExperiment("green");
    await logged([{ status: "PENDING", attempts: 1 }]);
    await server.assay.close();
    receiver.answer.status = 204;
    await start();
    server.advance(MINUTE);
    await server.runJob("notification-retry");
    await logged([{ status: "SENT", attempts: 2, error: null }]);
  });

  test("to an internal address is not sent unless that is allowed", async () => {
    await server.assay.close();
    await start({ outbound: {} });
    await wantWebhook();
    await startExperiment("green");
    await logged([{ status: "PENDING", error: "The address is not on the public internet; see allowPrivateNetworks" }]);
    expect(receiver.received).toEqual([]);
  });

  test("that was disabled in the meantime is not retried", async () => {
    await wantWebhook();
    receiver.answer.status = 500;
    await startExperiment("green");
    await logged([{ status: "PENDING", attempts: 1 }]);
    await put(server.admin, { webhook_enabled: false });
    server.advance(MINUTE);
    await server.runJob("notification-retry");
    await logged([{ status: "CANCELLED", attempts: 1 }]);
  });
});

test("sends Slack text and blocks in which names are no markup", async () => {
  await put(server.admin, { slack_enabled: true, slack_webhook_url: `${receiver.url}/services/T/B/secret` });
  await startExperiment("green", { name: "<!channel> & co" });
  await logged([{ channel: "SLACK", status: "SENT" }]);
  const message = JSON.parse(receiver.received[0]!.body);
  expect(receiver.received[0]!.path).toBe("/services/T/B/secret");
  expect(message).toMatchObject({
    text: 'Experiment "&lt;!channel&gt; &amp; co" has started',
    blocks: [
      { type: "section", text: { type: "mrkdwn" } },
      { type: "context", elements: [{ type: "mrkdwn", text: "EXPERIMENT_STARTED · 2026-03-01T12:00:00.000Z" }] },
    ],
  });
  expect(message.blocks[0].text.text).toContain("*Experiment");
});

test("sends e-mail through the mail server to the account's address, or to the configured one", async () => {
  const mail = await startMailServer();
  opened.push(mail);
  await server.assay.close();
  await start({ mailer: smtpMailer({ url: mail.url, from: "assay@example.org" }) });
  const viewer = await server.as("VIEWER", "vera");
  await put(viewer, { email_enabled: true });
  await put(server.admin, { email_enabled: true, email_address: "team@example.org" });
  await startExperiment("green");
  await logged([{ status: "SENT" }, { status: "SENT" }], { channel: "email" });
  expect(mail.received.map(({ to }) => to[0]).sort()).toEqual(["team@example.org", "vera@example.org"]);
  expect(mail.received[0]!.text).toContain('Experiment "green" has started (green).');
});

test("reports an unavailable mail server without its address, and retries", async () => {
  await server.assay.close();
  await start({ mailer: smtpMailer({ url: "smtp://127.0.0.1:1", from: "assay@example.org", timeoutMs: 1000 }) });
  await put(server.admin, { email_enabled: true });
  await startExperiment("green");
  await logged([{ status: "PENDING", error: expect.stringMatching(/^The mail server rejected the e-mail \(\w+\)$/) }]);
});

describe("users are notified", () => {
  test("of every status change of an experiment, and of nothing else", async () => {
    await wantWebhook();
    await startExperiment("green");
    await move("green", "pause");
    await move("green", "start");
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: { experiment_id: "green" },
      body: { description: "D" },
    });
    await server.admin.request("POST /experiments/{experiment_id}/complete", {
      params: { experiment_id: "green" },
      body: { winner: "green" },
    });
    await move("green", "archive");
    await server.admin.request("POST /experiments/", { body: { name: "A draft" } });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(5));
    const notices = receiver.received.map(({ body }) => JSON.parse(body));
    expect(notices.map(({ event }) => event).sort()).toEqual([
      "EXPERIMENT_ARCHIVED",
      "EXPERIMENT_COMPLETED",
      "EXPERIMENT_PAUSED",
      "EXPERIMENT_STARTED",
      "EXPERIMENT_STARTED",
    ]);
    const completed = notices.find(({ event }) => event === "EXPERIMENT_COMPLETED");
    expect(completed).toMatchObject({
      data: { winner: "green" },
      text: expect.stringContaining("The winner is green."),
    });
  });

  test("only of the events that they chose, while their account exists", async () => {
    const leaver = await server.as("VIEWER");
    await wantWebhook(leaver);
    await wantWebhook(server.admin, { events: { EXPERIMENT_STARTED: false } });
    await server.admin.request("DELETE /admin/users/{user_id}", { params: { user_id: leaver.user.id } });
    await startExperiment("green");
    await move("green", "pause");
    await logged([{ event: "EXPERIMENT_PAUSED", status: "SENT" }]);
  });

  test("of rollbacks and rollout stages, and of no other change of a flag", async () => {
    await wantWebhook();
    const { id } = await server.admin.request("POST /feature-flags/", {
      body: { key: "cart", name: "Cart", status: "ACTIVE", rollout_percentage: 0 },
    });
    const schedule = await server.admin.request("POST /rollout-schedules", {
      body: { name: "Slowly", feature_flag_id: id, stages: [{ target_percentage: 10, trigger: "MANUAL" }] } as never,
    });
    await server.admin.request("POST /rollout-schedules/{id}/activate", { params: { id: schedule.id } });
    await server.admin.request("POST /rollout-schedules/stages/{stage_id}/advance", {
      params: { stage_id: schedule.stages[0]!.id },
    });
    await server.admin.request("PUT /feature-flags/{id}", { params: { id }, body: { rollout_percentage: 60 } });
    await server.admin.request("POST /safety/rollback/{flag_id}", {
      params: { flag_id: id },
      body: { reason: "Errors" } as never,
    });
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    const notices = receiver.received.map(({ body }) => JSON.parse(body)).sort((a, b) => (a.event < b.event ? -1 : 1));
    expect(notices).toMatchObject([
      {
        event: "ROLLOUT_ADVANCED",
        title: 'Flag "cart" was rolled out to 10 %',
        data: { feature_flag_key: "cart", rollout_schedule_id: schedule.id, stage: 1, new_percentage: 10 },
      },
      {
        event: "SAFETY_ROLLBACK",
        text: 'Flag "cart" was rolled back, from 60 % to 0 %. Reason: Errors',
        data: { feature_flag_id: id, old_percentage: 60, new_percentage: 0, reason: "Errors" },
      },
    ]);
  });

  test("once when a metric of a running experiment becomes significant", async () => {
    await wantWebhook();
    await startExperiment("green", { metrics: [{ name: "Bought", event_type: "buy", role: "PRIMARY" }] });
    const client = await server.withKey(["write"]);
    const events = Array.from({ length: 600 }, (_, index) => {
      const arm = index % 2 === 0 ? "control" : "green";
      const exposure = { event_type: "exposure", user_id: `u${index}`, experiment_id: "green", variant_id: arm };
      const isBuyer = index % 2 === 0 ? index % 20 === 0 : index % 3 === 0;
      return isBuyer ? [exposure, { event_type: "buy", user_id: `u${index}` }] : [exposure];
    }).flat();
    await client.request("POST /tracking/events", { body: events as never });
    server.advance(DAY);
    await server.runJob("results-snapshot");
    await logged([{ status: "SENT", title: 'Experiment "green": Bought differs in green' }], {
      event: "RESULT_SIGNIFICANT",
    });
    server.advance(DAY);
    await server.runJob("results-snapshot");
    expect(await log({ event: "RESULT_SIGNIFICANT" })).toHaveLength(1);
    expect(JSON.parse(receiver.received.at(-1)!.body).data).toMatchObject({ metric_id: "bought", variant: "green" });
  });

  test("once of each API key that is unused or due for rotation, if they created it or are ADMIN", async () => {
    const [owner, other] = [await server.as("DEVELOPER", "owner"), await server.as("DEVELOPER")];
    for (const who of [owner, other]) await wantWebhook(who);
    await wantWebhook();
    const key = await owner.request("POST /api-keys", { body: { name: "ci" } });
    await server.runJob("key-hygiene");
    expect(await log()).toEqual([]);
    server.advance(31 * DAY);
    await server.runJob("key-hygiene");
    await server.runJob("key-hygiene");
    await logged([{ status: "SENT" }, { status: "SENT" }]);
    expect((await log()).map(({ title }) => title)).toEqual(Array(2).fill('API key "ci" was not used for 30 days'));
    const recipients = (await log()).map(({ user_id }) => user_id);
    expect(recipients).toContain(owner.user.id);
    expect(recipients).not.toContain(other.user.id);
    server.advance(60 * DAY);
    await server.runJob("key-hygiene");
    await vi.waitFor(async () => expect((await log())[0]!.title).toBe('API key "ci" should be rotated'));
    expect((await server.admin.request("GET /api-keys")).find(({ id }) => id === key.id)!.is_active).toBe(true);
  });
});

describe("a test", () => {
  test("reports the outcome of each channel, and is tried once", async () => {
    const developer = await server.as("DEVELOPER");
    receiver.answer.status = 404;
    await wantWebhook(developer);
    await put(developer, { email_enabled: true });
    const { results } = await developer.request("POST /notifications/test");
    expect(results).toEqual([
      { channel: "EMAIL", status: "SENT", recipient: `${developer.username}@example.org`, error: null },
      { channel: "SLACK", status: "SKIPPED", recipient: null, error: null },
      {
        channel: "WEBHOOK",
        status: "FAILED",
        recipient: new URL(receiver.url).host,
        error: "The other side answered 404",
      },
    ]);
    expect((await log({ event: "TEST", status: "FAILED" })).map(({ channel }) => channel)).toEqual(["WEBHOOK"]);
    server.advance(DAY);
    await server.runJob("notification-retry");
    expect(receiver.received).toHaveLength(1);
  });

  test("requires DEVELOPER", async () => {
    const viewer = await server.as("VIEWER");
    expect(await refusal(viewer.request("POST /notifications/test"))).toMatchObject({ status: 403 });
  });
});

test("the log has pages, and is deleted after 30 days", async () => {
  await wantWebhook();
  for (const key of ["a", "b", "c"]) await startExperiment(key);
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3));
  const page = await server.admin.request("GET /notifications/delivery-log", { query: { skip: 1, limit: 1 } });
  expect([page.total, page.items.length]).toEqual([3, 1]);
  server.advance(30 * DAY);
  await startExperiment("d");
  await vi.waitFor(() => expect(receiver.received).toHaveLength(4));
  server.advance(1);
  await server.runJob("notification-retry");
  expect((await log()).map(({ title }) => title)).toEqual(['Experiment "d" has started']);
});
