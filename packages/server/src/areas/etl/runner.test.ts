import { memoryStore, type Store } from "@assay/store";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
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
  vi.useRealTimers();
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
    expect(await runs.logs("second")).toMatchObject([{ level: "WARN", message: "Cancelled" }]);
  });

  test("logs its failure as an error, and its cancellation as a warning", async () => {
    const failed = await perform(async () => {
      throw new TaskFailure("The disk is full");
    });
    expect(failed.lines).toMatchObject([{ level: "ERROR", message: "The disk is full" }]);
    const run = runOf({ run_id: "cancelled" });
    const cancelled = await perform(async ({ signal }) => {
      void runner.stop(run.run_id);
      signal.throwIfAborted();
    }, run);
    expect(cancelled).toMatchObject({ status: "CANCELLED", error: null });
    expect(cancelled.lines).toMatchObject([{ level: "WARN", message: "Cancelled" }]);
  });
});

describe("the lease of a node", () => {
  const holder = async () => (await store.lease(nodeLease(runner.node), "another", 60_000)) === null;

  test("is held while runs wait or run, and released after the last one", async () => {
    const held: boolean[] = [];
    const look = taskOf(async () => void held.push(await holder()));
    await Promise.all(["first", "second"].map((run_id) => runner.add(runOf({ run_id }), look, {})));
    await runner.idle();
    expect(held).toEqual([true, true]);
    expect(await holder()).toBe(false);
  });

  test("is renewed while a run takes long", async () => {
    vi.useFakeTimers();
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    await runner.add(
      runOf(),
      taskOf(() => ended),
      {},
    );
    for (let second = 1; second <= 30; second++) {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(await holder()).toBe(true);
    }
    end();
    await runner.idle();
    expect(await runs.get(runOf().run_id)).toMatchObject({ status: "SUCCEEDED" });
  });

  test("ends the run if another node has it", async () => {
    vi.useFakeTimers();
    const untilAborted = ({ signal }: TaskContext<unknown>) =>
      new Promise<void>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    await runner.add(runOf(), taskOf(untilAborted), {});
    await store.release(nodeLease(runner.node), runner.node);
    expect(await store.lease(nodeLease(runner.node), "another", 60_000)).not.toBeNull();
    await vi.advanceTimersByTimeAsync(4_000);
    await runner.idle();
    // What the other node stores of the run stays.
    expect(await runs.get(runOf().run_id)).toMatchObject({ status: "RUNNING" });
    expect(runner.size).toBe(0);
  });

  test("is not ended by a release that is under way when the next run is added", async () => {
    const { release } = store;
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    let asked = 0;
    store.release = async (...given) => {
      asked++;
      await opened;
      return release.apply(store, given);
    };
    await runner.add(
      runOf({ run_id: "first" }),
      taskOf(async () => {}),
      {},
    );
    await expect.poll(() => asked).toBe(1);
    const next = runner.add(
      runOf({ run_id: "next" }),
      taskOf(async () => {}),
      {},
    );
    open();
    await next;
    await runner.idle();
    expect(await runs.get("next")).toMatchObject({ status: "SUCCEEDED", error: null });
  });

  test("that cannot be taken refuses the run, and the next one tries again", async () => {
    const { lease } = store;
    store.lease = () => Promise.reject(new Error("The disk is gone"));
    const task = taskOf(async () => {});
    await expect(runner.add(runOf({ run_id: "first" }), task, {})).rejects.toThrow("The disk is gone");
    expect(runner.size).toBe(0);
    store.lease = lease;
    await runner.add(runOf({ run_id: "next" }), task, {});
    await runner.idle();
    expect(await runs.get("next")).toMatchObject({ status: "SUCCEEDED" });
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
