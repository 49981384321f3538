import type { AuditFilter, AuditLogEntry, AuditStats } from "@assay/contract";
import type { AuditFeed } from "../../audit/feed.ts";
import type { AuditLog } from "../../audit/log.ts";
import { hidePeople, seesPeople, withActorName } from "../../audit/privacy.ts";
import { notFound } from "../../ground/errors.ts";
import type { ActorNames } from "../../identity/actor-names.ts";
import type { Caller } from "../../model/caller.ts";

/** Reads the audit trail. Only an ADMIN sees e-mail addresses and wizard drafts of others. */
export interface AuditLogService {
  /** Newest first. */
  list(
    filter: AuditFilter & { skip: number; limit: number },
    caller: Caller,
  ): Promise<{
    items: AuditLogEntry[];
    total: number;
    skip: number;
    limit: number;
  }>;
  /** @throws ApiError 404 */
  require(id: string, caller: Caller): Promise<AuditLogEntry>;
  stats(filter: AuditFilter): Promise<AuditStats>;
  /** @param lastEventId from `Last-Event-ID`; ignored unless it is a sequence */
  stream(lastEventId: string | null, caller: Caller, readmit: () => Promise<Caller>): Promise<Response>;
}

export function createAuditLogService(deps: {
  log: AuditLog;
  feed: AuditFeed;
  actorNames: ActorNames;
}): AuditLogService {
  const { log, feed, actorNames } = deps;

  const show = (entry: AuditLogEntry, caller: Caller): AuditLogEntry => {
    const named = withActorName(entry, actorNames);
    return seesPeople(caller) ? named : hidePeople(named);
  };

  return {
    async list({ skip, limit, ...filter }, caller) {
      const { items, total } = await log.page(filter, { skip, limit, newestFirst: true });
      return { items: items.map((entry) => show(entry, caller)), total, skip, limit };
    },
    async require(id, caller) {
      const entry = await log.find(id);
      if (!entry) throw notFound();
      return show(entry, caller);
    },
    stats: (filter) => log.stats(filter),
    stream(lastEventId, caller, readmit) {
      const isSequence = lastEventId !== null && /^\d{1,15}$/.test(lastEventId);
      return feed.listen(isSequence ? Number(lastEventId) : null, {
        seesPeople: seesPeople(caller),
        readmit: async () => seesPeople(await readmit()),
      });
    },
  };
}
