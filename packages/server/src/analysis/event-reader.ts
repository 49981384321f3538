import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type DetailRow,
  decodeChunk,
  decodeDetails,
  decodeRecord,
  type EventKind,
  JOIN,
  type KeptEvent,
  toKeptEvent,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { type ChunkEntry, detailsKey, listChunks, readLogState } from "./storage.ts";

/** Some events, in order of receipt. */
export interface EventBatch {
  events: KeptEvent[];
  /** Fraction of the log read so far. */
  progress: number;
}

/** An erasure or purge changed the log during a read. The events read so far may include erased ones. */
export class LogChanged extends Error {
  override readonly name = "LogChanged";
}

const BATCH = 5000;
const PAGE = 256;

/**
 * Reads every event in the log as of the first step, from chunks and journal, a few thousand at a time. Yields to
 * other work in between.
 * @throws LogChanged if events were erased meanwhile; the reason of the signal if it is aborted
 */
export async function* readEvents(store: Store, signal: AbortSignal): AsyncGenerator<EventBatch> {
  const end = await store.head(EVENTS_JOURNAL);
  const { epoch } = await readLogState(store);
  const users: (string | undefined)[] = [];
  const kinds: (EventKind | undefined)[] = [];
  let position = 0;
  /** Users and kinds of chunks up to this position are loaded. Later chunks refer to them. */
  let named = 0;

  while (position < end) {
    const state = await readLogState(store);
    if (state.epoch !== epoch) throw new LogChanged("Events were erased during the read");
    if (state.through > position) {
      const [chunk] = await listChunks(store, named, 1);
      if (!chunk) {
        // The last chunk is damaged and quarantined.
        position = state.through;
        continue;
      }
      const details = await store.get(detailsKey(chunk));
      const batches = chunkEvents(chunk, details?.value ?? null, { users, kinds }, { after: position, end });
      for (const events of batches) {
        signal.throwIfAborted();
        yield { events, progress: Math.min(1, position / end) };
        await nextTurn();
      }
      named = chunk.through;
      position = Math.max(position, named);
      continue;
    }
    const records = await store.read(EVENTS_JOURNAL, position, PAGE);
    // Compacted since the state was read: the records may be in a chunk now.
    if ((await readLogState(store)).through > position) continue;
    const last = records.at(-1);
    if (!last) break;
    signal.throwIfAborted();
    const events = records.filter((one) => one.position <= end).flatMap(({ record }) => recordEvents(record));
    position = last.position;
    yield { events, progress: Math.min(1, position / end) };
    await nextTurn();
  }
  if ((await readLogState(store)).epoch !== epoch) throw new LogChanged("Events were erased during the read");
}

function recordEvents(record: Uint8Array): KeptEvent[] {
  const { at, events } = decodeRecord(record);
  return events.map((event) => ({
    event_id: event.id,
    event_type: event.type,
    user_id: event.userId,
    timestamp: event.time,
    received_at: at,
    experiment_id: event.experimentId,
    variant_id: event.variantKey,
    feature_flag_key: event.flagKey,
    value: event.value,
    forced: event.forced,
    event_metadata: event.metadata,
  }));
}

/** Returns the events of a chunk in a range of positions. Adds the users and kinds of the chunk to the dictionaries. */
function* chunkEvents(
  { bytes }: ChunkEntry,
  details: Uint8Array | null,
  { users, kinds }: { users: (string | undefined)[]; kinds: (EventKind | undefined)[] },
  range: { after: number; end: number },
): Generator<KeptEvent[]> {
  const chunk = decodeChunk(bytes);
  for (const [index, user] of chunk.newUsers.entries()) users[chunk.userBase + index] = user;
  for (const [index, kind] of chunk.newKinds.entries()) kinds[chunk.kindBase + index] = kind;
  // In row order.
  const metadata = details ? decodeDetails(details) : [];
  let next = 0;
  const nextDetail = (position: number, index: number): KeptEvent["event_metadata"] => {
    while (metadata[next] && isBefore(metadata[next]!, position, index)) next++;
    const found = metadata[next];
    return found?.[0] === position && found[1] === index ? found[2] : null;
  };
  let batch: KeptEvent[] = [];
  let row = 0;
  for (let record = 0; record < chunk.counts.length; record++) {
    const position = chunk.positions[record]!;
    const start = row;
    row += chunk.counts[record]!;
    if (position <= range.after || position > range.end) continue;
    for (let index = start; index < row; index++) {
      const kind = kinds[chunk.kinds[index]!];
      const user_id = users[chunk.users[index]!];
      const detail = nextDetail(position, index - start);
      // Kinds and users of some events may have been in a lost chunk.
      if (kind === undefined || user_id === undefined || kind.type === JOIN) continue;
      const event = toKeptEvent(kind, {
        user_id,
        timestamp: chunk.times[index]!,
        received_at: chunk.receivedAt[record]!,
        value: chunk.values[index]!,
      });
      batch.push({ ...event, event_metadata: detail });
      if (batch.length < BATCH) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}

function isBefore([at, place]: DetailRow, position: number, index: number): boolean {
  return at < position || (at === position && place < index);
}
