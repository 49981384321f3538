import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createRuntime, silentLogger } from "../../ground/runtime.ts";
import { SYSTEM } from "../../storage/change.ts";
import { createRunner, type Runner } from "./runner.ts";
import { createRuns, nodeLease, type Runs, type StoredRun } from "./runs.ts";
import { type EtlTask, type TaskContext, TaskFailure } from "./tasks/task.ts";

let store: Store;
let runs: Runs;
let runner: Runner;
beforeEach(() => {
  store = memoryStore();
  runs = createRuns(store);
  runner = createRunner(store, createRuntime({ logger: silentLogger }), runs);
});
afterEach(async () => {
  await runner.close();
  await store.close();
});

const runOf = (changes: Partial<StoredRun> = {}): StoredRun => ({
  run_id: "018f0000-0000-7000-8000-000000000001",
  job_name: "job",
  status: "QUEUED",
  parameters: {},
  progress: 0,
  processed: 0,
  created_at: "2026-03-01T12:00:00.000Z",
  started_at: null,
  finished_at: null,
  error: null,
  files: [],
  created_by: null,
  node: runner.node,
  actor: SYSTEM,
  ...changes,
});

const taskOf = (run: EtlTask["run"]): EtlTask => ({ name: "job", description: "", parameters: z.unknown(), run });

/** Runs a task to its end and returns what is stored of it. */
async function perform(run: (context: TaskContext<unknown>) => Promise<void>, given = runOf()) {
  await runner.add(given, taskOf(run), {});
  await runner.idle();
  return { ...(await runs.get(given.run_id))!, lines: await runs.logs(given.run_id) };
}

describe("a run", () => {
  test("keeps the first 1,000 lines of its log", async () => {
    const { lines } = await perform(async ({ log }) => {
      for (let line = 1; line <= 1001; line++) log("INFO", `line ${line}`);
    });
    expect([lines.length, lines[0]?.message, lines.at(-1)?.message]).toEqual([1000, "line 1", "line 1000"]);
  });

  test("reports progress that never falls and is at most 1", async () => {
    const seen: number[] = [];
    const run = runOf();
    const { progress, processed } = await perform(async ({ report }) => {
      for (const [index, progress] of [0.5, 0.2, 1.5].entries()) {
        report(index + 1, progress);
        seen.push(run.progress);
      }
      throw new TaskFailure("not finished");
    }, run);
    expect(seen).toEqual([0.5, 0.5, 1]);
    expect([progress, processed]).toEqual([1, 3]);
  });

  test("that fails keeps its progress; one that succeeds has 1", async () => {
    const failed = await perform(async ({ report }) => {
      report(7, 0.25);
      throw new TaskFailure("The disk is full");
    });
    expect(failed).toMatchObject({ status: "FAILED", progress: 0.25, processed: 7, error: "The disk is full" });
    const done = await perform(async ({ report }) => report(7, 0.25), runOf({ run_id: "other" }));
    expect(done).toMatchObject({ status: "SUCCEEDED", progress: 1, error: null });
  });

  test("that is cancelled while it waits ends at once, and does not start", async () => {
    let release = () => {};
    const first = new Promise<void>((resolve) => (release = resolve));
    await runner.add(
      runOf(),
      taskOf(() => first),
      {},
    );
    const started: string[] = [];
    const second = runOf({ run_id: "second" });
    await runner.add(
      second,
      taskOf(async () => void started.push("second")),
      {},
    );
    expect(await runner.stop("second")).toBe(true);
    expect(await runs.get("second")).toMatchObject({ status: "CANCELLED", error: null });
    release();
    await runner.idle();
    expect(started).toEqual([]);
    expect(await runner.stop("second")).toBe(false);
  });
});

describe("settling a run of another node", () => {
  const gone = { node: "gone", status: "RUNNING" as const };

  test("fails it if the node is gone, with a line in its log", async () => {
    await runs.save(runOf(gone), [], null);
    expect(await runner.settle(runOf(gone))).toMatchObject({ status: "FAILED", error: "interrupted" });
    expect(await runs.get(runOf().run_id)).toMatchObject({ status: "FAILED" });
    expect(await runs.logs(runOf().run_id)).toMatchObject([{ level: "ERROR" }]);
  });

  test("leaves it alone if the node is alive, or if it has ended", async () => {
    await store.lease(nodeLease("gone"), "gone", 60_000);
    expect(await runner.settle(runOf(gone))).toMatchObject({ status: "RUNNING" });
    const ended = runOf({ ...gone, status: "SUCCEEDED" });
    expect(await runner.settle(ended)).toBe(ended);
  });

  test("looks again: the run may have ended after it was read, before its node released the lease", async () => {
    await runs.save(runOf({ ...gone, status: "SUCCEEDED", progress: 1 }), [], null);
    expect(await runner.settle(runOf(gone))).toMatchObject({ status: "SUCCEEDED", error: null });
    expect(await runs.get(runOf().run_id)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("does not touch runs of this node", async () => {
    const own = runOf({ status: "RUNNING" });
    expect(await runner.settle(own)).toBe(own);
  });
});
