import type { EventRecord, Reader } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import type { Analysis } from "./analysis.ts";
import { readChunks } from "./read-log.ts";
import { removeEvents } from "./rewrite.ts";
import { putPurgedBefore, readPurgedBefore } from "./storage.ts";

/** Options of a purge. */
export interface PurgeOptions {
  /** Milliseconds since 1970. Removes the events received earlier. */
  before: number;
  /** Id of this process. */
  holder: string;
  signal: AbortSignal;
  /** Receives the fraction of the log processed. */
  onProgress?(progress: number): void;
}

/**
 * Removes every event received before a time from chunks and journal, and the ids of users who have no events left.
 * Results are recomputed without them. If it is stopped halfway, removed events stay removed.
 * @returns how many events were removed
 * @throws ApiError 503 while chunks are written elsewhere; the reason of the signal if it is aborted
 */
export async function purgeEvents(store: Store, analysis: Analysis, options: PurgeOptions): Promise<number> {
  const { before, holder, signal, onProgress } = options;
  const head = Math.max(1, await store.head(EVENTS_JOURNAL));
  const latest = Math.max(before, (await readPurgedBefore(store)) ?? before);
  return removeEvents(store, analysis, holder, {
    begin: async (reader) => {
      const chunks = await reader.ask("beginPurge", before);
      await readChunks(store, chunks, (bytes) => reader.ask("mark", bytes));
    },
    strip: (reader, chunk, details) => reader.ask("purge", chunk, details),
    without: (reader, record) => emptied(reader, record, before),
    fromCopy: (copy, reader) => copy.purge(before, (ids) => reader.ask("kept", ids)),
    onProgress(position) {
      signal.throwIfAborted();
      onProgress?.(Math.min(1, position / head));
    },
    alongside: putPurgedBefore(latest),
  });
}

/** Returns an old record without its events and obsolete joins, or null if it has neither. */
async function emptied(reader: Reader, { at, events, joins: all }: EventRecord, before: number) {
  if (at >= before || events.length + all.length === 0) return null;
  const kept = await reader.ask(
    "kept",
    all.map(({ userId }) => userId),
  );
  const joins = all.filter((_, index) => kept[index]);
  return events.length === 0 && joins.length === all.length ? null : { at, events: [], joins };
}
