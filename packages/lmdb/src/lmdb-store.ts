import {
  assertKey,
  assertPrefix,
  type BatchEffects,
  type BatchReader,
  decideBatch,
  fenceToken,
  leaseOf,
  nextLease,
  type Operation,
  openEntry,
  parseCounter,
  releasedLease,
  type Store,
  type StoreEntry,
  type StoreRow,
  StoreUnavailable,
  sealEntry,
  toCounter,
} from "@assay/store";
import type { Claims } from "./claims.ts";
import { holdDatabase, type LmdbDatabase, type LmdbStoreOptions } from "./database.ts";
import type { Environment } from "./environment.ts";
import type { Journals } from "./journals.ts";
import { fromPortable, toPortable } from "./portable.ts";
import { describeRow } from "./rows.ts";
import { LmdbFailure } from "./table.ts";

/** The approximate size of a claimed member with its generation, in bytes. */
const MEMBER_LENGTH = 64;

/**
 * Opens a store in a directory. It is durable and ordered, and serves several processes on one machine. If this process
 * already has the directory open, the store is shared, with the options of its first opening.
 * @example const assay = createAssay({ storage: lmdbStore({ path: ".assay" }) });
 * @throws {StoreRefused} if the directory cannot be created or written, or contains something else
 */
export function lmdbStore(options: LmdbStoreOptions): Store {
  const { database, release } = holdDatabase(options);
  return createHandle(database, release);
}

function createHandle(database: LmdbDatabase, release: () => Promise<void>): Store {
  const { environment, damage, setAside, now, journals, claims, leases, notices } = database;
  const { entries } = environment;
  const subscriptions = new Set<() => void>();
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new StoreUnavailable("This LMDB store is closed");
  };
  const read = async <T>(action: () => T): Promise<T> => {
    assertOpen();
    return environment.read(action);
  };
  const write = async <T>(job: () => T, bytes?: number): Promise<T> => {
    assertOpen();
    return environment.write(job, bytes);
  };

  const opening = (key: string, sealed: Uint8Array | undefined): StoreEntry | null => {
    if (sealed === undefined) return null;
    const entry = openEntry(key, sealed);
    if (entry) return entry;
    setAside.entry(key);
    return null;
  };
  const entryOf = (key: string) => opening(key, entries.get(key));
  const put = (key: string, value: Uint8Array, version: number) => {
    entries.put(key, sealEntry(key, value, version));
  };

  const reader: BatchReader = {
    version: (key) => entryOf(key)?.version ?? 0,
    head: journals.head,
    holds: journals.holds,
    window: claims.window,
    claimedIn: claims.claimedIn,
    leaseToken: (lease) => fenceToken(leases.get(lease)),
  };

  const load = (rows: StoreRow[]) => write(() => environment.load(rows), lengthOfRows(rows));

  return {
    name: "lmdb",
    capabilities: { durable: true, multiProcess: true, ordered: true },
    get: (key) =>
      read(() => {
        assertKey(key);
        return entryOf(key);
      }),
    list: (prefix, { after, limit = 1_000 } = {}) =>
      read(() => {
        assertPrefix(prefix);
        const found: StoreEntry[] = [];
        const exclusive = after !== undefined && after >= prefix;
        // Keys are made of characters below DEL.
        const range = { start: exclusive ? after : prefix, exclusiveStart: exclusive, end: `${prefix}\x7f` };
        if (limit <= 0) return found;
        for (const { key, value } of entries.entries(range)) {
          const entry = opening(key, value);
          if (entry && found.push(entry) >= limit) break;
        }
        return found;
      }),
    batch: (operations) =>
      write(() => {
        const { result, effects } = decideBatch(operations, reader);
        if (result.ok) apply(effects, environment, journals, claims, put);
        return result;
      }, lengthOf(operations)),
    increment: (key, by) =>
      write(() => {
        assertKey(key);
        const entry = entryOf(key);
        if (!entry) setAside.counter(key);
        const count = parseCounter(key, entry?.value) + by;
        put(key, toCounter(key, count), (entry?.version ?? 0) + 1);
        return count;
      }),
    read: (journal, after, limit) =>
      read(() => {
        assertKey(journal);
        return journals.read(journal, after, limit);
      }),
    head: (journal) =>
      read(() => {
        assertKey(journal);
        return journals.head(journal);
      }),
    lease: (name, holder, ttlMs) =>
      write(() => {
        assertKey(name);
        const record = nextLease(leases.get(name), holder, ttlMs, now());
        if (record) leases.put(name, record);
        return record && leaseOf(record);
      }),
    release: (name, holder) =>
      write(() => {
        const record = releasedLease(leases.get(name), holder);
        if (record) leases.put(name, record);
      }),
    async publish(channel, message) {
      assertOpen();
      await notices.publish(channel, message);
    },
    subscribe: (channel, listener) =>
      read(() => {
        const unsubscribe = notices.subscribe(channel, listener);
        subscriptions.add(unsubscribe);
        return async () => {
          subscriptions.delete(unsubscribe);
          unsubscribe();
        };
      }),
    quarantined: () => {
      if (closed) return [];
      try {
        return setAside.records();
      } catch (error) {
        // While LMDB cannot be read, `/readyz` reports the reason, and this list is empty.
        if (error instanceof LmdbFailure) return [];
        throw error;
      }
    },
    onQuarantine: damage.listen,
    async *rows() {
      assertOpen();
      yield* environment.rows();
    },
    load,
    async *portableRows() {
      assertOpen();
      yield* toPortable(environment.rows());
    },
    loadPortable: (rows) => load(rows.flatMap(fromPortable)),
    // Names made by `keyOf` have no "!". Journals with one are LMDB's own.
    journals: () => read(() => [...environment.heads.keys({})].filter((name) => !name.startsWith("!"))),
    describeRow,
    async close() {
      if (closed) return;
      closed = true;
      for (const unsubscribe of subscriptions) unsubscribe();
      await release();
    },
  };
}

function lengthOfRows(rows: StoreRow[]): number {
  return rows.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
}

/** Returns the approximate size of a batch's writes in bytes. */
function lengthOf(operations: Operation[]): number {
  let length = 0;
  for (const operation of operations) {
    if (operation.type === "put") length += operation.value.length;
    else if (operation.type === "rewrite") length += operation.record.length;
    else if (operation.type === "append") for (const record of operation.records) length += record.length;
    else if (operation.type === "claim") length += operation.members.length * MEMBER_LENGTH;
  }
  return length;
}

function apply(
  effects: BatchEffects,
  { entries }: Environment,
  journals: Journals,
  claims: Claims,
  put: (key: string, value: Uint8Array, version: number) => void,
): void {
  for (const [key, entry] of effects.entries) {
    if (entry) put(key, entry.value, entry.version);
    else entries.remove(key);
  }
  for (const [journal, records] of effects.records) {
    for (const [position, record] of records) journals.put(journal, position, record);
  }
  for (const [journal, head] of effects.heads) journals.setHead(journal, head);
  for (const [journal, through] of effects.trims) journals.trim(journal, through);
  for (const [set, window] of effects.windows) claims.claim(set, window, effects.claims.get(set) ?? []);
}
