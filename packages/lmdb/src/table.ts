import { exactBytes } from "@assay/store";
import type { Database } from "lmdb";

/** A call that LMDB itself refused: the disk, the file or the environment failed, not what was asked. */
export class LmdbFailure extends Error {
  override readonly name = "LmdbFailure";
}

/** Which part of a table; the end is not part of it. In reverse, `start` is the higher key. */
export interface KeyRange<K> {
  start?: K | undefined;
  end?: K;
  exclusiveStart?: boolean;
  reverse?: boolean;
  limit?: number;
}

/**
 * One named database inside LMDB's file, as bytes by key. What changes it runs inside a write transaction.
 * @throws {LmdbFailure} from every method
 */
export interface Table<K extends string | Buffer> {
  /** The bytes at a key. They are good until the next read of any table; copy what is kept. */
  get(key: K): Uint8Array | undefined;
  has(key: K): boolean;
  keys(range: KeyRange<K>): Iterable<K>;
  entries(range: KeyRange<K>): Iterable<{ key: K; value: Uint8Array }>;
  put(key: K, value: Uint8Array): void;
  remove(key: K): void;
}

/** Creates the table over a database that may be opened again: `opened` answers the one that is open now. */
export function createTable<K extends string | Buffer>(opened: () => Database<Buffer, K>): Table<K> {
  const attempt = <T>(action: (database: Database<Buffer, K>) => T): T => {
    try {
      return action(opened());
    } catch (cause) {
      throw toFailure(cause);
    }
  };
  return {
    // lmdb answers a buffer that it uses again and again, longer than the value, with a `length` of its own.
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
    put: (key, value) => attempt((database) => void database.putSync(key, toBuffer(value))),
    remove: (key) => attempt((database) => void database.removeSync(key)),
  };
}

function toFailure(cause: unknown): LmdbFailure {
  return new LmdbFailure(cause instanceof Error ? cause.message : String(cause), { cause });
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}
