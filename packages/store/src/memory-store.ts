import { type BatchEffects, type ClaimWindow, decideBatch, lastClaim } from "./batch.ts";
import { createChannels } from "./channels.ts";
import { parseCounter, toCounter } from "./counter.ts";
import { assertKey, assertPrefix } from "./key.ts";
import { fenceToken, type LeaseRecord, leaseOf, nextLease, releasedLease } from "./lease.ts";
import { createSortedKeys } from "./sorted-keys.ts";
import { type Store, StoreUnavailable } from "./store.ts";

export interface MemoryStoreOptions {
  /**
   * The clock of leases, in milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
}

interface MemoryJournal {
  head: number;
  records: Map<number, Uint8Array>;
  /** The position of the oldest record that may be left. */
  first: number;
}

interface MemorySet extends ClaimWindow {
  generations: Map<number, Set<string>>;
}

/**
 * Creates a store in the memory of this process, for tests and trials. Closing it discards the data.
 * @example const assay = createAssay({ storage: memoryStore() });
 */
export function memoryStore(options: MemoryStoreOptions = {}): Store {
  const now = options.now ?? Date.now;
  const entries = new Map<string, { value: Uint8Array; version: number }>();
  const keys = createSortedKeys();
  const journals = new Map<string, MemoryJournal>();
  const sets = new Map<string, MemorySet>();
  const leases = new Map<string, LeaseRecord>();
  const channels = createChannels();
  let closed = false;

  /** Runs an action asynchronously, as a database would, and rejects after `close`. */
  const perform = async <T>(action: () => T): Promise<T> => {
    if (closed) throw new StoreUnavailable("This memory store is closed");
    return action();
  };

  const put = (key: string, value: Uint8Array, version: number) => {
    if (!entries.has(key)) keys.add(key);
    entries.set(key, { value: value.slice(), version });
  };
  const journalOf = (journal: string): MemoryJournal =>
    journals.get(journal) ?? { head: 0, records: new Map(), first: 1 };
  const setOf = (set: string): MemorySet =>
    sets.get(set) ?? { latest: Number.NEGATIVE_INFINITY, floor: Number.NEGATIVE_INFINITY, generations: new Map() };

  const reader = {
    version: (key: string) => entries.get(key)?.version ?? 0,
    head: (journal: string) => journalOf(journal).head,
    holds: (journal: string, position: number) => journalOf(journal).records.has(position),
    window: setOf,
    claimedIn(set: string, members: readonly string[]) {
      const { generations } = setOf(set);
      return members.map((member) => lastClaim(generations, member));
    },
    leaseToken: (lease: string) => fenceToken(leases.get(lease)),
  };

  const apply = (effects: BatchEffects) => {
    for (const [key, entry] of effects.entries) {
      if (entry) put(key, entry.value, entry.version);
      else if (entries.delete(key)) keys.remove(key);
    }
    for (const [name, records] of effects.records) {
      const journal = journalOf(name);
      for (const [position, record] of records) journal.records.set(position, record.slice());
      journals.set(name, { ...journal, head: effects.heads.get(name) ?? journal.head });
    }
    for (const [name, through] of effects.trims) {
      const journal = journalOf(name);
      while (journal.first <= through) journal.records.delete(journal.first++);
    }
    for (const [name, window] of effects.windows) {
      const { generations } = setOf(name);
      for (const { generation, members } of effects.claims.get(name) ?? []) {
        const claimed = generations.get(generation) ?? new Set();
        generations.set(generation, claimed);
        for (const member of members) claimed.add(member);
      }
      for (const generation of generations.keys()) if (generation < window.floor) generations.delete(generation);
      sets.set(name, { ...window, generations });
    }
  };

  return {
    name: "memory",
    capabilities: { durable: false, multiProcess: false, ordered: true },
    get: (key) =>
      perform(() => {
        assertKey(key);
        const entry = entries.get(key);
        return entry ? { key, value: entry.value.slice(), version: entry.version } : null;
      }),
    list: (prefix, { after, limit = 1_000 } = {}) =>
      perform(() => {
        assertPrefix(prefix);
        return keys.range(prefix, after, limit).map((key) => {
          const { value, version } = entries.get(key)!;
          return { key, value: value.slice(), version };
        });
      }),
    batch: (operations) =>
      perform(() => {
        const { result, effects } = decideBatch(operations, reader);
        if (result.ok) apply(effects);
        return result;
      }),
    increment: (key, by) =>
      perform(() => {
        assertKey(key);
        const entry = entries.get(key);
        const count = parseCounter(key, entry?.value) + by;
        put(key, toCounter(key, count), (entry?.version ?? 0) + 1);
        return count;
      }),
    read: (journal, after, limit) =>
      perform(() => {
        assertKey(journal);
        const { head, first, records } = journalOf(journal);
        const found = [];
        for (let position = Math.max(after + 1, first); position <= head && found.length < limit; position++) {
          const record = records.get(position);
          if (record) found.push({ position, record: record.slice() });
        }
        return found;
      }),
    head: (journal) =>
      perform(() => {
        assertKey(journal);
        return journalOf(journal).head;
      }),
    lease: (name, holder, ttlMs) =>
      perform(() => {
        assertKey(name);
        const record = nextLease(leases.get(name), holder, ttlMs, now());
        if (record) leases.set(name, record);
        return record && leaseOf(record);
      }),
    release: (name, holder) =>
      perform(() => {
        const record = releasedLease(leases.get(name), holder);
        if (record) leases.set(name, record);
      }),
    publish: (channel, message) => perform(() => channels.publish(channel, message)),
    subscribe: (channel, listener) =>
      perform(() => {
        const unsubscribe = channels.subscribe(channel, listener);
        return async () => unsubscribe();
      }),
    quarantined: () => [],
    async close() {
      closed = true;
    },
  };
}
