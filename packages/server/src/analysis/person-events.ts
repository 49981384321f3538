import { decodeRecord, keptEventsOf, type PersonCursor, type PersonEvent } from "@assay/analysis";
import type { JournalRecord, Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { createSlices } from "../ground/slices.ts";
import type { Analysis } from "./analysis.ts";
import { readChunks } from "./read-log.ts";
import { readLogState } from "./storage.ts";

const PAGE = 64;

/** Finds up to `limit` events of a person from a cursor on, oldest receipt first, in chunks and journal. */
export async function findPersonEvents(
  store: Store,
  analysis: Analysis,
  ids: readonly string[],
  limit: number,
  from?: PersonCursor,
): Promise<PersonEvent[]> {
  for (;;) {
    const found = await analysis.withReader(async (reader, state, { sealed }) => {
      const events: PersonEvent[] = [];
      await readChunks(store, await reader.ask("chunksOf", ids, from), async (bytes) => {
        events.push(...(await reader.ask("find", ids, limit - events.length, from, bytes)));
        return events.length < limit;
      });
      await addFromJournal(store, new Set(ids), limit, from, sealed, events);
      // Another node may have moved records to chunks in the meantime, or erased some.
      return (await readLogState(store)).version === state.version ? events : null;
    });
    if (found) return found;
  }
}

/** Adds the events of the records after the chunks, up to a number of events in all. */
async function addFromJournal(
  store: Store,
  ids: ReadonlySet<string>,
  limit: number,
  from: PersonCursor | undefined,
  sealed: number,
  events: PersonEvent[],
): Promise<void> {
  const slices = createSlices();
  for (let after = Math.max(sealed, (from?.position ?? 0) - 1); events.length < limit; ) {
    const records = await store.read(EVENTS_JOURNAL, after, PAGE);
    const last = records.at(-1);
    if (!last) return;
    after = last.position;
    for (const record of records) {
      if (slices.isOver()) await slices.next();
      const taken = record.position === from?.position ? from.taken : 0;
      events.push(...eventsOf(record, ids).slice(taken, taken + limit - events.length));
    }
  }
}

function eventsOf({ position, record }: JournalRecord, ids: ReadonlySet<string>): PersonEvent[] {
  const decoded = decodeRecord(record);
  // In a chunk, the joins of a record come first.
  const first = decoded.joins.length;
  return keptEventsOf(decoded).flatMap((event, index) =>
    ids.has(event.user_id) ? { ...event, position, index: first + index } : [],
  );
}
