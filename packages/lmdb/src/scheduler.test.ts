import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode, type Order, type Report } from "./node.fixture.ts";

const SCRIPT = fileURLToPath(new URL("./scheduler.child.ts", import.meta.url));
const HOUR = 3_600_000;
const START = Date.parse("2026-03-01T12:00:30.000Z");
/** Longer than the lease of a job. */
const LEASE_MS = 31_000;

interface Child {
  started: Promise<unknown>;
  gone: Promise<void>;
  kill(): void;
  tell(order: Order): Promise<Report>;
}
interface Written {
  child: Child;
  version: number;
  isRunning: boolean;
}

let path: string;
let clock: number;
let observer: ReturnType<typeof createNode>;
let children: Child[];
/** The reports of each process about each job. */
let written: Map<string, Written[]>;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "assay-nodes-"));
  clock = START;
  children = [];
  written = new Map();
  observer = createNode({ storage: lmdbStore({ path, now: () => clock }), now: () => clock, jobs: false });
  await observer.assay.ready;
});
afterEach(async () => {
  for (const child of children) child.kill();
  await Promise.all(children.map(({ gone }) => gone));
  await observer.assay.close();
  await rm(path, { recursive: true });
});

/** A server with a scheduler in a separate process, on the shared data. */
function start(): Child {
  const execArgv = [...RUN_TYPESCRIPT];
  const stdio = ["ignore", "inherit", "inherit", "ipc"] as const;
  const child = fork(SCRIPT, [path, String(clock)], { execArgv, cwd: dirname(SCRIPT), stdio: [...stdio] });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const waiting: ((report: Report) => void)[] = [];
  const next = () => new Promise<Report>((resolve) => waiting.push(resolve));
  child.on("message", (report: Report) => {
    if (!("job" in report)) return waiting.shift()?.(report);
    const { job, ...rest } = report;
    written.set(job, [...(written.get(job) ?? []), { child: self, ...rest }]);
  });
  const self: Child = {
    started: next(),
    gone,
    kill: () => child.kill("SIGKILL"),
    async tell(order: Order): Promise<Report> {
      child.send(order);
      return next();
    },
  };
  children.push(self);
  return self;
}

async function startTwo(): Promise<[Child, Child]> {
  const both: [Child, Child] = [start(), start()];
  await Promise.all(both.map(({ started }) => started));
  return both;
}

async function moveOn(milliseconds: number, who = children): Promise<void> {
  clock += milliseconds;
  await Promise.all(who.map((child) => child.tell({ clock })));
}

const runsOf = (job: string) => (written.get(job) ?? []).filter(({ isRunning }) => isRunning);

/** A schedule whose stages begin at intervals of an hour. */
async function plan(percentages: number[]): Promise<string> {
  const flag = { key: "checkout", name: "Checkout", status: "ACTIVE", rollout_percentage: 0 };
  const { body: made } = await observer.ask("POST", "/feature-flags/", flag);
  const trigger = { trigger: "TIME", trigger_config: { after_minutes: 60 } };
  const stages = percentages.map((target_percentage) => ({ target_percentage, ...trigger }));
  const schedule = { name: "Plan", feature_flag_id: made.id, stages };
  const { body } = await observer.ask("POST", "/rollout-schedules", schedule);
  await observer.ask("POST", `/rollout-schedules/${body.id}/activate`);
  return body.id;
}

/** Resolves once so many stages have begun. */
const begun = (id: string, count: number) =>
  vi.waitFor(async () => {
    const { body } = await observer.ask("GET", `/rollout-schedules/${id}`);
    const stages: { started_at: string | null }[] = body.stages;
    expect(stages.filter(({ started_at }) => started_at !== null)).toHaveLength(count);
  });

async function entries(action: string): Promise<number> {
  const { body } = await observer.ask("GET", `/audit-logs?action=${action}`);
  return body.total;
}

test("two server processes run each job once, and start each stage of a rollout once", async () => {
  const percentages = [10, 20, 30, 40];
  const id = await plan(percentages);
  await startTwo();
  for (let stage = 1; stage <= percentages.length; stage++) {
    await moveOn(HOUR);
    await begun(id, stage);
    // Both have read the new time, and every due job has ended.
    await vi.waitFor(() => {
      for (const job of ["rollout-advance", "safety-check", "notification-retry"]) {
        const all = written.get(job) ?? [];
        expect([runsOf(job).length, all.length]).toEqual([stage, 2 * stage]);
      }
    });
  }
  expect(await entries("rollout_schedule.advance")).toBe(percentages.length);
  expect(await entries("feature_flag.rollout")).toBe(percentages.length);
  await vi.waitFor(() => {
    for (const all of written.values()) {
      const inOrder = [...all].sort((a, b) => a.version - b.version);
      // Each run's start is followed by the end of the same run, with no other process between.
      for (let index = 0; index < inOrder.length; index += 2) {
        const [first, last] = inOrder.slice(index, index + 2);
        expect([first?.isRunning, last?.isRunning, last?.version]).toEqual([true, false, first!.version + 1]);
        expect(last?.child).toBe(first?.child);
      }
    }
  });
});

test.each([
  ["has just begun it", "scheduler/job/rollout-advance"],
  ["has raised the flag and started the stage", "feature-flags/doc/"],
])("another server takes over from one killed in a job when it %s, and repeats nothing", async (_, key) => {
  const id = await plan([10]);
  const both = await startTwo();
  for (const child of both) await child.tell({ hangAfter: key });
  await moveOn(HOUR);
  await vi.waitFor(() => expect(runsOf("rollout-advance")).toHaveLength(1));
  const [{ child: holder }] = runsOf("rollout-advance") as [Written];
  const other = both.find((child) => child !== holder)!;
  await other.tell({ hangAfter: null });
  const expected = key.startsWith("feature-flags") ? 10 : 0;
  const percentage = async () => (await observer.ask("GET", "/feature-flags/checkout")).body.rollout_percentage;
  await vi.waitFor(async () => expect(await percentage()).toBe(expected));
  const trigger: Order = { ask: ["POST", "/scheduler/jobs/rollout-advance/trigger"] };
  expect(await other.tell(trigger)).toMatchObject({ answer: { status: 409 } });

  holder.kill();
  await holder.gone;
  expect(await other.tell(trigger)).toMatchObject({ answer: { status: 409 } });
  expect(await entries("rollout_schedule.advance")).toBe(expected > 0 ? 1 : 0);
  await moveOn(LEASE_MS, [other]);
  await begun(id, 1);
  expect(await percentage()).toBe(10);
  expect([await entries("rollout_schedule.advance"), await entries("feature_flag.rollout")]).toEqual([1, 1]);
  await vi.waitFor(async () => {
    const { body } = await observer.ask("GET", "/scheduler/jobs/rollout-advance");
    expect(body).toMatchObject({ last_status: "SUCCEEDED", running: false });
  });
  expect(runsOf("rollout-advance").map(({ child }) => child)).toEqual([holder, other]);
});
