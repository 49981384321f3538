import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Client, createClient, isAssayError } from "@assay/client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort, run, serve, stopAll } from "../cli.fixture.ts";

const ROUNDS = process.env.TORTURE ? 100 : process.env.CI === "true" ? 5 : 2;
const PERCENTAGES = Array.from({ length: 20 }, (_, index) => 5 * (index + 1));
const EVENTS_PER_BATCH = 20;

/** The time after which a repeat may finish the request of a dead process: a minute, with a margin. */
const ABANDONED_MS = 90_000;

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-mixed-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** What one client has sent: how many requests were acknowledged, and how many it sent in all. */
interface Progress {
  acknowledged: number;
  sent: number;
}

/** Sends requests one after the other until the server is gone; the last one is in doubt. */
async function untilGone(progress: Progress, send: (number: number) => Promise<unknown>): Promise<void> {
  for (;;) {
    const number = progress.sent++;
    try {
      await send(number);
      progress.acknowledged++;
    } catch (error) {
      if (!isAssayError(error) || error.code !== "NETWORK") throw error;
      return;
    }
  }
}

const sendEvents = (client: Client, batch: number) => {
  const events = Array.from({ length: EVENTS_PER_BATCH }, (_, index) => ({
    event_id: `${batch}-${index}`,
    user_id: `${batch}-${index}`,
    experiment_id: "mixed",
    event_type: "exposure",
    variant_id: index % 2 ? "b" : "a",
  }));
  return client.request("POST /tracking/events", { body: { events }, retries: 0 });
};

const count = (client: Client, number: number) =>
  client.request("POST /counters/{experiment_id}/increment", {
    params: { experiment_id: "counted" },
    body: { variant_id: "a", counter: "events" },
    idempotencyKey: `count-${number}`,
    retries: 0,
  });

const create = (client: Client, number: number) =>
  client.request("POST /experiments/", {
    body: { key: `made-${number}`, name: "Made", variants: [{ key: "a" }, { key: "b" }] },
    idempotencyKey: `create-${number}`,
    retries: 0,
  });

const edit = (client: Client, number: number) =>
  client.request("PUT /feature-flags/{id}", {
    params: { id: "edited" },
    body: { description: `edit ${number}` },
    retries: 0,
  });

/** Starts the server with a clock that is ahead. */
const serveLater = (place: string[], round: number) => {
  const script = `const now = Date.now; Date.now = () => now() + ${round * ABANDONED_MS};`;
  return serve(place, { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(script)}` });
};

/** Creates a flag and its active schedule of 20 stages. */
async function plan(client: Client, flag: string) {
  await client.request("POST /feature-flags/", {
    body: { key: flag, name: "Staged", status: "ACTIVE", rollout_percentage: 0 },
  });
  const stages = PERCENTAGES.map((target_percentage) => ({ target_percentage, trigger: "MANUAL" as const }));
  const made = await client.request("POST /rollout-schedules", {
    body: { name: "Plan", feature_flag_id: flag, stages },
  });
  await client.request("POST /rollout-schedules/{id}/activate", { params: { id: made.id } });
  return made;
}

test(`kill -9 under mixed load, ${ROUNDS} times: nothing is lost, doubled or half done`, {
  timeout: 60_000 + ROUNDS * 30_000,
}, async () => {
  const data = join(directory, "data");
  const place = ["--data", data, "--port", String(await freePort())];
  const first = await serve(place);
  let { admin, child, exit } = first;
  const { key } = await admin.request("POST /api-keys", { body: { name: "events", scopes: ["write"] } });
  const tracker = createClient({ baseUrl: first.url, apiKey: key });
  const both = { name: "Mixed", status: "ACTIVE" as const, variants: [{ key: "a" }, { key: "b" }] };
  await admin.request("POST /experiments/", { body: { ...both, key: "mixed" } });
  await admin.request("POST /experiments/", { body: { ...both, key: "counted" } });
  await admin.request("POST /feature-flags/", { body: { key: "edited", name: "Edited" } });

  const events: Progress = { acknowledged: 0, sent: 0 };
  const counts: Progress = { acknowledged: 0, sent: 0 };
  const creations: Progress = { acknowledged: 0, sent: 0 };
  const edits: Progress = { acknowledged: 0, sent: 0 };
  let stages = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const flag = `staged-${round}`;
    const schedule = await plan(admin, flag);
    const advances: Progress = { acknowledged: 0, sent: 0 };
    const advance = (number: number) =>
      admin.request("POST /rollout-schedules/stages/{stage_id}/advance", {
        params: { stage_id: schedule.stages[number % PERCENTAGES.length]!.id },
        retries: 0,
      });
    const kill = async () => {
      await wait(200 + ((round * 173) % 800));
      child.kill("SIGKILL");
      await exit;
    };
    await Promise.all([
      untilGone(events, (number) => sendEvents(tracker, number)),
      untilGone(counts, (number) => count(admin, number)),
      untilGone(creations, (number) => create(admin, number)),
      untilGone(edits, (number) => edit(admin, number)),
      // A schedule has 20 stages; the client waits for the end after them.
      untilGone(advances, (number) =>
        number < PERCENTAGES.length ? advance(number) : admin.request("GET /auth/me", { retries: 0 }),
      ),
      kill(),
    ]);

    ({ admin, child, exit } = await serveLater(place, round + 1));
    // Each client sends the request in doubt again.
    await sendEvents(tracker, events.sent - 1);
    await count(admin, counts.sent - 1);
    expect((await create(admin, creations.sent - 1)).key).toBe(`made-${creations.sent - 1}`);

    const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "mixed" } });
    expect(results.sample_size.control + results.sample_size.treatment).toBe(events.sent * EVENTS_PER_BATCH);
    const { totals } = await admin.request("GET /counters/{experiment_id}", { params: { experiment_id: "counted" } });
    expect(totals).toEqual({ assignments: 0, events: counts.sent, conversions: 0 });
    const tracked = await admin.request("GET /counters/{experiment_id}", { params: { experiment_id: "mixed" } });
    const users = events.sent * EVENTS_PER_BATCH;
    expect(tracked.totals).toEqual({ assignments: users, events: users, conversions: 0 });
    const made = await admin.request("GET /experiments/", { query: { search: "made-", limit: 1 } });
    expect(made.total).toBe(creations.sent);

    // An acknowledged edit is there, with one entry in the audit trail; the one in doubt is there in full or not at all.
    const { description } = await admin.request("GET /feature-flags/{id}", { params: { id: "edited" } });
    const applied = Number(/\d+$/.exec(description ?? "")?.[0] ?? -1) + 1;
    expect([edits.sent - 1, edits.sent]).toContain(applied);
    edits.sent = applied;

    const { stages: found } = await admin.request("GET /rollout-schedules/{id}", { params: { id: schedule.id } });
    const begun = found.filter(({ status }) => status !== "PENDING").length;
    expect(begun).toBeGreaterThanOrEqual(Math.min(advances.acknowledged, PERCENTAGES.length));
    expect(begun).toBeLessThanOrEqual(advances.sent);
    const staged = await admin.request("GET /feature-flags/{id}", { params: { id: flag } });
    expect(staged.rollout_percentage).toBe(begun === 0 ? 0 : PERCENTAGES[begun - 1]);
    stages += begun;
  }
  // Each edit that was applied is in the audit trail once, and each that was not is not.
  const { id } = await admin.request("GET /feature-flags/{id}", { params: { id: "edited" } });
  const trail = await admin.request("GET /audit-logs", { query: { resource_id: id, limit: 1 } });
  expect(trail.total).toBe(1 + edits.sent);

  child.kill("SIGTERM");
  expect(await exit).toBe(0);
  const checked = await run(["check", "--data", data]);
  expect(checked.output).toMatch(/ 0 records are damaged/);
  const verified = await run(["audit", "verify", "--data", data]);
  expect(verified.output).toContain("The trail is valid");
  const sums = { events: events.sent * EVENTS_PER_BATCH, counts: counts.sent, creations: creations.sent };
  console.log(
    `${ROUNDS} kills; nothing of ${JSON.stringify({ ...sums, edits: edits.sent, stages })} was lost or doubled`,
  );
});
