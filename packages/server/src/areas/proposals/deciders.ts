import { contract, type ProposableRoute } from "@assay/contract";
import { isApiError } from "../../ground/errors.ts";
import type { Guard } from "../../identity/guard.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import type { UserCaller } from "../../model/caller.ts";
import type { UserRecord } from "../../model/user.ts";
import type { Document } from "../../storage/collection.ts";
import { PROTECTED, type ProtectedKind, type ProtectedRecords } from "./protection.ts";
import type { ProposalRecord } from "./record.ts";
import { actingOn, type Roles } from "./rehearsal.ts";

/** Returns a user as the caller of a route, with their rights of now. */
export function callerOf(
  user: UserRecord,
  route: ProposableRoute,
  roles: Roles,
  request_id: string | null,
): UserCaller {
  const { id: userId, role, is_superuser: isSuperuser } = user;
  const actor = { actor_type: "USER", actor_id: userId, ip: null, user_agent: null, request_id } as const;
  return actingOn({ type: "USER", actor, userId, role, isSuperuser, sessionId: null }, route, roles);
}

/** Returns the kind of what a proposal changes, and the document, which is undefined until a proposal to create it is applied. */
export function subjectOf(
  { resource_type, resource_id }: ProposalRecord,
  records: ProtectedRecords,
): [ProtectedKind, Document | undefined] {
  const kind = PROTECTED[resource_type as keyof typeof PROTECTED];
  return [kind, records[kind].get(resource_id ?? "")];
}

/** Creates the check whether a user has the rights to decide a proposal, other than their own. */
export function createDeciders(deps: {
  records: ProtectedRecords;
  rights: Rights;
  roles: Roles;
  allows: Guard["allows"];
}): (user: UserRecord, proposal: ProposalRecord) => boolean {
  const { records, rights, roles, allows } = deps;
  return (user, proposal) => {
    const { route, author_id, action } = proposal;
    const caller = callerOf(user, route, roles, null);
    if (user.id === author_id || !allows(caller, route, contract[route])) return false;
    const [kind, document] = subjectOf(proposal, records);
    if (!document) return true;
    try {
      rights.require({ actor: caller.actor, caller, action }, kind, unchanged(document as never));
      return true;
    } catch (error) {
      if (isApiError(error)) return false;
      throw error;
    }
  };
}
