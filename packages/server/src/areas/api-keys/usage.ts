import { keyOf, listAll, prefixOf, type Store } from "@assay/store";
import type { Runtime } from "../../ground/runtime.ts";
import { timestampOf } from "../../ground/runtime.ts";
import { parseBytes, toBytes } from "../../storage/json.ts";

/** When each key was last used. Writes the first use at once, later ones at most once a minute. */
export interface KeyUsage {
  lastUsed(keyId: string): string | null;
  /** Notes a use off the request path. Returns whether it was the first. */
  touch(keyId: string): boolean;
  load(): Promise<void>;
  flush(): Promise<void>;
}

const AREA = "api-key-usage";
const INTERVAL_MS = 60_000;

export function createKeyUsage(store: Store, runtime: Runtime): KeyUsage {
  const last = new Map<string, number>();
  const pending = new Set<Promise<unknown>>();

  return {
    lastUsed(keyId) {
      const at = last.get(keyId);
      return at === undefined ? null : timestampOf(at);
    },
    touch(keyId) {
      const now = runtime.now();
      const before = last.get(keyId);
      if (before !== undefined && now - before < INTERVAL_MS) return false;
      last.set(keyId, now);
      const write = store
        .batch([{ type: "put", key: keyOf(AREA, keyId), value: toBytes(now) }])
        .catch((error: unknown) => runtime.logger.warn("Key use could not be written", { error: String(error) }))
        .finally(() => pending.delete(write));
      pending.add(write);
      return before === undefined;
    },
    async load() {
      const prefix = prefixOf(AREA);
      for await (const { key, value } of listAll(store, prefix))
        last.set(key.slice(prefix.length), parseBytes<number>(value));
    },
    async flush() {
      await Promise.all(pending);
    },
  };
}
