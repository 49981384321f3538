import { setImmediate as nextTurn } from "node:timers/promises";
import type { PositionRange, ReceivedRecord } from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { detailsKey, listChunks, readLogState } from "./storage.ts";

/** A part of the log as stored, in order of receipt: a chunk with the range that it adds, or records. */
export type LogPart =
  | { chunk: Uint8Array; details: Uint8Array | null; range: PositionRange }
  | { records: ReceivedRecord[] };

/** A part of the log, and the fraction of the log up to its start. */
export interface LogRead {
  part: LogPart;
  progress: number;
}

/** An erasure or purge changed the log during a read. The events read so far may include erased ones. */
export class LogChanged extends Error {
  override readonly name = "LogChanged";
}

/** Records per read of the journal; a record may hold thousands of events. */
const PAGE = 64;

/**
 * Reads the log as of the first step, from chunks and journal, part by part. Yields to other work in between. Decode
 * the parts in another thread: a chunk may hold a hundred thousand events.
 * @throws LogChanged if events were erased meanwhile; the reason of the signal if it is aborted
 */
export async function* readLog(store: Store, signal: AbortSignal): AsyncGenerator<LogRead> {
  const end = await store.head(EVENTS_JOURNAL);
  const { epoch } = await readLogState(store);
  let position = 0;
  /** Users and kinds of chunks up to this position are loaded. Later chunks refer to them. */
  let named = 0;

  while (position < end) {
    signal.throwIfAborted();
    const state = await readLogState(store);
    if (state.epoch !== epoch) throw new LogChanged("Events were erased during the read");
    if (state.through > position) {
      const [chunk] = await listChunks(store, named, 1);
      if (!chunk) {
        // The last chunk is damaged and quarantined.
        position = state.through;
        continue;
      }
      const details = (await store.get(detailsKey(chunk)))?.value ?? null;
      const part = { chunk: chunk.bytes, details, range: { after: position, end } };
      named = chunk.through;
      yield { part, progress: Math.min(1, position / end) };
      position = Math.max(position, named);
    } else {
      const records = await store.read(EVENTS_JOURNAL, position, PAGE);
      // Compacted since the state was read: the records may be in a chunk now.
      if ((await readLogState(store)).through > position) continue;
      const last = records.at(-1);
      if (!last) break;
      position = last.position;
      yield { part: { records: records.filter((one) => one.position <= end) }, progress: Math.min(1, position / end) };
    }
    await nextTurn();
  }
  if ((await readLogState(store)).epoch !== epoch) throw new LogChanged("Events were erased during the read");
}
