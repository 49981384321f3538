import { keyOf, type Store } from "@assay/store";
import { every } from "../every.ts";
import type { Runtime } from "../runtime.ts";
import { type Fence, LeaseLost, SYSTEM } from "../storage/change.ts";
import { describeFailure } from "./failure.ts";
import type { Job } from "./job.ts";
import { nextRun } from "./schedule.ts";
import { type JobState, putState, readState } from "./state.ts";

/** A run that has begun; `ended` never rejects. */
export interface Run {
  state: JobState;
  ended: Promise<JobState | null>;
}

/** What runs need of the scheduler. */
export interface RunDeps {
  store: Store;
  runtime: Runtime;
  /** How long a lease lasts that is not renewed, in milliseconds; it is renewed three times as often. */
  leaseMs: number;
  /** Applies what other nodes have written, so that a run does not begin with what is out of date. */
  catchUp: () => Promise<void>;
  /** Aborted where the server closes. */
  closing: AbortSignal;
}

/**
 * Begins a run under a lease; null where another run holds it, or where `isWanted` says no to what is kept of the job.
 * Whatever the run writes fails once the lease is lost, and so does what it would say of itself.
 */
export async function beginRun(
  job: Job,
  deps: RunDeps,
  isWanted: (state: JobState, now: number) => boolean,
): Promise<Run | null> {
  const { store, runtime, leaseMs } = deps;
  const name = keyOf("scheduler", job.name);
  // A holder of its own for each run: not even this node can run a job twice at once.
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
    if (state.running_since !== null) runtime.logger.warn("A job was interrupted and begins again", { job: job.name });
    return { state: begun, ended: perform(job, begun, deps, { fence, holder }).finally(release) };
  } catch (error) {
    await release();
    throw error;
  }
}

/** What a run that nobody ended leaves behind. */
function interrupted(state: JobState): JobState {
  return {
    ...state,
    last_run_at: state.running_since,
    last_status: "FAILED",
    last_error: "Interrupted: the node that ran it went away",
    last_duration_ms: null,
  };
}

/** Does the work and writes down how it went; null where the lease was lost, as then that is another node's to write. */
async function perform(
  job: Job,
  begun: JobState,
  { store, runtime, leaseMs, catchUp, closing }: RunDeps,
  { fence, holder }: { fence: Fence; holder: string },
): Promise<JobState | null> {
  const lost = new AbortController();
  const stopRenewing = every(leaseMs / 3, async () => {
    // A store that cannot be reached now may be back before the lease ends.
    const renewed = await store.lease(fence.lease, holder, leaseMs).catch(() => undefined);
    if (renewed !== undefined && renewed?.token !== fence.token) lost.abort();
  });
  let failure: unknown;
  try {
    const signal = AbortSignal.any([closing, lost.signal]);
    await catchUp();
    signal.throwIfAborted();
    await job.run({
      now: begun.running_since!,
      signal,
      change: (action, reason) => ({ actor: SYSTEM, action, reason, fence }),
    });
  } catch (error) {
    failure = error ?? new Error("Failed without saying why");
  }
  stopRenewing();
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
    // What a closing server cut off goes on where the next one looks.
    next_run_at: failure !== undefined && closing.aborted ? runtime.now() : begun.next_run_at,
    running_since: null,
  };
  try {
    return (await store.batch([{ type: "fence", ...fence }, putState(job, ended)])).ok ? ended : null;
  } catch (error) {
    runtime.logger.warn("The end of a job could not be written down", { job: job.name, error: describeFailure(error) });
    return null;
  }
}
