/**
 * Why an arm was given: drawn by hash (ASSIGNED) or by name (OVERRIDE: an override, a rule or `included_users`).
 * Why not: the experiment is not ACTIVE, the user is in the holdout, outside the experiment's slots of its group,
 * not targeted (or there is nobody to hash), or the definition is not understood.
 */
export type AssignmentReason = "ASSIGNED" | "OVERRIDE" | "NOT_RUNNING" | "HOLDOUT" | "EXCLUDED" | "TARGETING" | "ERROR";

/** Which arm of an experiment a user is in. */
export interface Assignment {
  /** The control's key where `assigned` is false; empty where the experiment has no variants. */
  variant_key: string;
  /** Whether the user takes part. */
  assigned: boolean;
  reason: AssignmentReason;
  /** The hash in [0, 1) that decided, null where none was needed. */
  bucket: number | null;
  /** The arm was given by name, not drawn: not analysed as randomised. */
  forced: boolean;
}

/** An assignment, frozen: it is shared by everyone who gets it. */
export function toAssignment(variant_key: string, reason: AssignmentReason, forced = false): Assignment {
  const assigned = reason === "ASSIGNED" || reason === "OVERRIDE";
  return Object.freeze({ variant_key, assigned, reason, bucket: null, forced });
}
