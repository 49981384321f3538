import type { Operation, Store } from "@assay/store";
import { isApiError } from "../../ground/errors.ts";
import { every } from "../../ground/every.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import { describeFailure } from "../../jobs/failure.ts";
import { isOver, type LogLine, nodeLease, type Runs, type StoredRun } from "./runs.ts";
import { type EtlTask, type LogLevel, type TaskContext, TaskFailure } from "./tasks/task.ts";

const LEASE_MS = 10_000;
const BEAT_MS = 250;
/** Beats between two renewals of the lease. */
const RENEW_BEATS = 12;
const MAX_LINES = 1000;

/** Executes runs sequentially on this node, and cleans up after dead nodes. */
export interface Runner {
  /** Id of this node. */
  readonly node: string;
  /** Number of waiting and active runs of this node. */
  readonly size: number;
  /** Stores the run and queues it. It counts at once; resolves once it is stored. */
  add(run: StoredRun, task: EtlTask, parameters: unknown): Promise<void>;
  /** Stops a run of this node. Resolves when it has stopped, with false if it runs elsewhere. */
  stop(runId: string): Promise<boolean>;
  /** The current state of a run: FAILED if its node is dead. */
  settle(run: StoredRun): Promise<StoredRun>;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
  /** Aborts the active run. */
  close(): Promise<void>;
}

interface Active {
  run: StoredRun;
  logs: LogLine[];
  isChanged: boolean;
  abort: AbortController;
  ended: Promise<void>;
}

/** The reason a run was stopped. */
class Stopped extends Error {
  readonly status: "CANCELLED" | "FAILED";

  constructor(status: "CANCELLED" | "FAILED", message: string) {
    super(message);
    this.status = status;
  }
}

/** Creates the runner of this node. */
export function createRunner(store: Store, runtime: Runtime, runs: Runs): Runner {
  const node = runtime.id();
  const active = new Map<string, Active>();
  let fence: Operation | null = null;
  /** The lease of this node, held while it has runs. */
  let leased: Promise<boolean> | null = null;
  let released: Promise<unknown> = Promise.resolve();
  let last: Promise<void> = Promise.resolve();
  let stop: (() => void) | undefined;
  let beating: Promise<void> | null = null;
  let beats = 0;
  const now = () => timestampOf(runtime.now());

  async function save(one: Active): Promise<void> {
    one.isChanged = false;
    const isWritten = await runs.save(one.run, one.logs, fence);
    if (!isWritten)
      one.abort.abort(new Stopped("FAILED", "Interrupted: this node stopped responding, and another node took over"));
  }

  function note(one: Active, level: LogLevel, message: string): void {
    one.isChanged = true;
    if (one.logs.length < MAX_LINES) one.logs.push({ timestamp: now(), level, message });
  }

  async function takeLease(): Promise<boolean> {
    const lease = await store.lease(nodeLease(node), node, LEASE_MS);
    // Without it, the fence of the lost lease refuses what this node still writes.
    if (lease) fence = { type: "fence", lease: nodeLease(node), token: lease.token };
    return lease !== null;
  }

  /** Takes the lease for the first run. A release that is under way must not end it. */
  function hold(): Promise<boolean> {
    leased ??= released.then(takeLease);
    return leased;
  }

  async function beat(): Promise<void> {
    if (beats++ % RENEW_BEATS === RENEW_BEATS - 1 && !(await takeLease())) {
      for (const { abort } of active.values()) abort.abort(new Stopped("FAILED", "Interrupted: the lease was lost"));
    }
    for (const one of active.values()) {
      if (await runs.isCancelled(one.run.run_id)) one.abort.abort(new Stopped("CANCELLED", "Cancelled"));
      else if (one.isChanged) await save(one);
    }
  }

  /** While runs exist, checks for cancellation and writes progress, several times a second. */
  function wake(): void {
    stop ??= every(BEAT_MS, () => {
      beating ??= beat()
        .catch((error: unknown) => runtime.logger.warn("Runs cannot be followed", { error: describeFailure(error) }))
        .finally(() => {
          beating = null;
        });
    });
  }

  async function rest(): Promise<void> {
    if (active.size > 0) return;
    stop?.();
    stop = undefined;
    await beating;
    if (active.size > 0) return;
    leased = null;
    released = store.release(nodeLease(node), node).catch(() => {});
    await released;
  }

  function contextOf(one: Active, parameters: unknown): TaskContext<unknown> {
    const { run, abort } = one;
    return {
      parameters,
      runId: run.run_id,
      signal: abort.signal,
      change: (action) => ({
        actor: run.actor,
        caller: "SERVER",
        action,
        reason: `Run ${run.run_id} of ${run.job_name}`,
      }),
      log: (level, message) => note(one, level, message),
      report(processed, progress) {
        run.processed = processed;
        run.progress = Math.min(1, Math.max(run.progress, progress));
        one.isChanged = true;
      },
      addFile: (file) => run.files.push(file),
    };
  }

  async function perform(one: Active, task: EtlTask, parameters: unknown): Promise<void> {
    const { run, abort } = one;
    try {
      if (isOver(run)) return;
      abort.signal.throwIfAborted();
      Object.assign(run, { status: "RUNNING", started_at: now() });
      await save(one);
      await task.run(contextOf(one, parameters));
      abort.signal.throwIfAborted();
      Object.assign(run, { status: "SUCCEEDED", progress: 1 });
    } catch (error) {
      const stopped = abort.signal.aborted ? abort.signal.reason : error;
      const status = stopped instanceof Stopped ? stopped.status : "FAILED";
      Object.assign(run, { status, error: status === "CANCELLED" ? null : reasonOf(stopped, run) });
      note(one, status === "CANCELLED" ? "WARN" : "ERROR", run.error ?? "Cancelled");
    } finally {
      run.finished_at ??= now();
      await runs.save(run, one.logs, fence).catch(() => false);
      active.delete(run.run_id);
      await rest();
    }
  }

  /** The public message of an error. Details go to the server log. */
  function reasonOf(error: unknown, { run_id, job_name }: StoredRun): string {
    if (error instanceof Stopped || error instanceof TaskFailure || isApiError(error)) return error.message;
    runtime.logger.error("A run failed", { run_id, job_name, error: describeFailure(error) });
    return "Internal error; see the server's log for this run's id";
  }

  return {
    node,
    get size() {
      return active.size;
    },
    async add(run, task, parameters) {
      const one: Active = { run, logs: [], isChanged: false, abort: new AbortController(), ended: last };
      active.set(run.run_id, one);
      wake();
      try {
        await hold();
        await save(one);
      } catch (error) {
        active.delete(run.run_id);
        await rest();
        throw error;
      }
      one.ended = last = last.then(() => perform(one, task, parameters));
    },
    async stop(runId) {
      const one = active.get(runId);
      if (!one) return false;
      one.abort.abort(new Stopped("CANCELLED", "Cancelled"));
      // A waiting run ends at once; its turn is skipped later.
      if (one.run.status === "RUNNING") await one.ended;
      else {
        Object.assign(one.run, { status: "CANCELLED", finished_at: now() });
        note(one, "WARN", "Cancelled");
        await save(one);
      }
      return true;
    },
    async settle(run) {
      if (isOver(run) || run.node === node) return run;
      const lease = await store.lease(nodeLease(run.node), node, LEASE_MS);
      if (!lease) return run;
      // Reads again: the run may have ended before its node released the lease.
      const current = (await runs.get(run.run_id)) ?? run;
      if (isOver(current)) return current;
      const failed: StoredRun = { ...current, status: "FAILED", finished_at: now(), error: "interrupted" };
      const line: LogLine = { timestamp: now(), level: "ERROR", message: "Interrupted: the node that ran it is gone" };
      await runs.save(failed, [...(await runs.logs(run.run_id)), line], null);
      await store.release(nodeLease(run.node), node);
      return failed;
    },
    idle: () => last,
    async close() {
      for (const { abort } of active.values())
        abort.abort(new Stopped("FAILED", "Interrupted: the server was stopped"));
      await last;
      stop?.();
      await beating;
    },
  };
}
