import { crc32 } from "node:zlib";
import type { StoreEntry } from "./store.ts";

const CHECKSUM_LENGTH = 4;
const HEADER_LENGTH = CHECKSUM_LENGTH + 8;

/** Packs an entry for a store of bytes: CRC-32 (over key, version and value), version, value. */
export function sealEntry(key: string, value: Uint8Array, version: number): Uint8Array {
  // Node allocates small buffers together, which costs a fraction of an array of its own for each entry.
  const sealed = Buffer.allocUnsafe(HEADER_LENGTH + value.length);
  sealed.writeDoubleBE(version, CHECKSUM_LENGTH);
  sealed.set(value, HEADER_LENGTH);
  sealed.writeUInt32BE(crc32(sealed.subarray(CHECKSUM_LENGTH), crc32(key)));
  return sealed;
}

/** Unpacks an entry; null if it is damaged or belongs to another key. The value is a copy. */
export function openEntry(key: string, sealed: Uint8Array): StoreEntry | null {
  if (sealed.length < HEADER_LENGTH) return null;
  const bytes = exactBytes(sealed);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) !== crc32(bytes.subarray(CHECKSUM_LENGTH), crc32(key))) return null;
  return { key, value: bytes.slice(HEADER_LENGTH), version: view.getFloat64(CHECKSUM_LENGTH) };
}

/** Packs a journal record: CRC-32 (over position and record), record. */
export function sealRecord(position: number, record: Uint8Array): Uint8Array {
  const sealed = new Uint8Array(CHECKSUM_LENGTH + record.length);
  sealed.set(record, CHECKSUM_LENGTH);
  new DataView(sealed.buffer).setUint32(0, checksumOf(position, record));
  return sealed;
}

/** Unpacks a journal record; null if it is damaged or belongs to another position. The record is a copy. */
export function openRecord(position: number, sealed: Uint8Array): Uint8Array | null {
  if (sealed.length < CHECKSUM_LENGTH) return null;
  const bytes = exactBytes(sealed);
  const record = bytes.subarray(CHECKSUM_LENGTH);
  const checksum = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  return checksum === checksumOf(position, record) ? record.slice() : null;
}

/**
 * Returns the bytes that `length` counts. A database may return a reused buffer that is longer than the value, with a
 * `length` property on the instance; `subarray` and `slice` of Node 24.18 and later ignore that property.
 */
export function exactBytes(bytes: Uint8Array): Uint8Array<ArrayBufferLike> {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

/** Returns the checksum of a journal record at its position. */
export function checksumOf(position: number, record: Uint8Array): number {
  // Without memory, zlib returns 0 for an empty array, regardless of the checksum so far.
  return record.length === 0 ? position % 2 ** 32 : crc32(record, position % 2 ** 32);
}
