import { keyOf, type Store } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import { type Fence, LeaseLost, SYSTEM } from "../storage/change.ts";
import { describeFailure } from "./failure.ts";
import type { Job, JobContext } from "./job.ts";
import { nextRun } from "./schedule.ts";
import { type JobState, putState, readState } from "./state.ts";

/** A started run. `ended` never rejects. */
export interface Run {
  state: JobState;
  ended: Promise<JobState | null>;
}

/** Dependencies of runs. */
export interface RunDeps {
  store: Store;
  runtime: Runtime;
  /** Lifetime of a lease in milliseconds. A run renews it three times as often. */
  leaseMs: number;
  /** Applies the writes of other nodes, so that a run starts with current data. */
  catchUp: () => Promise<void>;
  /** Aborted when the server closes. */
  closing: AbortSignal;
}

/**
 * Starts a run under a lease. Null if another run holds the lease, or if `isWanted` rejects the stored state. Once the
 * lease is lost, every write of the run fails, including its result.
 */
export async function beginRun(
  job: Job,
  deps: RunDeps,
  isWanted: (state: JobState, now: number) => boolean,
): Promise<Run | null> {
  const { store, runtime, leaseMs } = deps;
  const name = keyOf("scheduler", job.name);
  // Each run has its own holder id, so that a node cannot run a job twice at once.
  const holder = runtime.id();
  const lease = await store.lease(name, holder, leaseMs);
  if (!lease) return null;
  const fence: Fence = { lease: name, token: lease.token };
  const release = () => store.release(name, holder).catch(() => {});
  try {
    const now = runtime.now();
    const { state, version } = await readState(store, job, now);
    const begun: JobState = {
      ...(state.running_since === null ? state : interrupted(state)),
      running_since: now,
      next_run_at: nextRun(job.schedule, now),
    };
    const write = [{ type: "fence", ...fence } as const, putState(job, begun, { ifVersion: version })];
    if (!isWanted(state, now) || !(await store.batch(write)).ok) {
      await release();
      return null;
    }
    if (state.running_since !== null) runtime.logger.warn("A job was interrupted and starts again", { job: job.name });
    return { state: begun, ended: perform(job, begun, deps, { fence, holder }).finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** Returns the state after an interrupted run. */
function interrupted(state: JobState): JobState {
  return {
    ...state,
    last_run_at: state.running_since,
    last_status: "FAILED",
    last_error: "Interrupted: the node that ran it is gone",
    last_duration_ms: null,
  };
}

/** Runs the job and stores the result. Null if the lease was lost; then another node stores it. */
async function perform(
  job: Job,
  begun: JobState,
  { store, runtime, leaseMs, catchUp, closing }: RunDeps,
  { fence, holder }: { fence: Fence; holder: string },
): Promise<JobState | null> {
  const lost = new AbortController();
  const stopRenewing = every(leaseMs / 3, async () => {
    // An unreachable store may recover before the lease expires.
    const renewed = await store.lease(fence.lease, holder, leaseMs).catch(() => undefined);
    if (renewed !== undefined && renewed?.token !== fence.token) lost.abort();
  });
  let failure: unknown;
  const started = performance.now();
  try {
    const signal = AbortSignal.any([closing, lost.signal]);
    await catchUp();
    signal.throwIfAborted();
    const context: JobContext = {
      now: begun.running_since!,
      signal,
      change: (action, reason) => ({ actor: SYSTEM, action, reason, fence }),
    };
    await runtime.tracing.span(`job ${job.name}`, { "assay.job": job.name }, () => job.run(context));
  } catch (error) {
    failure = error ?? new Error("Failed without an error message");
  }
  stopRenewing();
  const seconds = (performance.now() - started) / 1000;
  runtime.metrics.ran(job.name, failure !== undefined, seconds, runtime.now());
  const isLost = lost.signal.aborted || (failure instanceof Error && failure.name === LeaseLost.name);
  if (failure !== undefined) {
    runtime.logger.error("A job failed", { job: job.name, error: describeFailure(failure) });
  }
  if (isLost) return null;
  const ended: JobState = {
    last_run_at: begun.running_since,
    last_status: failure === undefined ? "SUCCEEDED" : "FAILED",
    last_error: failure === undefined ? null : describeFailure(failure),
    last_duration_ms: Math.max(0, runtime.now() - begun.running_since!),
    // Another node continues a run that closing interrupted. The clock may have been set back during the run.
    next_run_at:
      failure !== undefined && closing.aborted
        ? runtime.now()
        : Math.min(begun.next_run_at, nextRun(job.schedule, runtime.now())),
    running_since: null,
  };
  try {
    return (await store.batch([{ type: "fence", ...fence }, putState(job, ended)])).ok ? ended : null;
  } catch (error) {
    runtime.logger.warn("The end of a job could not be stored", { job: job.name, error: describeFailure(error) });
    return null;
  }
}
