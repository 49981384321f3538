import {
  assertKey,
  assertPrefix,
  decodeBatch,
  encodeBatch,
  type Store,
  type StoreEntry,
  StoreRefused,
} from "@assay/store";
import type { Cluster, Redis } from "ioredis";
import { createConnection } from "./connection.ts";
import { codeOf } from "./failure.ts";
import { createNotices } from "./notices.ts";
import { loadPortable, toPortable } from "./portable.ts";
import { loadRows, readRows } from "./rows.ts";

export interface RedisStoreOptions {
  /** The address of a server, such as `redis://user:password@host:6379/0`, or `rediss://…` over TLS. */
  url?: string;
  /**
   * A client of ioredis for a server or a cluster, whose address and credentials the store takes. The store opens
   * its own connections and leaves this client alone.
   */
  client?: Redis | Cluster;
  /**
   * The name of the store. Its keys begin with `assay:{NAME}`, so that a cluster keeps them on one node.
   * @default "assay"
   */
  name?: string;
  /**
   * Whether an acknowledged write must be on the disk of the server. If so, the store refuses servers with other
   * settings than `appendonly yes` and `appendfsync always`.
   * @default true
   */
  durable?: boolean;
  /**
   * The time after which a command fails, in milliseconds.
   * @default 10_000
   */
  timeoutMs?: number;
}

const MAX_LIST = 1_000;

/**
 * Creates a store in Redis, version 7 or later, on one server or in a cluster. Servers of Assay on several machines can
 * share it. It connects with the first call.
 * @example const assay = createAssay({ storage: redisStore({ url: process.env.REDIS_URL }) });
 * @throws {StoreRefused} without an address, or for a name that is not made of a-z, A-Z, 0-9, _ and -
 */
export function redisStore(options: RedisStoreOptions): Store {
  const { url, client, name = "assay", durable = true, timeoutMs = 10_000 } = options;
  const source = client ?? url;
  if (!source) throw new StoreRefused("redisStore needs a url or a client");
  if (!/^[\w-]{1,40}$/.test(name)) {
    throw new StoreRefused(`The name "${name}" must have 1 to 40 characters of a-z, A-Z, 0-9, _ and -`);
  }
  const connection = createConnection(source, { name, durable, timeoutMs });
  const notices = createNotices(connection);
  const { run } = connection;
  let closing: Promise<void> | null = null;

  return {
    name: "redis",
    capabilities: { durable, multiProcess: true, ordered: true },
    async get(key) {
      assertKey(key);
      const [version, value] = await run<Buffer[]>("entry", key);
      return version && value ? toEntry(key, version, value) : null;
    },
    async list(prefix, { after, limit = MAX_LIST } = {}) {
      assertPrefix(prefix);
      if (limit <= 0) return [];
      const found = await run<Buffer[]>("list", prefix, after ?? "", Math.min(limit, Number.MAX_SAFE_INTEGER));
      const entries: StoreEntry[] = [];
      for (let at = 0; at < found.length; at += 3) {
        entries.push(toEntry(String(found[at]), found[at + 1]!, found[at + 2]!));
      }
      return entries;
    },
    async batch(operations) {
      const { operations: encoded, payload } = encodeBatch(operations);
      const [isDone, indexes, claimed] = await run<ScriptAnswer>("batch", JSON.stringify(encoded), ...payload);
      return decodeBatch(operations, isDone ? { results: indexes } : { failed: indexes, claimed });
    },
    async increment(key, by) {
      assertKey(key);
      if (!Number.isSafeInteger(by)) throw new TypeError(`The counter ${key} would exceed the safe integers`);
      try {
        return Number(await run<Buffer>("increment", key, by));
      } catch (error) {
        const code = codeOf(error);
        if (code === "ASSAYNOCOUNTER") throw new TypeError(`The entry ${key} is not a counter`);
        if (code === "ASSAYTOOLARGE") throw new TypeError(`The counter ${key} would exceed the safe integers`);
        throw error;
      }
    },
    async read(journal, after, limit) {
      assertKey(journal);
      const found = await run<Buffer[]>("read", journal, after, Math.max(0, Math.min(limit, Number.MAX_SAFE_INTEGER)));
      return Array.from({ length: found.length / 2 }, (_, index) => ({
        position: Number(found[2 * index]),
        record: toBytes(found[2 * index + 1]!),
      }));
    },
    async head(journal) {
      assertKey(journal);
      return Number(await run<Buffer>("head", journal));
    },
    async lease(lease, holder, ttlMs) {
      assertKey(lease);
      const [token, expiresAt] = await run<Buffer[]>("lease", lease, holder, Math.round(ttlMs));
      return token ? { token: Number(token), expiresAt: Number(expiresAt) } : null;
    },
    async release(lease, holder) {
      assertKey(lease);
      await run("release", lease, holder);
    },
    publish: (channel, message) => notices.publish(channel, message),
    subscribe: (channel, listener) => notices.subscribe(channel, listener),
    quarantined: () => [],
    rows: () => readRows(connection),
    load: (rows) => loadRows(connection, rows),
    portableRows: () => toPortable(readRows(connection)),
    loadPortable: (rows) => loadPortable(connection, rows),
    async journals() {
      const names = await connection.command<Buffer[]>("HKEYS", `${connection.key}:heads`);
      return names.map(String).sort();
    },
    async close() {
      closing ??= notices.close().then(() => connection.close());
      await closing;
    },
  };
}

/** The answer of the script `batch`: the results, or the failed operations and the members already claimed. */
type ScriptAnswer = [isDone: 0 | 1, indexes: number[], claimed: [index: number, positions: number[]][]];

function toEntry(key: string, version: Buffer, value: Buffer): StoreEntry {
  return { key, value: toBytes(value), version: Number(version) };
}

function toBytes(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
