import type { Reader } from "@assay/analysis";
import type { Operation, Store } from "@assay/store";
import { EVENTS_JOURNAL } from "../events/journal.ts";
import { takeLease } from "./lease.ts";
import { COMPACTION_LEASE, type LogState, putChunk, putLogState } from "./storage.ts";

const LEASE_MS = 60_000;

/** The input of a compaction. */
export interface CompactionInput {
  store: Store;
  /** Id of this process. */
  holder: string;
  reader: Reader;
  /** The state that the reader has loaded. */
  state: LogState;
  /** Minimum number of events per chunk. */
  rows: number;
  trimJournal: boolean;
  /** Position of the last record that the copy in an engine has; null without a copy. Later records stay in the journal. */
  copied: number | null;
}

/**
 * Moves the oldest journal records into chunks while they fill one. Writes each chunk, the new state and the
 * removal of its records atomically, only while this node holds the lease and no erasure has happened.
 * @returns how many events went into chunks
 */
export async function compact(input: CompactionInput): Promise<number> {
  const { store, holder, reader, rows, trimJournal, copied } = input;
  let { state } = input;
  let compacted = 0;
  const lease = await takeLease(store, holder, LEASE_MS, copied !== null);
  if (!lease) return 0;
  try {
    for (;;) {
      const cut = await reader.ask("cut", state.through, rows);
      if (!cut || (copied !== null && cut.through > copied)) return compacted;
      const next = { ...state, through: cut.through };
      const trim: Operation[] = trimJournal ? [{ type: "trim", journal: EVENTS_JOURNAL, through: cut.through }] : [];
      const result = await store.batch([
        { type: "fence", lease: COMPACTION_LEASE, token: lease.token },
        putLogState(next),
        ...putChunk(cut),
        ...trim,
      ]);
      if (!result.ok) return compacted;
      compacted += cut.rows;
      state = { ...next, version: result.results[1]! };
      await store.lease(COMPACTION_LEASE, holder, LEASE_MS);
    }
  } finally {
    await store.release(COMPACTION_LEASE, holder);
  }
}
