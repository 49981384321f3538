import type { StoreDriver } from "@assay/store";
import { holdDatabase, type LmdbDatabase, type LmdbStoreOptions } from "./database.ts";
import { lmdbStore } from "./lmdb-store.ts";

export type LmdbDriverOptions = LmdbStoreOptions;

const DRIVER_NAME = "lmdb";
const MAX_KEY_BYTES = 1_900;

/**
 * Creates an unstorage driver on LMDB. At the root of a storage, it also gives the server its `lmdbStore`, in the same
 * directory and separate from the items of the driver.
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
    if (bytes.length > MAX_KEY_BYTES)
      throw new Error(`[unstorage] [${DRIVER_NAME}] A key has at most ${MAX_KEY_BYTES} bytes`);
    return bytes;
  };
  const read = async (key: string): Promise<Buffer | null> => {
    const { items, read: look } = opened().environment;
    const name = keyOf(key);
    return look(() => {
      const value = items.get(name);
      return value === undefined ? null : Buffer.from(value);
    });
  };
  const write = (key: string, value: Buffer) => {
    const { items, write: commit } = opened().environment;
    const name = keyOf(key);
    return commit(() => items.put(name, value), value.length);
  };
  const keysUnder = (base: string): Buffer[] => {
    const range = { start: Buffer.from(base), end: Buffer.concat([Buffer.from(base), Buffer.of(0xff)]) };
    return [...opened().environment.items.keys(range)];
  };

  return {
    name: DRIVER_NAME,
    options,
    hasItem: async (key) => (await read(key)) !== null,
    getItem: async (key) => (await read(key))?.toString() ?? null,
    getItemRaw: read,
    setItem: (key, value) => write(key, Buffer.from(value)),
    setItemRaw: (key, value) => write(key, Buffer.from(value)),
    async removeItem(key) {
      const { items, write: commit } = opened().environment;
      const name = keyOf(key);
      await commit(() => items.remove(name));
    },
    getKeys: (base) => opened().environment.read(() => keysUnder(base ?? "").map((key) => key.toString())),
    async clear(base) {
      const { items, write: commit } = opened().environment;
      await commit(() => {
        for (const key of keysUnder(base ?? "")) items.remove(key);
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
