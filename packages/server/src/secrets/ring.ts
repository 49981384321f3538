import { randomBytes } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { parseBytes, toBytes } from "../storage/json.ts";
import { createSecrets, type Secrets } from "./secrets.ts";

const STORED_KEY = keyOf("secrets", "key");

/**
 * Loads the keys. Without configured keys, uses one generated and kept in the store. That key still decrypts older
 * texts after keys are configured.
 */
export async function loadSecrets(store: Store, keys: readonly string[] = []): Promise<Secrets> {
  const stored = keys.length > 0 ? await storedKey(store) : ((await storedKey(store)) ?? (await makeKey(store)));
  return createSecrets(stored === null ? keys : [...keys, stored]);
}

/** Creates the key of the store. If two nodes start at once, both use the key that was stored first. */
async function makeKey(store: Store): Promise<string> {
  const value = toBytes(randomBytes(32).toString("base64url"));
  await store.batch([{ type: "put", key: STORED_KEY, value, ifAbsent: "skip" }]);
  return (await storedKey(store))!;
}

async function storedKey(store: Store): Promise<string | null> {
  const entry = await store.get(STORED_KEY);
  return entry && parseBytes<string>(entry.value);
}
