import {
  assertKey,
  assertPrefix,
  type BatchEffects,
  type BatchReader,
  decideBatch,
  fenceToken,
  leaseOf,
  nextLease,
  openEntry,
  parseCounter,
  releasedLease,
  type Store,
  type StoreEntry,
  StoreUnavailable,
  sealEntry,
  toCounter,
} from "@assay/server/store";
import type { Claims } from "./claims.ts";
import { holdDatabase, type LmdbDatabase, type LmdbStoreOptions } from "./database.ts";
import type { Environment } from "./environment.ts";
import type { Journals } from "./journals.ts";

/**
 * Opens a store in a directory: durable, ordered, for several processes on one machine. A directory that this process
 * has open already is shared, with the options it was first opened with.
 * @example const assay = createAssay({ storage: lmdbStore({ path: ".assay" }) });
 * @throws {StoreRefused} where the directory cannot be made or written, or holds something else.
 */
export function lmdbStore(options: LmdbStoreOptions): Store {
  const { database, release } = holdDatabase(options);
  return createHandle(database, release);
}

function createHandle(database: LmdbDatabase, release: () => Promise<void>): Store {
  const { environment, damage, now, journals, claims, leases, notices } = database;
  const { entries, quarantine } = environment;
  const subscriptions = new Set<() => void>();
  let closed = false;

  const assertOpen = () => {
    if (closed) throw new StoreUnavailable("This LMDB store is closed");
  };
  const read = async <T>(action: () => T): Promise<T> => {
    assertOpen();
    environment.refresh();
    return action();
  };
  const write = async <T>(job: () => T): Promise<T> => {
    assertOpen();
    return environment.write(job);
  };

  /** Moves a damaged entry out of the way, if it still is damaged. */
  const setAside = (key: string) => {
    const sealed = entries.get(key);
    if (sealed === undefined || openEntry(key, sealed)) return;
    quarantine.putSync(key, sealed);
    entries.removeSync(key);
  };
  const opening = (key: string, sealed: Buffer | undefined): StoreEntry | null => {
    if (sealed === undefined) return null;
    const entry = openEntry(key, sealed);
    if (entry) return entry;
    damage.report(key, "This entry failed its checksum");
    environment.write(() => setAside(key)).catch(() => {});
    return null;
  };
  const entryOf = (key: string) => opening(key, entries.getBinaryFast(key));
  const put = (key: string, value: Uint8Array, version: number) => {
    entries.putSync(key, Buffer.from(sealEntry(key, value, version).buffer));
  };

  const reader: BatchReader = {
    version: (key) => entryOf(key)?.version ?? 0,
    head: journals.head,
    holds: journals.holds,
    window: claims.window,
    claimedIn: claims.claimedIn,
    leaseToken: (lease) => fenceToken(leases.get(lease)),
  };

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
        for (const { key, value } of entries.getRange(range)) {
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
      }),
    increment: (key, by) =>
      write(() => {
        assertKey(key);
        const entry = entryOf(key);
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
    quarantined: damage.records,
    async close() {
      if (closed) return;
      closed = true;
      for (const unsubscribe of subscriptions) unsubscribe();
      await release();
    },
  };
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
    else entries.removeSync(key);
  }
  for (const [journal, records] of effects.records) {
    for (const [position, record] of records) journals.put(journal, position, record);
  }
  for (const [journal, head] of effects.heads) journals.setHead(journal, head);
  for (const [journal, through] of effects.trims) journals.trim(journal, through);
  for (const [set, window] of effects.windows) claims.claim(set, window, effects.members.get(set) ?? new Map());
}
