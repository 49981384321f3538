import type { Change } from "../storage/change.ts";

/** Scheduled work that runs on one node at a time. */
export interface Job {
  /** Its name under `/scheduler/jobs`, for example `rollout-advance`. */
  name: string;
  description: string;
  /** Cron expression with five fields, UTC. */
  schedule: string;
  /**
   * Performs what is due now. It may be interrupted and restarted on another node at any moment, so every effect must
   * be conditional on the state it changes. Writes use `change`, which fails once the lease is lost.
   */
  run(context: JobContext): Promise<void>;
}

export interface JobContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Aborted when the server closes or the lease is lost. */
  signal: AbortSignal;
  /** The audit note of a write by the system, with the lease of this run. */
  change(action: string, reason?: string): Change;
}
