import { createHash, randomBytes } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";

/** A key of signatures, and the name under which seals mention it. */
export interface AuditKey {
  id: string;
  secret: Uint8Array;
}

const STORED_KEY = keyOf("audit", "signing-key");
const SHORTEST = 32;

/** @throws TypeError where the text is too short to be a secret */
export function toAuditKey(text: string): AuditKey {
  if (text.length < SHORTEST) throw new TypeError(`audit.key must have at least ${SHORTEST} characters`);
  const secret = new TextEncoder().encode(text);
  return { id: createHash("sha256").update("assay audit key\n").update(secret).digest("hex").slice(0, 16), secret };
}

/** The key that the store has; null where none was made. */
export async function storedKey(store: Store): Promise<AuditKey | null> {
  const stored = await store.get(STORED_KEY);
  return stored && toAuditKey(parseBytes<string>(stored.value));
}

/** The store's key; the first node makes it, and where two start at once both take the one that was first. */
export async function loadKey(store: Store): Promise<AuditKey> {
  const value = toBytes(randomBytes(32).toString("base64url"));
  const existing = await storedKey(store);
  if (existing) return existing;
  await store.batch([{ type: "put", key: STORED_KEY, value, ifAbsent: "skip" }]);
  return (await storedKey(store))!;
}
