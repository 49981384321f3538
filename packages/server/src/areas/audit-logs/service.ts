import type { AuditFilter, AuditLogEntry, AuditStats } from "@assay/contract";
import type { AuditFeed } from "../../audit/feed.ts";
import type { AuditLog } from "../../audit/log.ts";
import { notFound } from "../../ground/errors.ts";

export interface AuditLogService {
  /** Newest first. */
  list(filter: AuditFilter & { skip: number; limit: number }): Promise<{
    items: AuditLogEntry[];
    total: number;
    skip: number;
    limit: number;
  }>;
  /** @throws ApiError 404 */
  require(id: string): Promise<AuditLogEntry>;
  stats(filter: AuditFilter): Promise<AuditStats>;
  /** @param lastEventId from `Last-Event-ID`; ignored unless it is a sequence */
  stream(lastEventId: string | null, readmit: () => Promise<unknown>): Promise<Response>;
}

export function createAuditLogService({ log, feed }: { log: AuditLog; feed: AuditFeed }): AuditLogService {
  return {
    async list({ skip, limit, ...filter }) {
      return { ...(await log.page(filter, { skip, limit, newestFirst: true })), skip, limit };
    },
    async require(id) {
      const entry = await log.find(id);
      if (!entry) throw notFound();
      return entry;
    },
    stats: (filter) => log.stats(filter),
    stream(lastEventId, readmit) {
      const isSequence = lastEventId !== null && /^\d{1,15}$/.test(lastEventId);
      return feed.listen(isSequence ? Number(lastEventId) : null, readmit);
    },
  };
}
