import type { Store } from "../store.ts";
import { type GenericStoreOptions, genericStore, isInMemory } from "./generic-store.ts";
import type { KeyValueStorage, MountedDriver, StorageDriver, StoreDriver } from "./storage.ts";

/**
 * Returns the store for a host's `storage`: a store itself, the dedicated store of the root driver, or else {@link
 * genericStore}. Closing it also disposes of the storage, because an open connection would keep the process alive. A
 * storage that is part of another (a prefix) uses {@link genericStore} and stays open.
 */
export function toStore(source: Store | KeyValueStorage, options?: GenericStoreOptions): Store {
  if (isStore(source)) return source;
  if (!isRoot(source)) return genericStore(source, options);
  const { driver } = source.getMount("");
  const store = isStoreDriver(driver) ? driver.store() : genericStore(source, options);
  // In-memory drivers have nothing open, and would lose their data.
  return isInMemory(driver) ? store : withDisposal(store, source);
}

function withDisposal(store: Store, storage: KeyValueStorage): Store {
  return {
    ...store,
    async close() {
      try {
        await store.close();
      } finally {
        await storage.dispose();
      }
    },
  };
}

/** Returns whether a value is a store rather than an unstorage `Storage`. */
function isStore(source: Store | KeyValueStorage): source is Store {
  return "batch" in source && "lease" in source;
}

function isStoreDriver(driver: MountedDriver): driver is StoreDriver {
  return "store" in driver && typeof driver.store === "function";
}

/**
 * Returns whether a storage is a whole one. `prefixStorage(s).getMount("")` returns the root of `s` too. But a mount
 * made through it goes below the prefix, where its own `getMount` does not find it.
 */
function isRoot(storage: KeyValueStorage): boolean {
  const probe = "assay-root-probe";
  const driver: StorageDriver = { hasItem: () => false, getItem: () => null, getKeys: () => [] };
  storage.mount(probe, driver);
  try {
    return storage.getMount(`${probe}:`).driver === driver;
  } finally {
    void storage.unmount(probe, false);
  }
}
