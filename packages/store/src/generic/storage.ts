import type { Store } from "../store.ts";

type MaybePromise<T> = T | Promise<T>;

/**
 * The part of an unstorage `Storage` that a store uses. It is declared here because unstorage's own types import those
 * of all its drivers, which a project without these drivers can compile only with `skipLibCheck`.
 */
export interface KeyValueStorage {
  getItem(key: string): Promise<unknown>;
  setItem(key: string, value: string): Promise<void>;
  removeItem(key: string): Promise<void>;
  getKeys(base?: string): Promise<string[]>;
  mount(base: string, driver: StorageDriver): unknown;
  unmount(base: string, dispose?: boolean): Promise<void>;
  getMount(key?: string): { driver: MountedDriver };
  dispose(): Promise<void>;
}

/** A driver as its storage returns it. */
export interface MountedDriver {
  name?: string;
}

/** A driver for `createStorage` of unstorage. */
export interface StorageDriver extends MountedDriver {
  options?: unknown;
  hasItem(key: string): MaybePromise<boolean>;
  getItem(key: string): MaybePromise<string | null>;
  getItemRaw?(key: string): MaybePromise<unknown>;
  setItem?(key: string, value: string): MaybePromise<void>;
  setItemRaw?(key: string, value: Uint8Array): MaybePromise<void>;
  removeItem?(key: string): MaybePromise<void>;
  getKeys(base: string): MaybePromise<string[]>;
  clear?(base: string): MaybePromise<void>;
  dispose?(): MaybePromise<void>;
}

/** An unstorage driver with a dedicated store, which is better than `genericStore` over its items. */
export interface StoreDriver extends StorageDriver {
  store(): Store;
}
