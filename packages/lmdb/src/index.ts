export type { LmdbStoreOptions } from "./database.ts";
export { default as lmdbDriver, type LmdbDriverOptions } from "./driver.ts";
export { lmdbStore } from "./lmdb-store.ts";
