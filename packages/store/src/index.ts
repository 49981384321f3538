export { requireRestored, restoreBackup, verifyBackup, writeBackup } from "./backup.ts";
export type { BackupHeader, BackupSummary } from "./backup-file.ts";
export {
  type BatchEffects,
  type BatchReader,
  type Claimed,
  type ClaimWindow,
  decideBatch,
} from "./batch.ts";
export { type Channels, createChannels } from "./channels.ts";
export { checkStore, repairStore, type StoreCheck, type StoreRepair } from "./check.ts";
export { type CopyOptions, type CopySummary, copyStore } from "./copy.ts";
export { parseCounter, toCounter } from "./counter.ts";
export { type BatchAnswer, decodeBatch, type EncodedBatch, encodeBatch, toBuffer } from "./encoded-batch.ts";
export { exactBytes, openEntry, openRecord, sealEntry, sealRecord } from "./entry.ts";
export { describeWideModes } from "./file-modes.ts";
export { type GenericStoreOptions, genericStore } from "./generic/generic-store.ts";
export type { KeyValueStorage, StorageDriver, StoreDriver } from "./generic/storage.ts";
export { toStore } from "./generic/to-store.ts";
export { assertKey, assertPrefix, keyOf, MAX_KEY_LENGTH, partsOf, prefixOf } from "./key.ts";
export { fenceToken, type LeaseRecord, leaseOf, nextLease, releasedLease } from "./lease.ts";
export { listAll } from "./list-all.ts";
export { type DecodedMember, decodeMember, encodeHash, encodeMember } from "./member.ts";
export { type MemoryStoreOptions, memoryStore } from "./memory-store.ts";
export { namespaced } from "./namespaced.ts";
export type { PortableRow, PortableSummary } from "./portable.ts";
export {
  createQuarantine,
  MAX_QUARANTINED,
  type Quarantine,
  type QuarantineOptions,
  type QuarantineState,
} from "./quarantine.ts";
export * from "./store.ts";
export { describeSystemError } from "./system-error.ts";
