import { exactBytes } from "@assay/store";
import type { Database } from "lmdb";

/** The error of a call that LMDB rejected because the disk, the file or the environment failed. */
export class LmdbFailure extends Error {
  override readonly name = "LmdbFailure";
}

/** A range of a table. The end is exclusive. In reverse, `start` is the higher key. */
export interface KeyRange<K> {
  start?: K | undefined;
  end?: K;
  exclusiveStart?: boolean;
  reverse?: boolean;
  limit?: number;
}

/**
 * One named database inside LMDB's file, as bytes by key. Changes run inside a write transaction.
 * @throws {LmdbFailure} from every method
 */
export interface Table<K extends string | Buffer> {
  /** Returns the bytes at a key, valid until the next read of any table. Copy them to keep them. */
  get(key: K): Uint8Array | undefined;
  has(key: K): boolean;
  keys(range: KeyRange<K>): Iterable<K>;
  entries(range: KeyRange<K>): Iterable<{ key: K; value: Uint8Array }>;
  put(key: K, value: Uint8Array): void;
  remove(key: K): void;
}

/** Creates the table of a database that may be reopened: `opened` returns the current one. */
export function createTable<K extends string | Buffer>(opened: () => Database<Buffer, K>): Table<K> {
  const attempt = <T>(action: (database: Database<Buffer, K>) => T): T => {
    try {
      return action(opened());
    } catch (cause) {
      throw toFailure(cause);
    }
  };
  return {
    // lmdb returns a reused buffer that is longer than the value, with a `length` property on the instance.
    get: (key) =>
      attempt((database) => {
        const bytes = database.getBinaryFast(key);
        return bytes && exactBytes(bytes);
      }),
    has: (key) => attempt((database) => database.doesExist(key)),
    *keys(range) {
      try {
        yield* opened().getKeys(range);
      } catch (cause) {
        throw toFailure(cause);
      }
    },
    *entries(range) {
      try {
        for (const { key, value } of opened().getRange(range)) yield { key, value: exactBytes(value) };
      } catch (cause) {
        throw toFailure(cause);
      }
    },
    // Without `attempt`: a commit puts hundreds of ids, and a function for each would fill the memory.
    put(key, value) {
      try {
        opened().putSync(key, toBuffer(value));
      } catch (cause) {
        throw toFailure(cause);
      }
    },
    remove: (key) => attempt((database) => void database.removeSync(key)),
  };
}

/** Returns the error of a failed call to LMDB. */
export function toFailure(cause: unknown): LmdbFailure {
  return new LmdbFailure(cause instanceof Error ? cause.message : String(cause), { cause });
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
