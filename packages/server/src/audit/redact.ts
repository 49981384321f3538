import { REDACTABLE_PARTS, type RedactablePart } from "@assay/contract";
import type { Store } from "@assay/store";
import { timestampOf } from "../ground/runtime.ts";
import { SYSTEM } from "../storage/change.ts";
import { AUDIT_JOURNAL } from "../storage/collection.ts";
import { toBytes } from "../storage/json.ts";
import { PART_FIELDS, SEALS_JOURNAL } from "./chain.ts";
import { toAuditRecord } from "./entry.ts";

/** The parts to redact, and the reason the trail records. */
export interface Redaction {
  sequence: number;
  parts: RedactablePart[];
  reason: string;
  /** Milliseconds since 1970, and the id of the entry that records the redaction. */
  now: number;
  id: string;
}

/**
 * Redacts parts of a sealed entry. Their hashes stay in the seal, so the chain stays valid. Appends an entry that
 * records the redaction. @throws Error if there is no such entry or it is not sealed yet
 */
export async function redactAudit(store: Store, { sequence, parts, reason, now, id }: Redaction): Promise<void> {
  const [record] = await store.read(AUDIT_JOURNAL, sequence - 1, 1);
  const [seal] = await store.read(SEALS_JOURNAL, sequence - 1, 1);
  if (record?.position !== sequence) throw new Error(`Entry ${sequence} does not exist`);
  if (seal?.position !== sequence) throw new Error(`Entry ${sequence} is not sealed yet`);
  const { sequence: _, ...entry } = toAuditRecord(record);
  const redacted = REDACTABLE_PARTS.filter((part) => parts.includes(part) || entry.redacted?.includes(part));
  const blank = Object.fromEntries(
    redacted.flatMap((part) =>
      PART_FIELDS[part].filter((field) => field !== "actor_type").map((field) => [field, null]),
    ),
  );
  const note = {
    ...SYSTEM,
    id,
    timestamp: timestampOf(now),
    action: "audit.redact",
    resource_type: "audit_entry",
    resource_id: entry.id,
    resource_name: String(sequence),
    old_value: null,
    new_value: { parts: redacted },
    reason,
  };
  const { ok } = await store.batch([
    { type: "rewrite", journal: AUDIT_JOURNAL, position: sequence, record: toBytes({ ...entry, ...blank, redacted }) },
    { type: "append", journal: AUDIT_JOURNAL, records: [toBytes(note)] },
  ]);
  if (!ok) throw new Error(`Entry ${sequence} does not exist`);
}
