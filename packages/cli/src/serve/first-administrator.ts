import { randomBytes } from "node:crypto";
import type { Assay } from "@assay/server";
import { keyOf, type Store } from "@assay/store";
import type { ServeSettings } from "./settings.ts";

/** The key that marks in the store that an operator knows the first administrator. */
const NOTE = keyOf("cli", "first-administrator");

/** The administrator to create if there is none. */
export interface FirstAdministrator {
  /** The `admin` option of the server; undefined if the store had its first administrator. */
  admin: { username: string; password: string } | undefined;
  /**
   * Returns the generated password if it was used, once in the lifetime of a store. Call it when the server is ready.
   */
  announce(assay: Assay): Promise<string | undefined>;
}

/** Chooses the first administrator: the configured one, or one with a generated password. */
export async function firstAdministrator(store: Store, settings: ServeSettings): Promise<FirstAdministrator> {
  const { username } = settings;
  const isKnown = (await store.get(NOTE)) !== null;
  if (isKnown && settings.password === undefined) return { admin: undefined, announce: async () => undefined };
  const password = settings.password ?? randomBytes(18).toString("base64url");
  return {
    admin: { username, password },
    async announce(assay) {
      // A store that an embedded server has used before has its administrator, so this password does not work.
      const isNew = settings.password === undefined && (await opens(assay, username, password));
      if (isNew)
        console.log(framed(`First administrator: username ${username}, password ${password} (shown only this once)`));
      if (!isKnown) await store.batch([{ type: "put", key: NOTE, value: new Uint8Array(), ifAbsent: "skip" }]);
      return isNew ? password : undefined;
    },
  };
}

/** Puts a line between two rules, so that people see it among others. Nothing is beside it, for copying. */
function framed(line: string): string {
  const rule = "─".repeat(line.length);
  return `${rule}\n${line}\n${rule}`;
}

/** Returns whether these credentials are valid. Any unclear response aborts the start, so that no password is lost. */
async function opens(assay: Assay, username: string, password: string): Promise<boolean> {
  const { createClient, isAssayError } = await import("@assay/client");
  // The request does not use a port; the https address satisfies servers that require TLS.
  const client = createClient({ baseUrl: "https://in-process.invalid", fetch: assay.fetch, username, password });
  try {
    await client.request("POST /auth/logout");
    return true;
  } catch (error) {
    if (isAssayError(error) && error.status === 401) return false;
    throw error;
  }
}
