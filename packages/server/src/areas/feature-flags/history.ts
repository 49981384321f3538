import type { AuditLogEntry, FlagHistory } from "@assay/contract";
import type { AuditLog } from "../../audit/log.ts";
import { notFound } from "../../ground/errors.ts";
import { mapInSlices } from "../../ground/slices.ts";
import { toDifferences } from "./difference.ts";
import type { FeatureFlagService } from "./service.ts";

/** The changes of a flag, read from the audit trail. */
export interface FlagHistoryService {
  /**
   * Newest first. The history of a deleted flag is available by its id; a key refers to the current flag.
   * @throws ApiError 404 if no flag has or had the id
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
