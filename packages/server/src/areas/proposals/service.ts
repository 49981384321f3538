import {
  contract,
  type ProposableRoute,
  type Proposal,
  type ProposalCreate,
  type ProposalSummary,
  parseRouteKey,
  pathParams,
  type Route,
} from "@assay/contract";
import { shownName } from "../../audit/privacy.ts";
import { ApiError, conflict, forbidden, isApiError, preconditionFailed } from "../../ground/errors.ts";
import { type Runtime, timestampOf } from "../../ground/runtime.ts";
import type { Perform } from "../../http/perform.ts";
import type { ActorNames } from "../../identity/actor-names.ts";
import type { Guard } from "../../identity/guard.ts";
import { type Rights, unchanged } from "../../identity/rights.ts";
import { type Caller, requireUser, type UserCaller } from "../../model/caller.ts";
import type { UserRecord } from "../../model/user.ts";
import type { AuditEntry, Change } from "../../storage/change.ts";
import type { Collection, Document } from "../../storage/collection.ts";
import { callerOf, subjectOf } from "./deciders.ts";
import { decided, PROTECTED, type ProtectedRecords, stale } from "./protection.ts";
import type { ProposalRecord } from "./record.ts";
import { type Asked, actingOn, createRehearsal, type Roles } from "./rehearsal.ts";

export interface ProposalFilter {
  status?: ProposalRecord["status"] | undefined;
  resource_type?: string | undefined;
  resource_id?: string | undefined;
  author_id?: string | undefined;
}

export interface ProposalService {
  /** @throws ApiError like the route of the change, 409 outside protected environments or at too many open proposals */
  create(body: ProposalCreate, asked: Asked): Promise<Proposal>;
  /** Newest first. */
  list(filter: ProposalFilter): ProposalRecord[];
  summarize(proposal: ProposalRecord, caller: Caller): ProposalSummary;
  /** With the difference from the present state. @throws ApiError 404 */
  show(id: string, asked: Asked): Promise<Proposal>;
  /** Applies the change. @throws ApiError 403, 404, 409 if it is decided, stale or cannot be applied, 412 */
  approve(id: string, reason: string | undefined, asked: Asked): Promise<Proposal>;
  /** @throws ApiError 403, 404, 409 if it is decided, 412 */
  reject(id: string, reason: string, asked: Asked): Promise<Proposal>;
  /** @throws ApiError 403 unless it is one's own, 404, 409 if it is decided, 412 */
  withdraw(id: string, asked: Asked): Promise<Proposal>;
}

/** They stay in memory, with the whole change. */
const MAX_OPEN = 1_000;

export function createProposalService(deps: {
  records: ProtectedRecords & { users: Collection<UserRecord> };
  environment: { name: string; guarded: readonly string[] };
  runtime: Runtime;
  rights: Rights;
  roles: Roles;
  actorNames: ActorNames;
  api: { allows: Guard["allows"]; perform: Perform };
}): ProposalService {
  const { records, environment, runtime, rights, roles, actorNames, api } = deps;
  const { proposals } = records;
  const rehearse = createRehearsal(api.perform, roles);

  /** @throws ApiError 403 */
  function requireRoute(caller: Caller, key: ProposableRoute): void {
    const { auth }: Route = contract[key];
    if (api.allows(caller, key, contract[key])) return;
    const needed = typeof auth === "object" && caller.type === "API_KEY" ? `scope ${auth.key}` : Object(auth).user;
    throw forbidden(needed, key);
  }

  const isStale = (proposal: ProposalRecord) =>
    proposal.status === "OPEN" &&
    proposal.base_version !== null &&
    subjectOf(proposal, records)[1]?.version !== proposal.base_version;

  /** Returns the author, with the rights of now. @throws ApiError 409 if they may no longer make the change */
  function authorOf({ author_id, route }: ProposalRecord, requestId: string | null): UserCaller {
    const user = records.users.get(author_id ?? "");
    if (!user?.is_active || user.deleted_at) throw conflict("The account of the author is no longer active");
    const author = callerOf(user, route, roles, requestId);
    if (!api.allows(author, route, contract[route])) throw conflict("The author may no longer make this change");
    return author;
  }

  /** Returns a proposal that this user may approve or reject. @throws ApiError 403, 404, 409, 412 */
  function requireDecidable(id: string, { caller, ifVersion }: Asked): ProposalRecord {
    const user = requireUser(caller);
    const proposal = requireOpen(id, ifVersion, () => {
      requireRoute(user, proposals.require(id).route);
      if (proposals.require(id).author_id !== user.userId) return;
      throw new ApiError(403, "The author of a proposal cannot decide it; withdraw it, or ask another user");
    });
    return proposal;
  }

  /** @throws ApiError 404, 409, 412, and what `check` throws */
  function requireOpen(id: string, ifVersion: number | undefined, check: () => void): ProposalRecord {
    const proposal = proposals.require(id);
    check();
    if (proposal.status !== "OPEN") throw decided(proposal);
    if (ifVersion !== undefined && proposal.version !== ifVersion) throw preconditionFailed();
    return proposal;
  }

  async function decide(
    id: string,
    status: "REJECTED" | "WITHDRAWN",
    reason: string | null,
    asked: Asked,
  ): Promise<Proposal> {
    const { userId } = requireUser(asked.caller);
    const close = (current: ProposalRecord): ProposalRecord => {
      if (current.status !== "OPEN") throw decided(current);
      const decided_at = timestampOf(runtime.now());
      return { ...current, status, decided_by: userId, decided_at, decision_reason: reason };
    };
    const action = status === "REJECTED" ? "proposal.reject" : "proposal.withdraw";
    await proposals.update(id, close, asked.change(action, reason ?? undefined), { ifVersion: asked.ifVersion });
    return service.show(id, asked);
  }

  const nameOf = (id: string | null, caller: Caller) =>
    shownName(actorNames.nameOf({ actor_type: "USER", actor_id: id }), caller);

  const service: ProposalService = {
    async create({ route, params: given = {}, body, reason }, asked) {
      const { caller, change } = asked;
      if (!environment.guarded.includes(environment.name)) {
        throw conflict(`The environment ${JSON.stringify(environment.name)} is not protected; use ${route}`);
      }
      if (caller.type === "ANONYMOUS") throw forbidden();
      requireRoute(caller, route);
      if (service.list({ status: "OPEN" }).length >= MAX_OPEN) {
        throw conflict(`${MAX_OPEN} proposals are OPEN; decide or withdraw some first`);
      }
      const names = pathParams(parseRouteKey(route)[1]);
      const params = Object.fromEntries(
        names.flatMap((name) => (Object.hasOwn(given, name) ? [[name, given[name]!]] : [])),
      );
      const wish = { route, params, body: body ?? null };
      const { entry, version } = await rehearse(wish, caller, asked);
      if (!Object.hasOwn(PROTECTED, entry.resource_type)) throw new Error(`${route} changes a ${entry.resource_type}`);
      const { action, resource_type, resource_name } = entry;
      const why = reason ?? entry.reason;
      const fields: Omit<ProposalRecord, keyof Document> = {
        ...wish,
        ...{ action, resource_type, resource_name, resource_id: version === null ? null : entry.resource_id },
        ...{ status: "OPEN", reason: why, author_id: caller.userId },
        ...{ decided_by: null, decided_at: null, decision_reason: null },
        ...{ base_version: version, ...valuesOf(entry) },
      };
      const { id } = await proposals.insert(fields, change("proposal.create", why ?? undefined));
      return service.show(id, asked);
    },
    list: ({ status, resource_type, resource_id, author_id }) =>
      proposals
        .all()
        .reverse()
        .filter((one) => status === undefined || one.status === status)
        .filter((one) => resource_type === undefined || one.resource_type === resource_type)
        .filter((one) => resource_id === undefined || one.resource_id === resource_id)
        .filter((one) => author_id === undefined || one.author_id === author_id),
    summarize: (proposal, caller) => ({
      ...proposal,
      is_stale: isStale(proposal),
      author_name: nameOf(proposal.author_id, caller),
      decided_by_name: nameOf(proposal.decided_by, caller),
    }),
    async show(id, { caller, request }) {
      const proposal = await proposals.whole(id);
      const shown = { ...proposal, ...service.summarize(proposal, caller), problem: null };
      if (proposal.status !== "OPEN") return shown;
      try {
        const author = authorOf(proposal, null);
        const { entry } = await rehearse(proposal, author, { request, headers: {} });
        return { ...shown, ...valuesOf(entry) };
      } catch (error) {
        if (!isApiError(error)) throw error;
        return { ...shown, problem: error.message };
      }
    },
    async approve(id, reason, asked) {
      const proposal = requireDecidable(id, asked);
      if (isStale(proposal)) throw stale();
      const { route, params } = proposal;
      const approver = actingOn(requireUser(asked.caller), route, roles);
      const author = authorOf(proposal, approver.actor.request_id);
      const approved = { id, approver, reason: proposal.reason, decision: reason ?? null };
      const change = (action: string, why?: string): Change => ({
        ...{ actor: author.actor, caller: author, action, reason: why },
        proposal: approved,
      });
      const { request, headers } = asked;
      const isMine = () =>
        proposals.require(id).status === "APPLIED" && proposals.require(id).decided_by === approver.userId;
      try {
        const body = proposal.body ?? undefined;
        await api.perform(route, { params, body, caller: author, change, request, headers });
      } catch (error) {
        // What follows a change, such as the first stage of a schedule, can fail after the change is made.
        if (!isApiError(error) || !isMine()) throw toRefusal(error);
      }
      if (isMine()) return service.show(id, asked);
      const now = proposals.require(id);
      throw now.status === "OPEN" ? conflict("The proposal changes nothing any more") : decided(now);
    },
    async reject(id, reason, asked) {
      const proposal = requireDecidable(id, asked);
      const [kind, document] = subjectOf(proposal, records);
      if (document) rights.require(asked.change("proposal.reject"), kind, unchanged(document as never));
      return decide(id, "REJECTED", reason, asked);
    },
    async withdraw(id, asked) {
      const { userId } = requireUser(asked.caller);
      requireOpen(id, asked.ifVersion, () => {
        if (proposals.require(id).author_id !== userId) throw forbidden("the author", "this");
      });
      return decide(id, "WITHDRAWN", null, asked);
    },
  };
  return service;
}

/** The values of an entry come from a document, so they are JSON. */
function valuesOf({ old_value, new_value }: AuditEntry) {
  return { old_value, new_value } as Pick<Proposal, "old_value" | "new_value">;
}

/** Returns the error of a change as that of its approval: what the route refuses is a conflict here. */
function toRefusal(error: unknown): unknown {
  if (!isApiError(error) || error.status >= 500 || error.status === 403 || error.status === 409) return error;
  return conflict(`The proposal cannot be applied: ${error.message}`);
}
