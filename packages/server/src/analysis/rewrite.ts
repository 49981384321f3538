import {
  decodeRecord,
  type EngineLog,
  type EventRecord,
  encodeRecord,
  type Reader,
  type StrippedChunk,
} from "@assay/analysis";
import type { Operation, Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { ApiError } from "../ground/errors.ts";
import { every } from "../ground/every.ts";
import type { Analysis } from "./analysis.ts";
import { takeLease } from "./lease.ts";
import { COMPACTION_LEASE, detailsKey, type LogState, listChunks, putLogState } from "./storage.ts";

const LEASE_MS = 60_000;
const PAGE = 64;

/** Writes operations under the lease, atomically. @throws ApiError 503 if the lease is lost */
export type Write = (operations: Operation[]) => Promise<number[]>;

/** Removes events from chunks and journal. */
export interface Removal {
  /** Prepares the reader. */
  begin?(reader: Reader): Promise<void>;
  /** A chunk and its details without some events. Null if there is nothing to remove. */
  strip(reader: Reader, chunk: Uint8Array, details: Uint8Array | null): Promise<StrippedChunk | null>;
  /** A record without some events and joins. Null if there is nothing to remove. */
  without(reader: Reader, record: EventRecord): EventRecord | null | Promise<EventRecord | null>;
  /** Removes the same events from the copy in an engine. */
  fromCopy(copy: EngineLog, reader: Reader): Promise<void>;
  /** Called with each journal position reached. Throwing stops the work. */
  onProgress?(position: number): void;
  /** Written with every removal. */
  alongside?: Operation;
}

/**
 * Removes events from chunks and journal in place. Raises the epoch before the first write and after the last, so
 * that a node with the old events in memory can neither compact them back nor answer from them. Running it again after
 * a crash finishes the removal.
 * @param keys entries to delete with the last step
 * @returns how many events were removed
 * @throws ApiError 503 while chunks are written elsewhere
 */
export async function removeEvents(
  store: Store,
  analysis: Analysis,
  holder: string,
  removal: Removal,
  keys: readonly string[] = [],
): Promise<number> {
  // Before the log is read, which can take long.
  const copy = await openCopy(analysis);
  return analysis.withReader(async (reader, state) => {
    const lease = await takeLease(store, holder, LEASE_MS, copy !== null);
    if (!lease) throw busy();
    const write = async (operations: Operation[]) => {
      const fence: Operation = { type: "fence", lease: COMPACTION_LEASE, token: lease.token };
      const result = await store.batch([fence, ...operations]);
      if (!result.ok) throw busy();
      await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
      return result.results;
    };
    try {
      await removal.begin?.(reader);
      const marked = await raiseEpoch(state, write);
      try {
        const inChunks = await removeFromChunks(store, reader, removal, write);
        const removed = inChunks + (await removeFromJournal(store, reader, removal, write, state));
        if (copy) await withLease(store, holder, removal.fromCopy(copy, reader));
        await raiseEpoch(marked, write, keys);
        return removed;
      } catch (error) {
        // A reader in the meantime has seen both old and new records.
        await raiseEpoch(marked, write).catch(() => {});
        throw error;
      }
    } finally {
      await store.release(COMPACTION_LEASE, holder);
    }
  });
}

const busy = () => new ApiError(503, "The event log is being compacted; try again", { "Retry-After": "5" });

/** Returns the copy of the events, and checks that it answers before anything is removed. @throws ApiError 503 */
async function openCopy(analysis: Analysis): Promise<EngineLog | null> {
  if (!analysis.copy) return null;
  try {
    const copy = await analysis.copy();
    await copy.progress();
    return copy;
  } catch (error) {
    throw unavailable(error);
  }
}

const unavailable = (error: unknown) =>
  new ApiError(503, `${error instanceof Error ? error.message : String(error)}; try again`, { "Retry-After": "5" });

/** Keeps the lease during work outside of the store. @throws ApiError 503 */
async function withLease(store: Store, holder: string, work: Promise<void>): Promise<void> {
  const stop = every(LEASE_MS / 3, async () => {
    await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
  });
  try {
    await work;
  } catch (error) {
    throw unavailable(error);
  } finally {
    stop();
  }
}

async function raiseEpoch(state: LogState, write: Write, keys: readonly string[] = []): Promise<LogState> {
  const next = { ...state, epoch: state.epoch + 1 };
  const results = await write([putLogState(next), ...keys.map((key): Operation => ({ type: "delete", key }))]);
  return { ...next, version: results[1]! };
}

async function removeFromChunks(
  store: Store,
  reader: Reader,
  { strip, onProgress, alongside }: Removal,
  write: Write,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const [entry] = await listChunks(store, after, 1);
    if (!entry) return removed;
    after = entry.through;
    onProgress?.(after);
    const details = await store.get(detailsKey(entry));
    const stripped = await strip(reader, new Uint8Array(entry.bytes), details && new Uint8Array(details.value));
    if (!stripped) continue;
    removed += stripped.removed;
    const operations: Operation[] = [{ type: "put", key: entry.key, value: stripped.chunk }];
    if (stripped.details) operations.push({ type: "put", key: detailsKey(entry), value: stripped.details });
    if (stripped.removed > 0 && alongside) operations.push(alongside);
    await write(operations);
  }
}

/** Removes events from uncompacted records and from those kept besides chunks. Positions stay the same. */
async function removeFromJournal(
  store: Store,
  reader: Reader,
  { without, onProgress, alongside }: Removal,
  write: Write,
  { through }: LogState,
): Promise<number> {
  let removed = 0;
  for (let after = 0; ; ) {
    const records = await store.read(EVENTS_JOURNAL, after, PAGE);
    const last = records.at(-1);
    if (!last) return removed;
    after = last.position;
    onProgress?.(after);
    const rewrites: Operation[] = [];
    let taken = 0;
    for (const { position, record } of records) {
      const before = decodeRecord(record);
      const left = await without(reader, before);
      if (!left) continue;
      const gone = before.events.length - left.events.length;
      taken += gone;
      // Events also in a chunk are counted there.
      if (position > through) removed += gone;
      rewrites.push({ type: "rewrite", journal: EVENTS_JOURNAL, position, record: encodeRecord(left) });
    }
    if (taken > 0 && alongside) rewrites.push(alongside);
    if (rewrites.length > 0) await write(rewrites);
  }
}
