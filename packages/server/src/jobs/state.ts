import { keyOf, type PutOperation, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";
import type { Job } from "./job.ts";
import { nextRun } from "./schedule.ts";

/** The stored state of a job, shared by all nodes. Times in milliseconds since 1970. */
export interface JobState {
  last_run_at: number | null;
  last_status: "SUCCEEDED" | "FAILED" | null;
  last_error: string | null;
  last_duration_ms: number | null;
  next_run_at: number;
  /** Start of the current run. Stays after its node died, until another node takes the lease. */
  running_since: number | null;
}

/** The state of a job with its store version, 0 if nothing is stored. */
export interface KeptState {
  state: JobState;
  version: number;
  /** The stored time of the next run is too late: the clock was set back, or the schedule became more frequent. */
  isLate: boolean;
}

export async function readState(store: Store, job: Job, now: number): Promise<KeptState> {
  const entry = await store.get(stateKey(job));
  const next = nextRun(job.schedule, now);
  if (!entry) return { state: { ...NEVER_RUN, next_run_at: next }, version: 0, isLate: false };
  const state = parseBytes<JobState>(entry.value);
  const isLate = state.next_run_at > next;
  return { state: isLate ? { ...state, next_run_at: next } : state, version: entry.version, isLate };
}

export function putState(job: Job, state: JobState, conditions: Pick<PutOperation, "ifVersion" | "ifAbsent"> = {}) {
  return { type: "put", key: stateKey(job), value: toBytes(state), ...conditions } as const;
}

const NEVER_RUN = {
  last_run_at: null,
  last_status: null,
  last_error: null,
  last_duration_ms: null,
  running_since: null,
} as const;

function stateKey(job: Job): string {
  return keyOf("scheduler", "job", job.name);
}
