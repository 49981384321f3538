import type { EventRecord } from "@assay/analysis";
import type { Store } from "@assay/store";
import type { Analysis } from "./analysis.ts";
import { removeEvents } from "./rewrite.ts";

/**
 * Erases every event of a user from chunks and journal. Later results do not contain them.
 * @param keys entries to delete with the last step
 * @returns how many events were erased
 * @throws ApiError 503 while chunks are written elsewhere
 */
export async function eraseEvents(
  store: Store,
  analysis: Analysis,
  holder: string,
  ids: readonly string[],
  keys: readonly string[],
): Promise<number> {
  const erased = new Set(ids);
  return removeEvents(
    store,
    analysis,
    holder,
    {
      strip: (reader, chunk, details) => reader.ask("strip", ids, chunk, details),
      without: (_reader, record) => withoutIds(record, erased),
      fromCopy: (copy) => copy.erase(ids),
    },
    keys,
  );
}

/** Returns the record without some ids, or null if it contains none of them. */
function withoutIds(record: EventRecord, ids: Set<string>): EventRecord | null {
  const events = record.events.filter((event) => !ids.has(event.userId));
  const joins = record.joins.filter((join) => !ids.has(join.userId) && !ids.has(join.unitId));
  const same = events.length === record.events.length && joins.length === record.joins.length;
  return same ? null : { ...record, events, joins };
}
