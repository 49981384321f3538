/**
 * Why an arm was given: drawn by hash (ASSIGNED) or by name (OVERRIDE: an override, a rule or `included_users`). Why
 * not: the experiment is not ACTIVE, the user is in the holdout, outside the experiment's slots of its group, not
 * targeted (or there is no user id to hash), or the definition is invalid.
 */
export type AssignmentReason = "ASSIGNED" | "OVERRIDE" | "NOT_RUNNING" | "HOLDOUT" | "EXCLUDED" | "TARGETING" | "ERROR";

/** The arm of a user in an experiment. */
export interface Assignment {
  /** The control's key if `assigned` is false; empty if the experiment has no variants. */
  variant_key: string;
  /** Whether the user takes part. */
  assigned: boolean;
  reason: AssignmentReason;
  /** The hash in [0, 1) that decided, null if none was needed. */
  bucket: number | null;
  /** The arm was given by name, not drawn: excluded from randomised analysis. */
  forced: boolean;
}

/** An assignment, frozen because it is shared. */
export function toAssignment(variant_key: string, reason: AssignmentReason, forced = false): Assignment {
  const assigned = reason === "ASSIGNED" || reason === "OVERRIDE";
  return Object.freeze({ variant_key, assigned, reason, bucket: null, forced });
}
