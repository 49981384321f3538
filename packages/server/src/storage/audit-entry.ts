import { isDeepStrictEqual } from "node:util";
import type { AuditApproval } from "@assay/contract";
import { type Runtime, timestampOf } from "../ground/runtime.ts";
import type { AuditEntry, Change } from "./change.ts";
import type { CollectionOptions, Document } from "./document.ts";

/** Creates the audit entry of a document change. The value of a missing side is null. */
export function toAuditEntry<T extends Document>(
  { resource, title, secret = [] }: CollectionOptions<T>,
  runtime: Runtime,
  { before, after, by }: { before: T | null; after: T | null; by: Change },
  approval: AuditApproval | null = null,
): AuditEntry {
  const document = (after ?? before)!;
  const hidden = new Set<string>(["version", "updated_at", ...secret, ...(by.omitted ?? [])]);
  return {
    ...by.actor,
    id: runtime.id(),
    timestamp: timestampOf(runtime.now()),
    action: by.action,
    resource_type: resource,
    resource_id: document.id,
    resource_name: title(document),
    old_value: before && changedFields(before, after, hidden),
    new_value: after && changedFields(after, before, hidden),
    reason: by.reason ?? by.proposal?.reason ?? null,
    ...(approval && { approval }),
  };
}

function changedFields<T extends Document>(
  side: T,
  other: T | null,
  hidden: ReadonlySet<string>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(side).filter(
      ([field, value]) => !hidden.has(field) && !(other && isDeepStrictEqual(value, other[field as keyof T])),
    ),
  );
}
