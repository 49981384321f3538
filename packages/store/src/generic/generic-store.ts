import { decideBatch } from "../batch.ts";
import { createChannels } from "../channels.ts";
import { parseCounter, toCounter } from "../counter.ts";
import { assertKey, assertPrefix } from "../key.ts";
import { leaseOf, nextLease, releasedLease } from "../lease.ts";
import { createQuarantine, type QuarantineOptions } from "../quarantine.ts";
import {
  type BatchResult,
  type Operation,
  type Store,
  type StoreEntry,
  type StoreRow,
  StoreUnavailable,
} from "../store.ts";
import { type Contents, readContents } from "./contents.ts";
import { createGate } from "./gate.ts";
import { createItems } from "./items.ts";
import { takeLock } from "./lock.ts";
import { toPortable } from "./portable.ts";
import { describeRow, journalsIn, loadRows, lostRecordOf, readRows } from "./rows.ts";
import type { KeyValueStorage, MountedDriver } from "./storage.ts";
import { type ItemWrites, openWriteAhead } from "./write-ahead.ts";

export interface GenericStoreOptions extends QuarantineOptions {
  /**
   * The prefix of all keys in the storage.
   * @default "assay"
   */
  base?: string;
  /**
   * Writes that the driver has accepted survive the process.
   * @default false for unstorage's in-memory drivers, true for all others
   */
  durable?: boolean;
}

interface WaitingBatch {
  operations: Operation[];
  resolve(result: BatchResult): void;
  reject(error: unknown): void;
}

const IN_MEMORY = new Set(["memory", "lru-cache", "null", "session-storage"]);

/** Returns whether a driver keeps its data in this process alone. */
export function isInMemory(driver: MountedDriver): boolean {
  return IN_MEMORY.has(driver.name ?? "");
}

/**
 * Creates a store on any unstorage `Storage`, for one process. It writes batches ahead and completes them after a
 * crash. Reads wait for the write before them. The data that needs fast access is in memory. The first call opens the
 * store, and rejects with `StoreRefused` if another instance is using the storage.
 * @example const store = genericStore(createStorage({ driver: fsDriver({ base: ".assay" }) }));
 */
export function genericStore(storage: KeyValueStorage, options: GenericStoreOptions = {}): Store {
  const { driver } = storage.getMount("");
  const now = options.now ?? Date.now;
  const items = createItems(storage, options.base ?? "assay");
  const damage = createQuarantine(options);
  const channels = createChannels();
  const gate = createGate();
  let closed = false;
  let opening: ReturnType<typeof open> | undefined;
  /** Null until the first read, and again after a commit with an unknown outcome. */
  let contents: Contents | null = null;

  async function open() {
    const lock = await takeLock(items);
    try {
      return { lock, writeAhead: await openWriteAhead(items) };
    } catch (error) {
      await lock.release().catch(() => {});
      throw error;
    }
  }

  /** Returns the contents, and opens or reads them first if needed. Requires exclusive access. */
  const settled = async (): Promise<Contents> => {
    if (closed) throw new StoreUnavailable("This store is closed");
    opening ??= open();
    const { lock, writeAhead } = await opening.catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    lock.assertHeld();
    if (contents) return contents;
    await writeAhead.settle();
    contents = await readContents(items, writeAhead, damage);
    return contents;
  };

  const write = <T>(action: (contents: Contents) => Promise<T>): Promise<T> =>
    gate.write(async () => {
      const current = await settled();
      try {
        return await action(current);
      } catch (error) {
        if (error instanceof StoreUnavailable) contents = null;
        throw error;
      }
    });

  const read = async <T>(action: (contents: Contents) => Promise<T>): Promise<T> => {
    for (;;) {
      if (!contents || closed) await write(async () => {});
      const answer = await gate.read(async () => {
        // A write that has just failed has discarded the contents again.
        if (!contents || closed) return null;
        const value = await action(contents);
        if (contents.isSuspect()) write((suspected) => suspected.clear()).catch(() => {});
        return { value };
      });
      if (answer) return answer.value;
    }
  };

  /** The batches that arrive during another write. They become one write, with an answer each. */
  let waiting: WaitingBatch[] = [];
  const writeWaiting = async (current: Contents) => {
    const batches = waiting;
    waiting = [];
    const answers: (() => void)[] = [];
    try {
      const reader = await current.readerFor(batches.flatMap(({ operations }) => operations));
      await current.clear();
      const writes: ItemWrites = new Map();
      for (const { operations, resolve, reject } of batches) {
        const decision = attempt(() => decideBatch(operations, reader));
        if ("error" in decision) {
          answers.push(() => reject(decision.error));
          continue;
        }
        const { result, effects } = decision.value;
        answers.push(() => resolve(result));
        if (!result.ok) continue;
        reader.decided(effects);
        await current.stage(effects, writes);
      }
      await current.commit(writes);
    } catch (error) {
      for (const { reject } of batches) reject(error);
      throw error;
    }
    for (const answer of answers) answer();
  };
  const startWriting = () => {
    let isStarted = false;
    const action = (current: Contents) => {
      isStarted = true;
      return writeWaiting(current);
    };
    // A started run rejects its own batches; later batches start a new run.
    write(action).catch((error: unknown) => {
      if (!isStarted) for (const { reject } of waiting.splice(0)) reject(error);
    });
  };

  async function* rows(): AsyncGenerator<StoreRow> {
    // Writers wait until this read ends.
    let end = () => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    let held: Promise<void> | undefined;
    await new Promise<void>((resolve, reject) => {
      held = read(() => {
        resolve();
        return ended;
      });
      held.catch(reject);
    });
    try {
      yield* readRows(items);
    } finally {
      end();
      await held;
    }
  }

  return {
    name: `generic (${driver.name ?? "unknown"})`,
    capabilities: { durable: options.durable ?? !isInMemory(driver), multiProcess: false, ordered: false },
    async get(key) {
      assertKey(key);
      return read((current) => current.readEntry(key));
    },
    async list(prefix, { after, limit = 1_000 } = {}) {
      assertPrefix(prefix);
      return read(async (current) => {
        const found: StoreEntry[] = [];
        for (let last = after; found.length < limit; ) {
          const keys = current.entryKeys(prefix, last, limit - found.length);
          if (keys.length === 0) break;
          for (const entry of await Promise.all(keys.map(current.readEntry))) if (entry) found.push(entry);
          last = keys.at(-1);
        }
        return found;
      });
    },
    batch: (operations) =>
      new Promise((resolve, reject) => {
        waiting.push({ operations, resolve, reject });
        if (waiting.length === 1) startWriting();
      }),
    async increment(key, by) {
      assertKey(key);
      return write(async (current) => {
        const entry = await current.readEntry(key);
        if (current.isDamaged(key)) damage.restarted(key);
        await current.clear();
        const count = parseCounter(key, entry?.value) + by;
        await current.writeEntry(key, toCounter(key, count), (entry?.version ?? 0) + 1);
        return count;
      });
    },
    async read(journal, after, limit) {
      assertKey(journal);
      return read((current) => current.journals.read(journal, after, limit));
    },
    async head(journal) {
      assertKey(journal);
      return read((current) => current.journals.head(journal));
    },
    async lease(name, holder, ttlMs) {
      assertKey(name);
      return write(async (current) => {
        const record = nextLease(await current.readLease(name), holder, ttlMs, now());
        if (record) await current.writeLease(name, record);
        return record && leaseOf(record);
      });
    },
    async release(name, holder) {
      assertKey(name);
      await write(async (current) => {
        const record = releasedLease(await current.readLease(name), holder);
        if (record) await current.writeLease(name, record);
      });
    },
    publish: (channel, message) => read(async () => channels.publish(channel, message)),
    subscribe: (channel, listener) =>
      read(async () => {
        const unsubscribe = channels.subscribe(channel, listener);
        return async () => unsubscribe();
      }),
    // Before the contents are read, and while they are read again, this returns the known damage.
    quarantined: () => contents?.quarantined() ?? damage.records({ kept: [], stateOf: () => "DAMAGED" }),
    onQuarantine: damage.listen,
    rows,
    portableRows: () => toPortable(rows()),
    load: (rows) =>
      write(async (current) => {
        await current.clear();
        await loadRows(
          items,
          rows.filter((row) => !lostRecordOf(row)),
        );
        await current.putBack(rows.map(lostRecordOf).filter((record) => record !== null));
        contents = null;
      }),
    journals: () => read(() => journalsIn(items)),
    describeRow,
    close: () =>
      gate.write(async () => {
        closed = true;
        const opened = await opening?.catch(() => undefined);
        opening = undefined;
        if (!opened) return;
        try {
          await opened.writeAhead.close();
        } finally {
          await opened.lock.release();
        }
      }),
  };
}

/** Returns the result of an action, or the error that it throws. */
function attempt<T>(action: () => T): { value: T } | { error: unknown } {
  try {
    return { value: action() };
  } catch (error) {
    return { error };
  }
}
