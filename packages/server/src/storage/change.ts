import type { Caller } from "../model/caller.ts";

/** Who did something, as the audit trail keeps it. */
export interface Actor {
  actor_type: "USER" | "API_KEY" | "SYSTEM" | "WEBHOOK";
  actor_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The server itself: schedulers, start-up. */
export const SYSTEM: Actor = { actor_type: "SYSTEM", actor_id: null, ip: null, user_agent: null, request_id: null };

/** What every write to a collection has to say of itself; it becomes the audit entry, in the same transaction. */
export interface Change {
  actor: Actor;
  /** For example `feature_flag.update`. */
  action: string;
  reason?: string | undefined;
  /**
   * Whose rights are checked for each document of the change; `SERVER` where the server acts by itself. Required, but for
   * the actor SYSTEM, to write a document that has an owner.
   */
  caller?: Caller | "SERVER" | undefined;
  /** A rollback, which every DEVELOPER may make, or the pause of a schedule that follows from one. */
  emergency?: true | undefined;
  /** The lease a job runs under: the write fails once another node has taken it. */
  fence?: Fence | undefined;
}

/** A lease as whoever holds it shows it. */
export interface Fence {
  lease: string;
  token: number;
}

/** A write under a lease that somebody else holds by now; nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** One entry of the audit journal; `sequence` is its position there. */
export interface AuditEntry extends Actor {
  id: string;
  timestamp: string;
  action: string;
  resource_type: string;
  resource_id: string | null;
  resource_name: string | null;
  /** The fields that changed, before and after; secrets are never among them. */
  old_value: Record<string, unknown> | null;
  new_value: Record<string, unknown> | null;
  reason: string | null;
}
