import type { Store } from "@assay/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { type Change, LeaseLost } from "../storage/change.ts";
import type { Document } from "../storage/collection.ts";
import { createCollections } from "../storage/collections.ts";
import { sharedStore } from "../storage/shared-store.fixture.ts";
import { describeFailure } from "./failure.ts";
import type { JobContext } from "./job.ts";
import { nextRun } from "./schedule.ts";
import { createScheduler, type Scheduler } from "./scheduler.ts";

const MINUTE = 60_000;
const LEASE = 30_000;
const START = Date.parse("2026-03-01T12:00:30.000Z");

interface Count extends Document {
  count: number;
}
type Add = (by: Change) => Promise<unknown>;

let now: number;
let store: Store;
let schedulers: Scheduler[];
let logged: unknown[];
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  now = START;
  store = sharedStore(() => now);
  schedulers = [];
  logged = [];
});
afterEach(async () => {
  await Promise.all(schedulers.map((scheduler) => scheduler.close()));
  vi.useRealTimers();
});

/** Creates a node with one job, due every five minutes, and the collection that it writes. */
async function createNode(run: (context: JobContext, add: Add) => Promise<unknown>, isTicking = true) {
  const error = (message: string, fields?: object) => logged.push([message, fields]);
  const runtime = createRuntime({ now: () => now, logger: { ...silentLogger, error } });
  const collections = createCollections(store, runtime);
  const counts = collections.define<Count>({ name: "counts", resource: "count", title: () => "count" });
  await counts.load();
  if (counts.size === 0) await counts.insert({ id: "one", count: 0 }, { actor: runtimeActor, action: "count.create" });
  const add: Add = (by) => counts.update("one", (current) => ({ ...current, count: current.count + 1 }), by);
  const job = {
    name: "count",
    description: "Counts",
    schedule: "*/5 * * * *",
    run: async (context: JobContext) => void (await run(context, add)),
  };
  const { catchUp } = collections;
  const scheduler = createScheduler({ store, runtime, jobs: [job], isTicking, catchUp, leaseMs: LEASE });
  schedulers.push(scheduler);
  await scheduler.start();
  return {
    scheduler,
    state: () => scheduler.stateOf(job),
    trigger: () => scheduler.trigger(job),
    async count() {
      await counts.load();
      return counts.get("one")?.count;
    },
  };
}
const runtimeActor = { actor_type: "SYSTEM", actor_id: null, ip: null, user_agent: null, request_id: null } as const;

/** Lets every node check the clock once, and waits for the runs that it starts. */
async function tick(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1000);
  await settle();
}

/** Creates a promise that the test resolves. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Finishes everything that only waits for the in-memory store. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

const counting = (context: JobContext, add: Add) => add(context.change("count.add"));

test("reads a schedule in UTC and returns a time strictly after the given instant", () => {
  expect(new Date(nextRun("0 3 * * *", Date.parse("2026-03-29T03:00:00Z"))).toISOString()).toBe(
    "2026-03-30T03:00:00.000Z",
  );
  expect(() => nextRun("every day", START)).toThrow(TypeError);
  expect(() => nextRun("0 0 30 2 *", START)).toThrow(RangeError);
});

test("runs a job once at its time, and reports the outcome", async () => {
  const node = await createNode(counting);
  await tick();
  expect(await node.state()).toMatchObject({ last_run_at: null, next_run_at: Date.parse("2026-03-01T12:05:00Z") });
  now = Date.parse("2026-03-01T12:05:00Z");
  await tick();
  await tick();
  expect(await node.count()).toBe(1);
  expect(await node.state()).toEqual({
    last_run_at: now,
    last_status: "SUCCEEDED",
    last_error: null,
    last_duration_ms: 0,
    next_run_at: now + 5 * MINUTE,
    running_since: null,
  });
});

test("runs jobs at their times after the clock was set back, also during a run, and after it was set forward", async () => {
  const { open, opened } = gate();
  let isSlow = true;
  const node = await createNode(async (context, add) => {
    await counting(context, add);
    if (isSlow) await opened;
  });
  now = Date.parse("2026-03-01T12:05:00Z");
  await tick();
  now = Date.parse("2026-03-01T10:06:00Z");
  await tick();
  isSlow = false;
  open();
  await settle();
  expect(await node.count()).toBe(1);
  now = Date.parse("2026-03-01T10:10:00Z");
  await tick();
  expect(await node.count()).toBe(2);
  now = Date.parse("2026-03-01T08:11:00Z");
  await tick();
  expect(await node.count()).toBe(2);
  now = Date.parse("2026-03-01T08:15:00Z");
  await tick();
  expect(await node.count()).toBe(3);
  // Forward: one run replaces all those that seem missed.
  now = Date.parse("2026-03-10T08:16:00Z");
  await tick();
  now = Date.parse("2026-03-01T08:20:00Z");
  await tick();
  expect(await node.count()).toBe(4);
  now = Date.parse("2026-03-01T08:25:00Z");
  await tick();
  expect(await node.count()).toBe(5);
});

test("one of two nodes on one store runs the job, and both report the same", async () => {
  const nodes = [await createNode(counting), await createNode(counting)];
  for (let run = 0; run < 20; run++) {
    now += 5 * MINUTE;
    await tick();
  }
  expect(await nodes[0]!.count()).toBe(20);
  expect(await nodes[0]!.state()).toEqual(await nodes[1]!.state());
});

test("one run makes up for all runs that were missed while every node was down", async () => {
  const before = await createNode(counting);
  await before.scheduler.close();
  now += 24 * 60 * MINUTE;
  const after = await createNode(counting);
  await tick();
  await tick();
  expect(await after.count()).toBe(1);
});

test("a run that takes longer than its interval does not overlap with the next one, on any node", async () => {
  const { open, opened } = gate();
  const slow = (context: JobContext, add: Add) => add(context.change("count.add")).then(() => opened);
  const [one, two] = [await createNode(slow), await createNode(slow)];
  now += 5 * MINUTE;
  await tick();
  for (let minute = 0; minute < 12; minute++) {
    now += 10_000;
    // The lease is renewed while the job runs.
    await vi.advanceTimersByTimeAsync(LEASE / 3);
    await settle();
  }
  expect(await one.count()).toBe(1);
  expect((await one.state()).running_since).not.toBeNull();
  expect([await one.trigger(), await two.trigger()]).toEqual([null, null]);
  open();
  await settle();
  expect(await two.state()).toMatchObject({ running_since: null, last_status: "SUCCEEDED" });
});

test("rejects the writes of a node that lost its lease during a run", async () => {
  const { open, opened } = gate();
  let outcome: unknown;
  const stuck = await createNode(async ({ change }, add) => {
    await opened;
    outcome = await add(change("count.add")).catch((error: unknown) => error);
    throw outcome;
  });
  const other = await createNode(counting);
  expect(await stuck.trigger()).not.toBeNull();
  // The node hangs: its lease is not renewed and expires.
  now += LEASE + 1;
  expect(await other.trigger()).not.toBeNull();
  await settle();
  expect(await other.state()).toMatchObject({ last_status: "SUCCEEDED", running_since: null });
  open();
  await settle();
  expect(outcome).toBeInstanceOf(LeaseLost);
  expect(await other.count()).toBe(1);
  // It does not overwrite the result of the other node either.
  expect(await other.state()).toMatchObject({ last_status: "SUCCEEDED" });
});

test("notifies a run of its lost lease", async () => {
  const { open, opened } = gate();
  const node = await createNode(async ({ signal }) => {
    signal.addEventListener("abort", open);
    await opened;
  });
  await node.trigger();
  now += LEASE + 1;
  await vi.advanceTimersByTimeAsync(LEASE / 3);
  await opened;
});

test("another node repeats the run of a node that died", async () => {
  const never = new Promise(() => {});
  const dead = await createNode(() => never, false);
  await dead.trigger();
  const alive = await createNode(counting);
  expect(await alive.state()).toMatchObject({ running_since: START });
  await tick();
  expect(await alive.count()).toBe(0);
  now += LEASE + 1;
  await tick();
  expect(await alive.count()).toBe(1);
  expect(await alive.state()).toMatchObject({ last_run_at: now, last_status: "SUCCEEDED" });
  schedulers = schedulers.filter((one) => one !== dead.scheduler);
});

test("stores and logs a failure without secrets, and runs the job again at its next time", async () => {
  let fails = true;
  const node = await createNode(async (context, add) => {
    if (fails) throw new Error("POST https://user:hunter2@hooks.example.org/x?token=abc123 answered 500");
    await counting(context, add);
  });
  now += 5 * MINUTE;
  await tick();
  const { last_status, last_error } = await node.state();
  expect([last_status, last_error]).toEqual(["FAILED", "POST https://***@hooks.example.org/x?token=*** answered 500"]);
  expect(JSON.stringify(logged)).toContain("A job failed");
  expect(JSON.stringify(logged)).not.toMatch(/hunter2|abc123/);
  fails = false;
  now += 5 * MINUTE;
  await tick();
  expect(await node.state()).toMatchObject({ last_status: "SUCCEEDED", last_error: null });
});

test.each([
  ["Authorization: Bearer abc.def", "Authorization: Bearer ***"],
  ["api_key=abc", "api_key=***"],
  ['{"password": "a b"}', '{"password": ***}'],
  ["key asy_12ab_34cd is revoked", "key *** is revoked"],
  ["no such table: events", "no such table: events"],
])("reports a failure with the text %j as %j", (text, reported) => {
  expect(describeFailure(new Error(text))).toBe(reported);
});

test("a node without ticks leaves jobs to the others, but runs jobs that are triggered on it", async () => {
  const node = await createNode(counting, false);
  now += 5 * MINUTE;
  await tick();
  expect(await node.count()).toBe(0);
  expect(await node.scheduler.clock()).toEqual({ isTicking: false, lastTickAt: null });
  await node.trigger();
  await settle();
  expect(await node.count()).toBe(1);
  await createNode(counting);
  expect(await node.scheduler.clock()).toEqual({ isTicking: true, lastTickAt: now });
});

test("closing stops a job, waits for it, and leaves the rest to the next node", async () => {
  let wasStopped = false;
  const node = await createNode(async ({ signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    await settle();
    wasStopped = true;
    throw signal.reason;
  });
  await node.trigger();
  await settle();
  await node.scheduler.close();
  expect(wasStopped).toBe(true);
  expect(await node.state()).toMatchObject({ running_since: null, last_status: "FAILED", next_run_at: now });
  const next = await createNode(counting);
  await tick();
  expect(await next.count()).toBe(1);
});

test("runs nothing while the store is unreachable, and continues afterwards", async () => {
  const node = await createNode(counting);
  const { batch } = store;
  store.batch = () => Promise.reject(new Error("away"));
  now += 5 * MINUTE;
  await tick();
  store.batch = batch;
  await tick();
  expect(await node.count()).toBe(1);
});
