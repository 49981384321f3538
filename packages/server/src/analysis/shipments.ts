import {
  createRecordDecoder,
  decodeRecord,
  type EngineBatch,
  type EngineProgress,
  type Gap,
  type PlacedRecord,
  type RecordDecoder,
} from "@assay/analysis";
import type { Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { createRecordPages } from "./record-pages.ts";
import { detailsKey, listChunks, readLogState } from "./storage.ts";

/** Reads what is not in the copy yet, from chunks and journal. */
export interface Shipments {
  /** Returns the batch after a position; null if there is nothing after it. Call it under the lease. */
  next(after: EngineProgress): Promise<EngineBatch | null>;
}

/** The last chunk that was read. */
interface ChunksRead {
  decoder: RecordDecoder;
  records: readonly PlacedRecord[];
  /** The chunk has the records after the first position, up to the other one. */
  after: number;
  through: number;
  epoch: number;
}

const MAX_RECORDS = 20_000;
/** Events in a batch of a chunk, which has about 131,000. */
const MAX_EVENTS = 20_000;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Creates the reader of a store. */
export function createShipments(store: Store): Shipments {
  const pages = createRecordPages(BATCH_BYTES, MAX_RECORDS);
  /** Where chunks are read. They name users and kinds that later ones use, so that a copy reads all of them once. */
  let chunks: ChunksRead | null = null;

  async function fromChunks(after: EngineProgress, epoch: number, end: number): Promise<EngineBatch> {
    // An earlier position than before is that of a copy that was emptied.
    if (chunks?.epoch !== epoch || after.position < chunks.after) {
      chunks = { decoder: createRecordDecoder(), records: [], after: 0, through: 0, epoch };
    }
    while (chunks.through <= after.position) {
      const [chunk] = await listChunks(store, chunks.through, 1);
      // The last chunk is damaged and quarantined.
      if (!chunk) return toBatch(after, [], end);
      const details = (await store.get(detailsKey(chunk)))?.value ?? null;
      const records = chunks.decoder.records(new Uint8Array(chunk.bytes), details && new Uint8Array(details));
      Object.assign(chunks, { records, after: chunks.through, through: chunk.through });
    }
    // The same records come again if the engine did not take them.
    const fresh = chunks.records.filter(({ position }) => position > after.position);
    const some = firstOf(fresh, MAX_EVENTS);
    return toBatch(after, some, some.length < fresh.length ? some.at(-1)!.position : chunks.through);
  }

  return {
    async next(after) {
      const head = await store.head(EVENTS_JOURNAL);
      const { through, epoch } = await readLogState(store);
      if (through > after.position) return fromChunks(after, epoch, through);
      chunks = null;
      if (after.position >= head) return null;
      const found = await store.read(EVENTS_JOURNAL, after.position, pages.limit);
      const last = found.at(-1);
      // The last records are damaged and quarantined.
      if (!last) return toBatch(after, [], head);
      pages.adapt(found);
      const records = found.map(({ position, record }) => ({ position, record: decodeRecord(record) }));
      return toBatch(after, records, last.position);
    },
  };
}

/** Returns the first records, at least one, with at most so many events. */
function firstOf(records: readonly PlacedRecord[], events: number): readonly PlacedRecord[] {
  let count = 0;
  for (const [index, { record }] of records.entries()) {
    count += record.events.length + record.joins.length;
    if (count > events && index > 0) return records.slice(0, index);
  }
  return records;
}

/** Notes the gaps between records: erasures keep positions, so that only lost records leave one. */
function toBatch(after: EngineProgress, records: readonly PlacedRecord[], through: number): EngineBatch {
  let { position: last, receivedAt } = after;
  const gaps: Gap[] = [];
  for (const { position, record } of records) {
    if (position > last + 1) gaps.push({ after: receivedAt, before: record.at });
    last = position;
    receivedAt = record.at;
  }
  if (through > last) gaps.push({ after: receivedAt, before: null });
  return { records, reached: { position: through, receivedAt, gaps } };
}
