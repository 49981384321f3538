import { setTimeout as wait } from "node:timers/promises";
import { type Client, createClient, isAssayError } from "@assay/client";
import { expect } from "vitest";
import { PASSWORD, type Serving } from "../cli.fixture.ts";

const EVENTS_PER_BATCH = 20;
const PERCENTAGES = Array.from({ length: 20 }, (_, index) => 5 * (index + 1));
/** How long a client waits after a server has refused because the database is away. */
const PAUSE_MS = 20;

/** Requests of one kind, each with a number. */
interface Progress {
  sent: number;
  acknowledged: number;
  /** The numbers of requests without an answer, or with an error. The server may have performed them. */
  inDoubt: Set<number>;
}

const newProgress = (): Progress => ({ sent: 0, acknowledged: 0, inDoubt: new Set() });

/** What clients have sent to one server and its successors. */
export interface Load {
  /** Is part of the names of all that these clients send. */
  name: string;
  events: Progress;
  counts: Progress;
  creations: Progress;
  edits: Progress;
  /** Edits below this number are settled. */
  settled: number;
  /** Stages that have begun in earlier rounds. */
  stages: number;
}

/** A schedule of 20 stages, of one round. */
export interface Plan {
  id: string;
  flag: string;
  advances: Progress;
}

export const newLoad = (name: string): Load => ({
  name,
  events: newProgress(),
  counts: newProgress(),
  creations: newProgress(),
  edits: newProgress(),
  settled: 0,
  stages: 0,
});

const flagOf = ({ name }: Load) => `edited-${name}`;

/** Creates the experiments to which all clients send, and the key of those that send events. */
export async function prepare({ admin }: Serving, loads: Load[]): Promise<string> {
  const both = { name: "Mixed", status: "ACTIVE" as const, variants: [{ key: "a" }, { key: "b" }] };
  await admin.request("POST /experiments/", { body: { ...both, key: "mixed" } });
  await admin.request("POST /experiments/", { body: { ...both, key: "counted" } });
  for (const load of loads) {
    await admin.request("POST /feature-flags/", { body: { key: flagOf(load), name: "Edited" } });
  }
  const { key } = await admin.request("POST /api-keys", { body: { name: "events", scopes: ["write"] } });
  return key!;
}

/** The clients of a server: they wait for its answer longer than it waits for its database. */
const clientsOf = ({ url }: Serving, apiKey: string) => ({
  admin: createClient({ baseUrl: url, username: "admin", password: PASSWORD, retries: 0, timeout: 60_000 }),
  tracker: createClient({ baseUrl: url, apiKey, retries: 0, timeout: 60_000 }),
});

const sendEvents = (client: Client, load: Load, batch: number) => {
  const events = Array.from({ length: EVENTS_PER_BATCH }, (_, index) => ({
    event_id: `${load.name}-${batch}-${index}`,
    user_id: `${load.name}-${batch}-${index}`,
    experiment_id: "mixed",
    event_type: "exposure",
    variant_id: index % 2 ? "b" : "a",
  }));
  return client.request("POST /tracking/events", { body: { events } });
};

const count = (client: Client, load: Load, number: number) =>
  client.request("POST /counters/{experiment_id}/increment", {
    params: { experiment_id: "counted" },
    body: { variant_id: "a", counter: "events" },
    idempotencyKey: `count-${load.name}-${number}`,
  });

const keyOf = ({ name }: Load, number: number) => `made-${name}-${number}`;

const create = (client: Client, load: Load, number: number) =>
  client.request("POST /experiments/", {
    body: { key: keyOf(load, number), name: "Made", variants: [{ key: "a" }, { key: "b" }] },
    idempotencyKey: `create-${load.name}-${number}`,
  });

const edit = (client: Client, load: Load, number: number) =>
  client.request("PUT /feature-flags/{id}", {
    params: { id: flagOf(load) },
    body: { description: `edit ${number}` },
  });

/** Creates a flag and its active schedule. */
export async function plan({ admin }: Serving, flag: string): Promise<Plan> {
  await admin.request("POST /feature-flags/", {
    body: { key: flag, name: "Staged", status: "ACTIVE", rollout_percentage: 0 },
  });
  const stages = PERCENTAGES.map((target_percentage) => ({ target_percentage, trigger: "MANUAL" as const }));
  const { id } = await admin.request("POST /rollout-schedules", {
    body: { name: "Plan", feature_flag_id: flag, stages },
  });
  await admin.request("POST /rollout-schedules/{id}/activate", { params: { id } });
  return { id, flag, advances: newProgress() };
}

/** Begins the next stage of a schedule, if there is one. */
async function advance(client: Client, { id }: Plan): Promise<void> {
  const { stages } = await client.request("GET /rollout-schedules/{id}", { params: { id } });
  const next = stages.find(({ status }) => status === "PENDING");
  if (!next) return;
  await client.request("POST /rollout-schedules/stages/{stage_id}/advance", { params: { stage_id: next.id } });
}

/** The status of a request while the database is away. */
const UNAVAILABLE = 503;
/** That of an advance of a stage that has begun: the server has lost the answer of the database to an earlier one. */
const HAS_BEGUN = 409;

/** Sends requests one after the other until the server is gone. Those that failed are in doubt. */
async function untilGone(
  progress: Progress,
  send: (number: number) => Promise<unknown>,
  expected = [UNAVAILABLE],
): Promise<void> {
  for (;;) {
    const number = progress.sent++;
    try {
      await send(number);
      progress.acknowledged++;
    } catch (error) {
      progress.inDoubt.add(number);
      if (!isAssayError(error)) throw error;
      if (error.code === "NETWORK") return;
      if (!expected.includes(error.status ?? 0)) throw error;
      await wait(PAUSE_MS);
    }
  }
}

/** Sends all kinds of requests at once to a server until it is gone. */
export async function sendUntilGone(server: Serving, apiKey: string, load: Load, schedule: Plan): Promise<void> {
  const { admin, tracker } = clientsOf(server, apiKey);
  await Promise.all([
    untilGone(load.events, (number) => sendEvents(tracker, load, number)),
    untilGone(load.counts, (number) => count(admin, load, number)),
    untilGone(load.creations, (number) => create(admin, load, number)),
    untilGone(load.edits, (number) => edit(admin, load, number)),
    untilGone(schedule.advances, () => advance(admin, schedule), [UNAVAILABLE, HAS_BEGUN]),
  ]);
}

/** Sends again what is in doubt and may be repeated: events with ids, and requests with an idempotency key. */
export async function repeatDoubts(server: Serving, apiKey: string, load: Load): Promise<void> {
  const { admin, tracker } = clientsOf(server, apiKey);
  const repeat = async ({ inDoubt }: Progress, send: (number: number) => Promise<unknown>) => {
    for (const number of inDoubt) await send(number);
    inDoubt.clear();
  };
  await repeat(load.events, (number) => sendEvents(tracker, load, number));
  await repeat(load.counts, (number) => count(admin, load, number));
  await repeat(load.creations, async (number) => {
    expect((await create(admin, load, number)).key).toBe(keyOf(load, number));
  });
}

const total = (loads: Load[], kind: "events" | "counts" | "creations" | "edits"): number =>
  loads.reduce((sum, load) => sum + load[kind].sent, 0);

/** Checks that all that may be repeated was done once. */
export async function expectOnce({ admin }: Serving, loads: Load[]): Promise<void> {
  const users = total(loads, "events") * EVENTS_PER_BATCH;
  const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "mixed" } });
  expect(results.sample_size.control + results.sample_size.treatment).toBe(users);
  const totalsOf = async (experiment_id: string) =>
    (await admin.request("GET /counters/{experiment_id}", { params: { experiment_id } })).totals;
  expect(await totalsOf("mixed")).toEqual({ assignments: users, events: users, conversions: 0 });
  expect(await totalsOf("counted")).toEqual({ assignments: 0, events: total(loads, "counts"), conversions: 0 });
  // What was created on another server may be visible a moment later.
  const made = () => admin.request("GET /experiments/", { query: { search: "made-", limit: 1 } });
  await expect.poll(async () => (await made()).total).toBe(total(loads, "creations"));
}

/**
 * Checks that an edit that was acknowledged is there, with one entry in the audit trail, and one in doubt is there in
 * full or not at all. Those in doubt are settled by it.
 */
export async function settleEdits({ admin }: Serving, load: Load): Promise<void> {
  const { edits } = load;
  const flag = await admin.request("GET /feature-flags/{id}", { params: { id: flagOf(load) } });
  const last = Number(/\d+$/.exec(flag.description ?? "")?.[0] ?? -1);
  // Of those after the last one that is visible, none was acknowledged.
  for (let number = Math.max(last + 1, load.settled); number < edits.sent; number++) {
    expect(edits.inDoubt).toContain(number);
  }
  const applied = flag.version - 1;
  expect(applied).toBeGreaterThanOrEqual(edits.acknowledged);
  expect(applied).toBeLessThanOrEqual(edits.acknowledged + edits.inDoubt.size);
  const trail = await admin.request("GET /audit-logs", { query: { resource_id: flag.id, limit: 1 } });
  expect(trail.total).toBe(1 + applied);
  load.settled = edits.sent;
  edits.acknowledged = applied;
  edits.inDoubt.clear();
}

/** Checks that as many stages have begun as were acknowledged or are in doubt, and that the flag has the percentage of the last. */
export async function settleStages({ admin }: Serving, load: Load, { id, flag, advances }: Plan): Promise<void> {
  const { stages } = await admin.request("GET /rollout-schedules/{id}", { params: { id } });
  const begun = stages.filter(({ status }) => status !== "PENDING").length;
  expect(begun).toBeGreaterThanOrEqual(Math.min(advances.acknowledged, PERCENTAGES.length));
  expect(begun).toBeLessThanOrEqual(advances.sent);
  const staged = await admin.request("GET /feature-flags/{id}", { params: { id: flag } });
  expect(staged.rollout_percentage).toBe(begun === 0 ? 0 : PERCENTAGES[begun - 1]);
  load.stages += begun;
}

/** Says what was sent. */
export const describeLoads = (loads: Load[]): string =>
  JSON.stringify({
    events: total(loads, "events") * EVENTS_PER_BATCH,
    counts: total(loads, "counts"),
    creations: total(loads, "creations"),
    edits: loads.reduce((sum, { edits }) => sum + edits.acknowledged, 0),
    stages: loads.reduce((sum, { stages }) => sum + stages, 0),
  });
