import { isDeepStrictEqual } from "node:util";
import type { AuditApproval } from "@assay/contract";
import { ApiError, conflict } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Kind, RecordOf } from "../../identity/ownership.ts";
import type { Rights } from "../../identity/rights.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { ApprovedProposal, Change } from "../../storage/change.ts";
import type { Collection, Companion, Document, DocumentWrite } from "../../storage/collection.ts";
import type { ProposalRecord } from "./record.ts";

/** The kinds of documents that decide who gets what, by their names in the audit trail. */
export const PROTECTED = {
  feature_flag: "flags",
  experiment: "experiments",
  segment: "segments",
  rollout_schedule: "schedules",
  mutual_exclusion_group: "groups",
  holdout: "holdouts",
} as const satisfies Record<string, Kind>;
export type ProtectedKind = (typeof PROTECTED)[keyof typeof PROTECTED];

/** The documents that proposals change, and the proposals. */
export type ProtectedRecords = { [K in ProtectedKind]: Collection<RecordOf<K>> } & {
  proposals: Collection<ProposalRecord>;
};

/**
 * What the server does to these documents on behalf of a person, without a decision of theirs: the weights that the hourly
 * job computes too, and an erasure that the law demands.
 */
const WITHOUT_DECISION = new Set(["bandit.update", "segment.erase_person"]);
/** The fields of a flag that a kill may change. */
const KILLED = new Set(["status", "updated_at", "version", "changed_by", "rollout_history"]);

/**
 * From now on, refuses changes of a protected environment that have no approval, and closes each approved proposal in the
 * batch that applies it.
 */
export function protect(deps: {
  records: ProtectedRecords;
  environment: { name: string; guarded: readonly string[] };
  runtime: Runtime;
  rights: Rights;
}): void {
  const { records, environment, runtime, rights } = deps;
  const { proposals } = records;
  const isProtected = environment.guarded.includes(environment.name);

  /** @throws ApiError 403 without the right of the approver, 409 if the proposal is decided or stale */
  function requireCurrent<K extends ProtectedKind>(kind: K, write: DocumentWrite<RecordOf<K>>, by: ApprovedProposal) {
    const { before, after } = write;
    // The creator of a document owns it, so the approver needs the right to create their own.
    const own = before ? after : after && { ...after, created_by: by.approver.userId };
    rights.require({ ...write.by, caller: by.approver }, kind, { id: write.id, before, after: own });
    const proposal = proposals.require(by.id);
    if (!isSubject(proposal, kind, write)) return;
    if (proposal.status === "APPLIED" && proposal.decided_by === by.approver.userId) return;
    if (proposal.status !== "OPEN") throw decided(proposal);
    if ((before?.version ?? null) !== proposal.base_version) throw stale();
  }

  function approvalOf<K extends ProtectedKind>(kind: K, write: DocumentWrite<RecordOf<K>>): AuditApproval | null {
    const { by } = write;
    if (by.proposal) {
      requireCurrent(kind, write, by.proposal);
      return { status: "APPROVED", proposal_id: by.proposal.id, approved_by: by.proposal.approver.userId };
    }
    if (!isProtected || by.rehearsal || isServer(by)) return null;
    if (by.emergency || (kind === "flags" && isKill(write as unknown as DocumentWrite<FlagRecord>))) {
      return { status: "EMERGENCY", proposal_id: null, approved_by: null };
    }
    throw new ApiError(
      403,
      `The environment ${JSON.stringify(environment.name)} is protected: propose this change with POST /api/v1/proposals`,
      { "X-Assay-Protected": environment.name },
    );
  }

  /** Returns the operations that close the proposal of a change. */
  function closing<K extends ProtectedKind>(kind: K, write: DocumentWrite<RecordOf<K>>): Companion | null {
    if (!write.by.proposal) return null;
    const { id, approver, decision } = write.by.proposal;
    const proposal = proposals.get(id);
    if (proposal?.status !== "OPEN" || !isSubject(proposal, kind, write)) return null;
    const applied = (current: ProposalRecord): ProposalRecord => ({
      ...current,
      status: "APPLIED",
      resource_id: write.id,
      decided_by: approver.userId,
      decided_at: timestampOf(runtime.now()),
      decision_reason: decision,
    });
    const by: Change = { actor: approver.actor, caller: approver, action: "proposal.approve" };
    return proposals.replacement(proposal.id, applied, decision === null ? by : { ...by, reason: decision });
  }

  const collections: { [K in ProtectedKind]: Collection<RecordOf<K>> } = records;
  function watch<K extends ProtectedKind>(kind: K): void {
    collections[kind].attest((write) => approvalOf(kind, write));
    collections[kind].alongside((write) => closing(kind, write));
  }
  for (const kind of Object.values(PROTECTED)) watch(kind);
}

/** Whether a write is the one that a proposal proposes, and not one of its consequences. */
function isSubject(proposal: ProposalRecord, kind: ProtectedKind, { id, before }: DocumentWrite<Document>): boolean {
  if (PROTECTED[proposal.resource_type as keyof typeof PROTECTED] !== kind) return false;
  return proposal.base_version === null
    ? before === null && (proposal.resource_id === null || proposal.resource_id === id)
    : proposal.resource_id === id;
}

function isServer({ actor, caller, action }: Change): boolean {
  return caller === "SERVER" || actor.actor_type === "SYSTEM" || WITHOUT_DECISION.has(action);
}

/** Whether a change only turns a flag off, with a reason. */
function isKill({ before, after, by }: DocumentWrite<FlagRecord>): boolean {
  if (!before || after?.status !== "INACTIVE" || before.status !== "ACTIVE" || !by.reason?.trim()) return false;
  const names = Object.keys({ ...before, ...after }) as (keyof FlagRecord)[];
  return names.every((name) => KILLED.has(name) || isDeepStrictEqual(before[name], after[name]));
}

export const decided = ({ status }: Pick<ProposalRecord, "status">) => conflict(`The proposal is ${status}`);
export const stale = () =>
  conflict("The resource has changed since the proposal; compare them, and propose the change again");
