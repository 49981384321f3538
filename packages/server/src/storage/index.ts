export {
  type BatchEffects,
  type BatchReader,
  type ClaimWindow,
  decideBatch,
} from "./batch.ts";
export { type Channels, createChannels } from "./channels.ts";
export { parseCounter, toCounter } from "./counter.ts";
export { checksumOf, openEntry, openRecord, sealEntry, sealRecord } from "./entry.ts";
export { type GenericStoreOptions, genericStore } from "./generic-store.ts";
export { assertKey, assertPrefix, keyOf, MAX_KEY_LENGTH, partOf, partsOf, prefixOf } from "./key.ts";
export { fenceToken, type LeaseRecord, leaseOf, nextLease, releasedLease } from "./lease.ts";
export { type MemoryStoreOptions, memoryStore } from "./memory-store.ts";
export { namespaced } from "./namespaced.ts";
export { createQuarantine, type Quarantine, type QuarantineOptions } from "./quarantine.ts";
export * from "./store.ts";
export { isStore, type StoreDriver, toStore } from "./to-store.ts";
