export { type LmdbStoreOptions, lmdbStore } from "./lmdb-store.ts";
