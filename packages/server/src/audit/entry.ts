import type { AuditLogEntry } from "@assay/contract";
import type { JournalRecord } from "@assay/store";
import { parseBytes } from "../storage/json.ts";

/** An entry as it stands in the journal, with its position there. */
export function toAuditRecord({ position, record }: JournalRecord): AuditLogEntry {
  return { ...parseBytes<Omit<AuditLogEntry, "sequence">>(record), sequence: position };
}

/** Whether an entry tells of something that was refused or went wrong. */
export function outcomeOf(action: string): "SUCCESS" | "FAILURE" {
  return /(?:failed|refused|denied|reuse|locked|expired)$/.test(action) ? "FAILURE" : "SUCCESS";
}
