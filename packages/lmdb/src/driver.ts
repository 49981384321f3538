import type { StoreDriver } from "@assay/server/store";
import { holdDatabase, type LmdbDatabase, type LmdbStoreOptions } from "./database.ts";
import { lmdbStore } from "./lmdb-store.ts";

export type LmdbDriverOptions = LmdbStoreOptions;

const DRIVER_NAME = "lmdb";
const LONGEST_KEY = 1_900;

/**
 * An unstorage driver over LMDB. Mounted at the root of a storage, it also gives the server its `lmdbStore`, in the
 * same directory and apart from the driver's own items.
 * @example createStorage({ driver: lmdbDriver({ path: ".assay" }) });
 */
export default function lmdbDriver(options: LmdbDriverOptions): StoreDriver {
  let held: ReturnType<typeof holdDatabase> | undefined;
  const opened = (): LmdbDatabase => {
    held ??= holdDatabase(options);
    return held.database;
  };
  const keyOf = (key: string) => {
    const bytes = Buffer.from(key);
    if (bytes.length > LONGEST_KEY)
      throw new Error(`[unstorage] [${DRIVER_NAME}] A key has at most ${LONGEST_KEY} bytes`);
    return bytes;
  };
  const read = (key: string): Buffer | null => {
    const { environment } = opened();
    environment.refresh();
    const value = environment.items.get(keyOf(key));
    return value === undefined ? null : Buffer.from(value);
  };
  const write = (key: string, value: Buffer) => {
    const { items, write: commit } = opened().environment;
    const name = keyOf(key);
    return commit(() => items.putSync(name, value));
  };
  const keysUnder = (base: string): Buffer[] => {
    const { environment } = opened();
    environment.refresh();
    const range = { start: Buffer.from(base), end: Buffer.concat([Buffer.from(base), Buffer.of(0xff)]) };
    return [...environment.items.getKeys(range)].map((key) => Buffer.from(key));
  };

  return {
    name: DRIVER_NAME,
    options,
    hasItem: (key) => read(key) !== null,
    getItem: (key) => read(key)?.toString() ?? null,
    getItemRaw: read,
    setItem: (key, value) => write(key, Buffer.from(value)),
    setItemRaw: (key, value) => write(key, Buffer.from(value)),
    async removeItem(key) {
      const { items, write: commit } = opened().environment;
      const name = keyOf(key);
      await commit(() => items.removeSync(name));
    },
    getKeys: (base) => keysUnder(base ?? "").map((key) => key.toString()),
    async clear(base) {
      const { items, write: commit } = opened().environment;
      await commit(() => {
        for (const key of keysUnder(base ?? "")) items.removeSync(key);
      });
    },
    async dispose() {
      const { release } = held ?? {};
      held = undefined;
      await release?.();
    },
    store: () => lmdbStore(options),
  };
}
