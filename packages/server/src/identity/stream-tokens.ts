import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { unauthorized } from "../errors.ts";
import type { Runtime } from "../runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/**
 * Short-lived stand-ins for an API key in the address of a stream: a browser's EventSource sends no headers, and a key
 * must not stand in an address.
 */
export interface StreamTokens {
  /** The same for a quarter of an hour, so that an address that has not expired stays as it is. */
  issue(keyId: string): string;
  /** The id of the key. @throws ApiError 401 */
  verify(token: string): string;
}

/** A token is good for one to two of these. */
const WINDOW_MS = 15 * 60_000;
const SECRET = keyOf("identity", "stream-secret");

/** The secret is in the store, so that every node takes the tokens of the others. */
export async function createStreamTokens(store: Store, runtime: Runtime): Promise<StreamTokens> {
  const secret = await loadSecret(store);
  const windowNow = () => Math.floor(runtime.now() / WINDOW_MS);
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");

  return {
    issue(keyId) {
      const text = `${keyId}.${windowNow().toString(36)}`;
      return Buffer.from(`${text}.${sign(text)}`).toString("base64url");
    },
    verify(token) {
      const [keyId = "", window = "", signature = ""] = Buffer.from(token, "base64url").toString().split(".");
      const expected = Buffer.from(sign(`${keyId}.${window}`));
      const given = Buffer.from(signature);
      const age = windowNow() - Number.parseInt(window, 36);
      const isGenuine = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isGenuine || !(age >= 0 && age <= 1)) throw unauthorized("Could not validate credentials");
      return keyId;
    },
  };
}

async function loadSecret(store: Store): Promise<string> {
  for (;;) {
    const entry = await store.get(SECRET);
    if (entry) return parseBytes<string>(entry.value);
    const value = toBytes(randomBytes(32).toString("base64url"));
    // Another node may be faster: then its secret is everyone's.
    await store.batch([{ type: "put", key: SECRET, value, ifAbsent: "fail" }]);
  }
}
