import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { keyOf, type Store } from "@assay/store";
import { unauthorized } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { parseBytes, toBytes } from "../storage/json.ts";

/**
 * Short-lived tokens that replace an API key in the URL of a stream: a browser's EventSource sends no headers, and keys
 * must not appear in URLs.
 */
export interface StreamTokens {
  /** Returns the same token for a quarter of an hour, so that valid URLs stay the same. */
  issue(keyId: string): string;
  /** Returns the id of the key. @throws ApiError 401 */
  verify(token: string): string;
}

/** A token is valid for one to two windows. */
const WINDOW_MS = 15 * 60_000;
const SECRET = keyOf("identity", "stream-secret");

/** Creates the stream tokens of a store. Their secret is in the store, so that nodes accept each other's tokens. */
export async function createStreamTokens(store: Store, runtime: Runtime): Promise<StreamTokens> {
  const secret = await loadSecret(store);
  const windowNow = () => Math.floor(runtime.now() / WINDOW_MS);
  /** The tokens of this window by key, because every bulk evaluation contains one. */
  const issued = new Map<string, string>();
  let issuedIn = windowNow();
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest("base64url");

  return {
    issue(keyId) {
      const window = windowNow();
      if (window !== issuedIn) issued.clear();
      issuedIn = window;
      let token = issued.get(keyId);
      if (token === undefined) {
        const text = `${keyId}.${window.toString(36)}`;
        token = Buffer.from(`${text}.${sign(text)}`).toString("base64url");
        issued.set(keyId, token);
      }
      return token;
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
    // If another node was faster, all nodes use its secret.
    await store.batch([{ type: "put", key: SECRET, value, ifAbsent: "fail" }]);
  }
}
