import { setTimeout as delay } from "node:timers/promises";
import { keyOf, type Store } from "@assay/store";
import { every } from "../every.ts";
import type { Runtime } from "../runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";
import { describeFailure } from "./failure.ts";
import type { Job } from "./job.ts";
import { beginRun, type Run, type RunDeps } from "./run.ts";
import { type JobState, putState, readState } from "./state.ts";

/** Runs jobs when they are due, each on one node at a time. */
export interface Scheduler {
  jobs: readonly Job[];
  stateOf(job: Job): Promise<JobState>;
  /** Begins a run whether it is due or not; null while the job runs anywhere. */
  trigger(job: Job): Promise<JobState | null>;
  /** Whether any node starts jobs by the clock, and when one last looked at it, in milliseconds since 1970. */
  clock(): Promise<{ isTicking: boolean; lastTickAt: number | null }>;
  /** Begins to look at the clock, unless it was told not to. */
  start(): Promise<void>;
  /** Tells running jobs to stop and waits for them, five seconds at most; another node goes on with them. */
  close(): Promise<void>;
}

export interface SchedulerOptions {
  store: Store;
  runtime: Runtime;
  jobs: Job[];
  /** Starts jobs by the clock on this node; where false it only runs what is triggered here. */
  isTicking: boolean;
  catchUp: () => Promise<void>;
  /** @default 30 seconds */
  leaseMs?: number;
}

const TICK_MS = 1000;
const BEAT_MS = 30_000;
/** Nodes have not ticked for so long: they are gone. */
const SILENCE_MS = 4 * BEAT_MS;
const LEASE_MS = 30_000;
const CLOSE_MS = 5000;
const CLOCK_KEY = keyOf("scheduler", "clock");

/**
 * Creates a scheduler. A run that was missed while no node was up is made up for once; runs of one job never overlap, and
 * where a node dies in one, the next to look begins it again.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, runtime, jobs, isTicking, catchUp, leaseMs = LEASE_MS } = options;
  const closing = new AbortController();
  const deps: RunDeps = { store, runtime, leaseMs, catchUp, closing: closing.signal };
  const running = new Set<Promise<unknown>>();
  /** When to look at the store again, per job: most ticks then cost nothing. */
  const dueAt = new Map<Job, number>();
  let lastBeat: number | null = null;
  let ticking: Promise<void> | null = null;
  let stop = () => {};

  async function begin(job: Job, isWanted: (state: JobState, now: number) => boolean): Promise<Run | null> {
    if (closing.signal.aborted) return null;
    const run = await beginRun(job, deps, isWanted);
    if (!run) return null;
    dueAt.set(job, Number.POSITIVE_INFINITY);
    const ended = run.ended.then((state) => {
      dueAt.set(job, state?.next_run_at ?? 0);
      running.delete(ended);
    });
    running.add(ended);
    return run;
  }

  async function beat(now: number): Promise<void> {
    if (lastBeat !== null && Math.abs(now - lastBeat) < BEAT_MS) return;
    await store.batch([{ type: "put", key: CLOCK_KEY, value: toBytes({ at: now }) }]);
    lastBeat = now;
  }

  async function tick(): Promise<void> {
    await beat(runtime.now());
    for (const job of jobs) {
      if (runtime.now() < (dueAt.get(job) ?? 0)) continue;
      const { state } = await readState(store, job, runtime.now());
      if (isDue(state, runtime.now())) await begin(job, isDue);
      else dueAt.set(job, state.next_run_at);
    }
  }

  function poll(): void {
    if (ticking) return;
    ticking = tick()
      .catch((error: unknown) => runtime.logger.warn("Jobs cannot be started", { error: describeFailure(error) }))
      .finally(() => {
        ticking = null;
      });
  }

  return {
    jobs,
    stateOf: async (job) => (await readState(store, job, runtime.now())).state,
    trigger: async (job) => (await begin(job, () => true))?.state ?? null,
    async clock() {
      const entry = await store.get(CLOCK_KEY);
      const lastTickAt = entry ? parseBytes<{ at: number }>(entry.value).at : null;
      const isAnyTicking = isTicking || (lastTickAt !== null && runtime.now() - lastTickAt < SILENCE_MS);
      return { isTicking: isAnyTicking, lastTickAt };
    },
    async start() {
      // Written down before it is due, so that a run missed while every node was away is known to be missing.
      for (const job of jobs) {
        const { state, version } = await readState(store, job, runtime.now());
        if (version === 0) await store.batch([putState(job, state, { ifAbsent: "skip" })]);
      }
      if (!isTicking || closing.signal.aborted) return;
      // Where the store takes no writes now, evaluation starts all the same, and the ticks try again.
      await beat(runtime.now()).catch((error: unknown) =>
        runtime.logger.warn("Jobs cannot be started", { error: describeFailure(error) }),
      );
      stop = every(TICK_MS, poll);
    },
    async close() {
      stop();
      closing.abort(new Error("The server closes"));
      await ticking;
      await Promise.race([Promise.all(running), delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** A run that is under way counts as due: whoever gets its lease found it abandoned. */
function isDue(state: JobState, now: number): boolean {
  return state.running_since !== null || state.next_run_at <= now;
}
