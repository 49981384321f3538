/**
 * The reason of an assignment. ASSIGNED: drawn by hash. OVERRIDE: forced by an override, a rule or `included_users`.
 * The others assign no arm: the experiment is not ACTIVE, the user is in the holdout, outside of the experiment's slots
 * of its group or not targeted, there is no user id to hash, or the definition is invalid.
 */
export type AssignmentReason = "ASSIGNED" | "OVERRIDE" | "NOT_RUNNING" | "HOLDOUT" | "EXCLUDED" | "TARGETING" | "ERROR";

/** The arm of a user in an experiment. */
export interface Assignment {
  /** The control's key if `assigned` is false; empty if the experiment has no variants. */
  variant_key: string;
  /** Whether the user takes part. */
  assigned: boolean;
  reason: AssignmentReason;
  /** The hash in [0, 1) that decided; null if none was needed. */
  bucket: number | null;
  /** Whether the arm was forced instead of drawn, and is therefore excluded from randomised analysis. */
  forced: boolean;
}

/** Creates an assignment, frozen because it is shared. */
export function toAssignment(variant_key: string, reason: AssignmentReason, forced = false): Assignment {
  const assigned = reason === "ASSIGNED" || reason === "OVERRIDE";
  return Object.freeze({ variant_key, assigned, reason, bucket: null, forced });
}
