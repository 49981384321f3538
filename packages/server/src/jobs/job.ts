import type { Change } from "../storage/change.ts";

/** Work that one node does at set times. */
export interface Job {
  /** Its name under `/scheduler/jobs`, `rollout-advance` for example. */
  name: string;
  description: string;
  /** Five fields of cron, UTC. */
  schedule: string;
  /**
   * Does what is due now. It may be cut off and begun again on another node at any moment, so every effect has to be
   * conditional on what it changes; writes go under `change`, which fails once the lease is lost.
   */
  run(context: JobContext): Promise<void>;
}

export interface JobContext {
  /** Milliseconds since 1970. */
  now: number;
  /** Aborted where the server closes or the lease is lost. */
  signal: AbortSignal;
  /** The audit note of a write: the system, this action, under this run's lease. */
  change(action: string, reason?: string): Change;
}
