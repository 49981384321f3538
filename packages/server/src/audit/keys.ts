import { createHash, randomBytes } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

/** A signing key, and the id by which seals refer to it. */
export interface AuditKey {
  id: string;
  secret: Uint8Array;
}

const STORED_KEY = keyOf("audit", "signing-key");
const MIN_KEY_LENGTH = 32;

/** @throws TypeError if the text is too short for a secret */
export function toAuditKey(text: string): AuditKey {
  if (text.length < MIN_KEY_LENGTH) throw new TypeError(`audit.key must have at least ${MIN_KEY_LENGTH} characters`);
  const secret = new TextEncoder().encode(text);
  return { id: createHash("sha256").update("assay audit key\n").update(secret).digest("hex").slice(0, 16), secret };
}

/** Returns the key in the store, or null if there is none. */
export async function storedKey(store: Store): Promise<AuditKey | null> {
  const stored = await store.get(STORED_KEY);
  return stored && toAuditKey(parseBytes<string>(stored.value));
}

/**
 * Returns the key in the store. The first node creates it. If two nodes start at once, both use the key that was stored
 * first.
 */
export async function loadKey(store: Store): Promise<AuditKey> {
  const value = toBytes(randomBytes(32).toString("base64url"));
  const existing = await storedKey(store);
  if (existing) return existing;
  await store.batch([{ type: "put", key: STORED_KEY, value, ifAbsent: "skip" }]);
  return (await storedKey(store))!;
}
