import { type LeaseRecord, openEntry, sealEntry } from "@assay/store";
import type { Environment } from "./environment.ts";
import type { SetAside } from "./set-aside.ts";

/** The leases in LMDB. Call both functions inside a write transaction. */
export interface Leases {
  get(name: string): LeaseRecord | undefined;
  put(name: string, record: LeaseRecord): void;
}

/** Creates the leases of an environment. */
export function createLeases({ states }: Environment, setAside: SetAside, now: () => number): Leases {
  return {
    get(name) {
      const key = stateOf(name);
      const sealed = states.get(key);
      const entry = sealed && openEntry(key, sealed);
      if (!entry) {
        if (sealed === undefined) return undefined;
        setAside.state(key);
        // The holder has lost the lease. The next token is above any value that the counter can have reached.
        return { holder: null, expiresAt: 0, token: now() };
      }
      // The version of the entry is the token, so a record is one number and a short text.
      const { holder, expiresAt }: Omit<LeaseRecord, "token"> = JSON.parse(Buffer.from(entry.value).toString());
      return { holder, expiresAt, token: entry.version };
    },
    put(name, { token, ...rest }) {
      const key = stateOf(name);
      states.put(key, sealEntry(key, Buffer.from(JSON.stringify(rest)), token));
    },
  };
}

function stateOf(name: string): string {
  return `leases/${name}`;
}
