import { createHash, createHmac } from "node:crypto";
import type { AuditLogEntry, RedactablePart } from "@assay/contract";
import canonicalize from "canonicalize";

/** The parts of an entry, each with a hash of its own; all but `event` can be blanked. */
export type Part = "event" | RedactablePart;

export const PART_FIELDS = {
  event: ["sequence", "id", "timestamp", "action", "resource_type"],
  actor: ["actor_type", "actor_id", "ip", "user_agent", "request_id"],
  resource: ["resource_id", "resource_name"],
  values: ["old_value", "new_value", "reason"],
} as const satisfies Record<Part, readonly (keyof AuditLogEntry)[]>;

export const PARTS = Object.keys(PART_FIELDS) as Part[];

/** SHA-256 of the canonical JSON of each part, in hexadecimal digits. */
export type PartHashes = Record<Part, string>;

/** What ties one entry to the one before it; kept in a journal of its own, at the entry's position. */
export interface Seal {
  sequence: number;
  /** Null where there was nothing to read at this position when it was sealed. */
  id: string | null;
  parts: PartHashes | null;
  hash: string;
  signature: string;
  /** Names the key of the signature. */
  key_id: string;
}

/** The end of the chain, as it is kept apart and can be anchored elsewhere. */
export interface AuditHead {
  sequence: number;
  hash: string;
  signature: string;
  key_id: string;
}

export const SEALS_JOURNAL = "audit-seals";
/** What the first seal has before it. */
export const GENESIS = "0".repeat(64);

/** @see https://www.rfc-editor.org/rfc/rfc8785 */
export function hashPart(entry: AuditLogEntry, part: Part): string {
  const content = Object.fromEntries(PART_FIELDS[part].map((field) => [field, entry[field]]));
  return sha256(canonicalize(content)!);
}

export function hashParts(entry: AuditLogEntry): PartHashes {
  return Object.fromEntries(PARTS.map((part) => [part, hashPart(entry, part)])) as PartHashes;
}

/** SHA-256 over the previous hash and those of the parts, one a line. */
export function linkHash(previous: string, sequence: number, parts: PartHashes | null): string {
  const own = parts ? PARTS.map((part) => parts[part]) : [`missing ${sequence}`];
  return sha256([previous, ...own].join("\n"));
}

/** HMAC-SHA256 in hexadecimal digits. */
export function sign(text: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
