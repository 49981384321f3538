import {
  assertKey,
  assertPrefix,
  decodeBatch,
  encodeBatch,
  type Store,
  type StoreEntry,
  StoreRefused,
} from "@assay/store";
import type pg from "pg";
import { createConnection, createPool } from "./connection.ts";
import { sqlStateOf } from "./failure.ts";
import { lockOf, locksOf } from "./locks.ts";
import { createNotices } from "./notices.ts";
import { fromPortable, toPortable } from "./portable.ts";
import { loadRows, readRows } from "./rows.ts";

export interface PostgresStoreOptions {
  /** The address of the database, such as `postgres://user:password@host:5432/database`. */
  connectionString?: string;
  /** A pool of `pg` to use instead. The store leaves it open. It needs one connection for notices. */
  pool?: pg.Pool;
  /**
   * The schema of the tables. The store creates it if it is missing.
   * @default "assay"
   */
  schema?: string;
  /**
   * The maximum number of connections.
   * @default 10
   */
  maxConnections?: number;
  /**
   * The time after which a statement fails, in milliseconds.
   * @default 30_000
   */
  timeoutMs?: number;
}

const MAX_LIST = 1_000;

/**
 * Creates a store in a schema of a PostgreSQL database, version 13 or later. Servers on several machines can share it.
 * It connects with the first call, and creates its tables then.
 * @example const assay = createAssay({ storage: postgresStore({ connectionString: process.env.DATABASE_URL }) });
 * @throws {StoreRefused} without an address, or for a schema that is not made of a-z, 0-9 and _
 */
export function postgresStore(options: PostgresStoreOptions): Store {
  const { connectionString, schema = "assay", maxConnections = 10, timeoutMs = 30_000 } = options;
  if (!options.pool && !connectionString) throw new StoreRefused("postgresStore needs a connectionString or a pool");
  if (!/^[a-z_][a-z0-9_]{0,39}$/.test(schema)) {
    throw new StoreRefused(`The schema "${schema}" must have 1 to 40 characters of a-z, 0-9 and _`);
  }
  const pool = options.pool ?? createPool(connectionString!, maxConnections, timeoutMs);
  const connection = createConnection(pool, schema, !options.pool);
  const notices = createNotices(connection, schema);
  const space = lockOf(`schema ${schema}`);
  const { query } = connection;
  let closing: Promise<void> | null = null;

  return {
    name: "postgres",
    capabilities: { durable: true, multiProcess: true, ordered: true },
    async get(key) {
      assertKey(key);
      const [row] = await query<EntryRow>("SELECT key, version, value FROM {schema}.entries WHERE key = $1", [key]);
      return row ? toEntry(row) : null;
    },
    async list(prefix, { after, limit = MAX_LIST } = {}) {
      assertPrefix(prefix);
      if (limit <= 0) return [];
      // Keys are made of characters below DEL.
      const rows = await query<EntryRow>(
        "SELECT key, version, value FROM {schema}.entries WHERE key >= $1 AND key < $2 AND key > $3 ORDER BY key LIMIT $4",
        [prefix, `${prefix}\x7f`, after ?? "", Math.min(limit, Number.MAX_SAFE_INTEGER)],
      );
      return rows.map(toEntry);
    },
    async batch(operations) {
      const { operations: encoded, payload } = encodeBatch(operations);
      const [row] = await query<{ answer: FunctionAnswer }>("SELECT {schema}.batch($1, $2, $3, $4) AS answer", [
        space,
        locksOf(operations),
        JSON.stringify(encoded),
        payload,
      ]);
      const { answer } = row!;
      if ("results" in answer) return decodeBatch(operations, answer);
      const claimed = Object.entries(answer.claimed).map(([index, positions]): [number, number[]] => [
        Number(index),
        positions,
      ]);
      return decodeBatch(operations, { failed: answer.failed, claimed });
    },
    async increment(key, by) {
      assertKey(key);
      if (!Number.isSafeInteger(by)) throw new TypeError(`The counter ${key} would exceed the safe integers`);
      try {
        const [row] = await query<{ total: string }>("SELECT {schema}.increment($1, $2, $3, $4) AS total", [
          space,
          lockOf(`entry ${key}`),
          key,
          by,
        ]);
        return Number(row!.total);
      } catch (error) {
        const state = sqlStateOf(error);
        if (state === "AS002") throw new TypeError(`The entry ${key} is not a counter`);
        if (state === "AS003") throw new TypeError(`The counter ${key} would exceed the safe integers`);
        throw error;
      }
    },
    async read(journal, after, limit) {
      assertKey(journal);
      const rows = await query<{ position: string; record: Buffer }>(
        "SELECT position, record FROM {schema}.records WHERE journal = $1 AND position > $2 ORDER BY position LIMIT $3",
        [journal, after, Math.max(0, limit)],
      );
      return rows.map(({ position, record }) => ({ position: Number(position), record: toBytes(record) }));
    },
    async head(journal) {
      assertKey(journal);
      const [row] = await query<{ head: string }>("SELECT head FROM {schema}.journals WHERE name = $1", [journal]);
      return Number(row?.head ?? 0);
    },
    async lease(name, holder, ttlMs) {
      assertKey(name);
      const [row] = await query<{ lease_token: string; lease_expires_at: string }>(
        "SELECT * FROM {schema}.lease($1, $2, $3, $4, $5)",
        [space, lockOf(`lease ${name}`), name, holder, Math.round(ttlMs)],
      );
      return row ? { token: Number(row.lease_token), expiresAt: Number(row.lease_expires_at) } : null;
    },
    async release(name, holder) {
      assertKey(name);
      await query("SELECT {schema}.release($1, $2, $3, $4)", [space, lockOf(`lease ${name}`), name, holder]);
    },
    async publish(channel, message) {
      await notices.publish(channel, message);
    },
    subscribe: (channel, listener) => notices.subscribe(channel, listener),
    quarantined: () => [],
    rows: () => readRows(connection),
    load: (rows) => loadRows(connection, rows),
    portableRows: () => toPortable(readRows(connection)),
    loadPortable: (rows) => loadRows(connection, rows.map(fromPortable)),
    async journals() {
      const rows = await query<{ name: string }>("SELECT name FROM {schema}.journals ORDER BY name");
      return rows.map(({ name }) => name);
    },
    async close() {
      closing ??= notices.close().then(() => connection.close());
      await closing;
    },
  };
}

/** The answer of the function `batch`; `claimed` has the positions of members by operation. */
type FunctionAnswer = { results: number[] } | { failed: number[]; claimed: Record<string, number[]> };

interface EntryRow {
  key: string;
  version: string;
  value: Buffer;
}

function toEntry({ key, version, value }: EntryRow): StoreEntry {
  return { key, value: toBytes(value), version: Number(version) };
}

function toBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
