import type { AuditApproval } from "@assay/contract";
import type { Caller, UserCaller } from "../model/caller.ts";

/** The author of a change, as the audit trail stores it. */
export interface Actor {
  actor_type: "USER" | "API_KEY" | "SYSTEM" | "WEBHOOK";
  actor_id: string | null;
  ip: string | null;
  user_agent: string | null;
  request_id: string | null;
}

/** The server itself, for example jobs and start-up. */
export const SYSTEM: Actor = { actor_type: "SYSTEM", actor_id: null, ip: null, user_agent: null, request_id: null };

/** The audit note of a write. It becomes the audit entry in the same transaction. */
export interface Change {
  actor: Actor;
  /** For example `feature_flag.update`. */
  action: string;
  reason?: string | undefined;
  /**
   * The caller whose rights the server checks for each changed document; `SERVER` if the server acts itself. Required
   * to write documents with owners, except for the actor SYSTEM.
   */
  caller?: Caller | "SERVER" | undefined;
  /** A rollback, which every DEVELOPER may do, or the pause of a schedule caused by one. */
  emergency?: true | undefined;
  /** Fields whose values the audit entry omits, such as a list from which a person is erased. */
  omitted?: readonly string[] | undefined;
  /** Runs every rule of the change, and throws {@link Rehearsed} instead of writing. */
  rehearsal?: true | undefined;
  /** The approved proposal that this change carries out. */
  proposal?: ApprovedProposal | undefined;
  /** The lease of a job. The write fails once another node has taken the lease. */
  fence?: Fence | undefined;
}

/** A proposal that another user has just approved. */
export interface ApprovedProposal {
  id: string;
  approver: UserCaller;
  /** The reason of the author, unless the change has its own. */
  reason: string | null;
  /** The reason of the approver. */
  decision: string | null;
}

/** Proof that a node has a lease. */
export interface Fence {
  lease: string;
  token: number;
}

/** Another holder has the lease. Nothing was written. */
export class LeaseLost extends Error {
  override readonly name = "LeaseLost";
}

/** The change that a rehearsal would have written first. Nothing was written. */
export class Rehearsed extends Error {
  override readonly name = "Rehearsed";
  readonly entry: AuditEntry;
  /** The version of the document; null if the change creates it. */
  readonly version: number | null;

  constructor(entry: AuditEntry, version: number | null) {
    super(`${entry.action} was rehearsed`);
    this.entry = entry;
    this.version = version;
  }
}

/** One entry of the audit journal. `sequence` is its position. */
export interface AuditEntry extends Actor {
  id: string;
  timestamp: string;
  action: string;
  resource_type: string;
  resource_id: string | null;
  resource_name: string | null;
  /** Changed fields before and after, without secrets. */
  old_value: Record<string, unknown> | null;
  new_value: Record<string, unknown> | null;
  reason: string | null;
  /** Only for changes of a protected environment. */
  approval?: AuditApproval;
}
