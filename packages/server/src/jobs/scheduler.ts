import { setTimeout as delay } from "node:timers/promises";
import { keyOf, type Store } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";
import { describeFailure } from "./failure.ts";
import type { Job } from "./job.ts";
import { beginRun, type Run, type RunDeps } from "./run.ts";
import { type JobState, putState, readState } from "./state.ts";

/** Runs due jobs, each on one node at a time. */
export interface Scheduler {
  jobs: readonly Job[];
  stateOf(job: Job): Promise<JobState>;
  /** Starts a run, due or not. Null while the job runs on any node. */
  trigger(job: Job): Promise<JobState | null>;
  /** Whether any node runs scheduled jobs, and its last tick in milliseconds since 1970. */
  clock(): Promise<{ isTicking: boolean; lastTickAt: number | null }>;
  /** Starts the timer, unless `isTicking` is false. */
  start(): Promise<void>;
  /** Aborts running jobs and waits at most five seconds for them. Another node continues them. */
  close(): Promise<void>;
}

export interface SchedulerOptions {
  store: Store;
  runtime: Runtime;
  jobs: Job[];
  /** Whether this node runs scheduled jobs. If false, it only runs jobs triggered here. */
  isTicking: boolean;
  catchUp: () => Promise<void>;
  /** @default 30 seconds */
  leaseMs?: number;
}

const TICK_MS = 1000;
const BEAT_MS = 30_000;
/** Nodes without a tick for this long count as dead. */
const SILENCE_MS = 4 * BEAT_MS;
const LEASE_MS = 30_000;
const CLOSE_MS = 5000;
const CLOCK_KEY = keyOf("scheduler", "clock");

/**
 * Creates a scheduler. If runs of a job were missed while no node was up, it makes up for them with one run. Runs of
 * one job never overlap. If a node dies during a run, the next node to check restarts it.
 */
export function createScheduler(options: SchedulerOptions): Scheduler {
  const { store, runtime, jobs, isTicking, catchUp, leaseMs = LEASE_MS } = options;
  const closing = new AbortController();
  const deps: RunDeps = { store, runtime, leaseMs, catchUp, closing: closing.signal };
  const running = new Set<Promise<unknown>>();
  /** When to read the state of each job again, so that most ticks cost nothing. */
  const dueAt = new Map<Job, number>();
  let lastBeat: number | null = null;
  let lastTick = Number.NEGATIVE_INFINITY;
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

  /** Forgets the noted times if the clock was set back, because they are too late then. */
  function noticeClock(now: number): void {
    if (now < lastTick) for (const [job, due] of dueAt) if (Number.isFinite(due)) dueAt.set(job, 0);
    lastTick = now;
  }

  async function tick(): Promise<void> {
    noticeClock(runtime.now());
    await beat(runtime.now());
    for (const job of jobs) {
      if (runtime.now() < (dueAt.get(job) ?? 0)) continue;
      const { state, version, isLate } = await readState(store, job, runtime.now());
      // Stores the earlier time. Otherwise, at that time, the next one would be computed from then on, and the job
      // would never be due. Another node may have been faster.
      if (isLate) await store.batch([putState(job, state, { ifVersion: version })]);
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
      // Stored before it is due, so that runs missed while every node was down are detected.
      for (const job of jobs) {
        const { state, version } = await readState(store, job, runtime.now());
        if (version === 0) await store.batch([putState(job, state, { ifAbsent: "skip" })]);
      }
      if (!isTicking || closing.signal.aborted) return;
      // If the store rejects writes now, evaluation starts anyway, and later ticks retry.
      await beat(runtime.now()).catch((error: unknown) =>
        runtime.logger.warn("Jobs cannot be started", { error: describeFailure(error) }),
      );
      stop = every(TICK_MS, poll);
    },
    async close() {
      stop();
      closing.abort(new Error("The server is closing"));
      await ticking;
      await Promise.race([Promise.all(running), delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** Whether a run is due. A run in progress counts as due: a node that gets its lease found it abandoned. */
function isDue(state: JobState, now: number): boolean {
  return state.running_since !== null || state.next_run_at <= now;
}
