import type { AuditHead, Redaction } from "@assay/server";
import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import type { StorageChoice } from "../serve/settings.ts";
import { readDataChoice } from "../serve/storage.ts";

/** All settings of `assay audit`. */
export interface AuditSettings {
  task: { name: "verify" } | ({ name: "redact" } & Pick<Redaction, "sequence" | "parts" | "reason">);
  storage: StorageChoice;
  /** The `audit.key` of the server, if it has one. */
  key: string | undefined;
  anchor: Pick<AuditHead, "sequence" | "hash"> | undefined;
}

const PARTS = ["actor", "resource", "values"] as const;

/**
 * Reads settings from flags and environment; flags take precedence.
 * @throws {CommandFailure} naming the missing or invalid setting
 */
export function readAuditSettings(flags: Flags, environment: Record<string, string | undefined>): AuditSettings {
  const [task, sequence] = flags.positionals;
  if (task !== "verify" && task !== "redact")
    throw usageFailure("Specify a task: assay audit verify or assay audit redact");
  const storage = readDataChoice(flags, environment, "has no audit trail");
  const anchor = toAnchor(flags.one("anchor"));
  const settings = { storage, anchor, key: environment.ASSAY_AUDIT_KEY || undefined };
  if (task === "verify") {
    if (sequence !== undefined) throw usageFailure(`Unexpected argument "${sequence}"`);
    return { task: { name: "verify" }, ...settings };
  }
  return { task: { name: "redact", ...toRedaction(sequence, flags) }, ...settings };
}

function toRedaction(sequence: string | undefined, flags: Flags): Pick<Redaction, "sequence" | "parts" | "reason"> {
  if (sequence === undefined || !/^[1-9]\d{0,14}$/.test(sequence)) {
    throw usageFailure("Specify the sequence number of the entry to redact");
  }
  const parts = flags.all("part").map((name) => {
    const part = PARTS.find((one) => one === name);
    if (part) return part;
    throw usageFailure(`--part must be ${PARTS.join(", ")}, not "${name}"`);
  });
  if (parts.length === 0) throw usageFailure("--part is missing");
  const reason = flags.one("reason");
  if (!reason) throw usageFailure("--reason is missing");
  return { sequence: Number(sequence), parts, reason };
}

function toAnchor(text: string | undefined): AuditSettings["anchor"] {
  if (text === undefined) return undefined;
  const [, sequence, hash] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (hash === undefined) throw usageFailure(`--anchor must be SEQUENCE:HASH, not "${text}"`);
  return { sequence: Number(sequence), hash };
}
