import type { AuditLogEntry } from "@assay/contract";
import type { JournalRecord } from "@assay/store";
import { parseBytes } from "../storage/json.ts";

/** Adds the journal position to an entry. */
export function toAuditRecord({ position, record }: JournalRecord): AuditLogEntry {
  return { ...parseBytes<Omit<AuditLogEntry, "sequence">>(record), sequence: position };
}

/** Whether an action failed or was refused. */
export function outcomeOf(action: string): "SUCCESS" | "FAILURE" {
  return /(?:failed|refused|denied|reuse|locked|expired)$/.test(action) ? "FAILURE" : "SUCCESS";
}
