import type { AuditLogEntry, FlagHistory } from "@assay/contract";
import type { AuditLog } from "../../audit/log.ts";
import { notFound } from "../../errors.ts";
import { mapInSlices } from "../../slices.ts";
import { toDifferences } from "./difference.ts";
import type { FeatureFlagService } from "./service.ts";

/** What was done to a flag; the audit trail is the one place where that is kept. */
export interface FlagHistoryService {
  /**
   * Newest first. A deleted flag's history is still there under its id; a key names the flag that has it now.
   * @throws ApiError 404 where no flag has or had the id
   */
  list(idOrKey: string, slice: { skip: number; limit: number }): Promise<FlagHistory>;
}

export function createFlagHistoryService(deps: {
  featureFlags: Pick<FeatureFlagService, "find">;
  log: AuditLog;
}): FlagHistoryService {
  return {
    async list(idOrKey, { skip, limit }) {
      const flag = deps.featureFlags.find(idOrKey);
      const filter = { resource_type: "feature_flag", resource_id: flag?.id ?? idOrKey.toLowerCase() };
      const { items, total } = await deps.log.page(filter, { skip, limit, newestFirst: true });
      if (!flag && total === 0) throw notFound();
      return { items: await mapInSlices(items, toHistoryItem), total, skip, limit };
    },
  };
}

function toHistoryItem({ id, timestamp, actor_id, actor_type, action, old_value, new_value, reason }: AuditLogEntry) {
  const diff = toDifferences(old_value ?? {}, new_value ?? {});
  return { id, timestamp, actor_id, actor_type, action, old_value, new_value, diff, reason };
}
