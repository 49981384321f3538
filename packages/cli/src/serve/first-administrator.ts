import { randomBytes } from "node:crypto";
import { createClient, isAssayError } from "@assay/client";
import type { Assay } from "@assay/server";
import { keyOf, type Store } from "@assay/store";
import type { ServeSettings } from "./settings.ts";

/** Marks in the store that the first administrator is known to an operator. */
const NOTE = keyOf("cli", "first-administrator");

/** The administrator to make where there is none. */
export interface FirstAdministrator {
  /** For the server's `admin` option; undefined where the store has had its first one. */
  admin: { username: string; password: string } | undefined;
  /** To be called when the server is ready: answers the made-up password if it was used, once in the life of a store. */
  announce(assay: Assay): Promise<string | undefined>;
}

/** Decides on the first administrator: the one of the settings, else one with a password made up now. */
export async function firstAdministrator(store: Store, settings: ServeSettings): Promise<FirstAdministrator> {
  const { username } = settings;
  const isKnown = (await store.get(NOTE)) !== null;
  if (isKnown && settings.password === undefined) return { admin: undefined, announce: async () => undefined };
  const password = settings.password ?? randomBytes(18).toString("base64url");
  return {
    admin: { username, password },
    async announce(assay) {
      // A store that an embedded server has used before has its administrator, and this password opens nothing.
      const isNew = settings.password === undefined && (await opens(assay, username, password));
      if (isNew) console.log(`First administrator: username ${username}, password ${password} (shown only this once)`);
      if (!isKnown) await store.batch([{ type: "put", key: NOTE, value: new Uint8Array(), ifAbsent: "skip" }]);
      return isNew ? password : undefined;
    },
  };
}

/** Whether these credentials are good; anything but a clear answer ends the start, so that no password is lost. */
async function opens(assay: Assay, username: string, password: string): Promise<boolean> {
  // No port is between; the address only says that this is as good as TLS, where that is required.
  const client = createClient({ baseUrl: "https://in-process.invalid", fetch: assay.fetch, username, password });
  try {
    await client.request("POST /auth/logout");
    return true;
  } catch (error) {
    if (isAssayError(error) && error.status === 401) return false;
    throw error;
  }
}
