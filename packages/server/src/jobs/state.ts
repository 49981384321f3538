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
}

export async function readState(store: Store, job: Job, now: number): Promise<KeptState> {
  const entry = await store.get(stateKey(job));
  const next = nextRun(job.schedule, now);
  if (!entry) return { state: { ...NEVER_RUN, next_run_at: next }, version: 0 };
  const state = parseBytes<JobState>(entry.value);
  // A job whose schedule became more frequent does not wait for the old time.
  return { state: { ...state, next_run_at: Math.min(state.next_run_at, next) }, version: entry.version };
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
