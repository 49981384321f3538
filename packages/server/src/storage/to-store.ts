import type { Driver, Storage } from "unstorage";
import { type GenericStoreOptions, genericStore } from "./generic-store.ts";
import type { Store } from "./store.ts";

/** An unstorage driver that brings a store of its own, better than {@link genericStore} over its items. */
export interface StoreDriver extends Driver {
  store(): Store;
}

/**
 * The store for what a host hands over: a store as it is, that of the root driver where this carries one and the
 * storage is not a part of another (a prefix), else {@link genericStore}.
 */
export function toStore(source: Store | Storage, options?: GenericStoreOptions): Store {
  if (isStore(source)) return source;
  const { driver } = source.getMount("");
  return isStoreDriver(driver) && isRoot(source) ? driver.store() : genericStore(source, options);
}

/** Whether a value is a store rather than an unstorage `Storage`. */
export function isStore(source: Store | Storage): source is Store {
  return "batch" in source && "lease" in source;
}

function isStoreDriver(driver: Driver): driver is StoreDriver {
  return "store" in driver && typeof driver.store === "function";
}

/**
 * Whether a storage is a whole one: `prefixStorage(s).getMount("")` answers the root of `s` all the same, but a mount
 * made through it goes below the prefix, where its own `getMount` does not find it.
 */
function isRoot(storage: Storage): boolean {
  const probe = "assay-root-probe";
  const driver: Driver = { hasItem: () => false, getItem: () => null, getKeys: () => [] };
  storage.mount(probe, driver);
  try {
    return storage.getMount(`${probe}:`).driver === driver;
  } finally {
    void storage.unmount(probe, false);
  }
}
