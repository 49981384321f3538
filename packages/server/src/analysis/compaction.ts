import type { Analyst } from "@assay/analysis";
import type { Operation, Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { COMPACTION_LEASE, type LogState, putLogState, putSegment } from "./storage.ts";

const LEASE_MS = 60_000;

/** What a compaction works on. */
export interface CompactionInput {
  store: Store;
  /** Names this process. */
  holder: string;
  analyst: Analyst;
  /** The state the analyst was brought to. */
  state: LogState;
  /** Events of a segment, at least. */
  rows: number;
  trimJournal: boolean;
}

/**
 * Moves the journal's oldest records into segments, as long as they fill one. Each segment appears together with the
 * new state and without its records, or not at all, and only while this node holds the lease and nobody has erased.
 * @returns how many events went into segments
 */
export async function compact(input: CompactionInput): Promise<number> {
  const { store, holder, analyst, rows, trimJournal } = input;
  let { state } = input;
  let compacted = 0;
  const lease = await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
  if (!lease) return 0;
  try {
    for (;;) {
      const cut = await analyst.ask("cut", state.through, rows);
      if (!cut) return compacted;
      const next = { ...state, through: cut.through };
      const trim: Operation[] = trimJournal ? [{ type: "trim", journal: EVENTS_JOURNAL, through: cut.through }] : [];
      const result = await store.batch([
        { type: "fence", lease: COMPACTION_LEASE, token: lease.token },
        putLogState(next),
        ...putSegment(cut),
        ...trim,
      ]);
      if (!result.ok) return compacted;
      compacted += cut.rows;
      state = { ...next, version: result.results[1]! };
      await analyst.ask("compacted", cut.through);
      await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
    }
  } finally {
    await store.release(COMPACTION_LEASE, holder);
  }
}
