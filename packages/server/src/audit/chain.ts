import { createHash, createHmac } from "node:crypto";
import type { AuditLogEntry, RedactablePart } from "@assay/contract";
import canonicalize from "canonicalize";

/** The parts of an entry. Each has its own hash. Operators can redact all but `event`. */
export type Part = "event" | RedactablePart;

export const PART_FIELDS = {
  event: ["sequence", "id", "timestamp", "action", "resource_type"],
  actor: ["actor_type", "actor_id", "ip", "user_agent", "request_id", "approval"],
  resource: ["resource_id", "resource_name"],
  values: ["old_value", "new_value", "reason"],
} as const satisfies Record<Part, readonly (keyof AuditLogEntry)[]>;

export const PARTS = Object.keys(PART_FIELDS) as Part[];

/** SHA-256 of the canonical JSON of each part, in hexadecimal. */
export type PartHashes = Record<Part, string>;

/** Links an entry to the previous one. Stored in a separate journal at the position of the entry. */
export interface Seal {
  sequence: number;
  /** Null if no entry was readable at this position when it was sealed. */
  id: string | null;
  parts: PartHashes | null;
  hash: string;
  signature: string;
  /** Id of the signing key. */
  key_id: string;
}

/** The end of the chain. Stored separately; an anchor can keep a copy elsewhere. */
export interface AuditHead {
  sequence: number;
  hash: string;
  signature: string;
  key_id: string;
}

export const SEALS_JOURNAL = "audit-seals";
/** The previous hash of the first seal. */
export const GENESIS = "0".repeat(64);

/** Returns the SHA-256 of the canonical JSON of one part of an entry. @see https://www.rfc-editor.org/rfc/rfc8785 */
export function hashPart(entry: AuditLogEntry, part: Part): string {
  const content = Object.fromEntries(PART_FIELDS[part].map((field) => [field, entry[field]]));
  return sha256(canonicalize(content)!);
}

export function hashParts(entry: AuditLogEntry): PartHashes {
  return Object.fromEntries(PARTS.map((part) => [part, hashPart(entry, part)])) as PartHashes;
}

/** SHA-256 over the previous hash and the part hashes, one per line. */
export function linkHash(previous: string, sequence: number, parts: PartHashes | null): string {
  const own = parts ? PARTS.map((part) => parts[part]) : [`missing ${sequence}`];
  return sha256([previous, ...own].join("\n"));
}

/** HMAC-SHA256 in hexadecimal. */
export function sign(text: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(text).digest("hex");
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
