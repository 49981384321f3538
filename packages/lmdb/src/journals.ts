import { type JournalRecord, openEntry, openRecord, sealEntry, sealRecord } from "@assay/store";
import type { Environment } from "./environment.ts";
import { recordKeyOf as keyOf, positionOf, type SetAside } from "./set-aside.ts";
import { STEP_LENGTH, type Sweeper } from "./sweeper.ts";

const LAST_POSITION = 2 ** 48 - 1;

/** The state of a journal: an entry whose version is the head and whose value is the last trimmed position. */
interface JournalState {
  head: number;
  trimmed: number;
}

/** The journals in LMDB. Changes run inside a write transaction. */
export interface Journals {
  head(journal: string): number;
  holds(journal: string, position: number): boolean;
  read(journal: string, after: number, limit: number): JournalRecord[];
  put(journal: string, position: number, record: Uint8Array): void;
  setHead(journal: string, head: number): void;
  trim(journal: string, through: number): void;
}

/** Creates the journals of an environment. */
export function createJournals(
  { records, heads, states }: Environment,
  sweeper: Sweeper,
  setAside: SetAside,
): Journals {
  const lastPosition = (journal: string) => {
    const [key] = records.keys({
      start: keyOf(journal, LAST_POSITION),
      end: keyOf(journal, 0),
      reverse: true,
      limit: 1,
    });
    return key ? positionOf(key) : 0;
  };

  const stateIn = (key: string, sealed: Uint8Array | undefined): JournalState | null => {
    const entry = sealed === undefined ? null : openEntry(key, sealed);
    return entry && { head: entry.version, trimmed: new DataView(entry.value.buffer).getFloat64(0) };
  };
  const stateOf = (journal: string): JournalState => {
    const sealed = heads.get(journal);
    if (sealed === undefined) return { head: 0, trimmed: 0 };
    const state = stateIn(journal, sealed);
    if (state) return state;
    const copy = copyOf(journal);
    // If a journal has no copy of its head (older versions), the last record counts. A fully trimmed one restarts.
    const stored = stateIn(copy, states.get(copy)) ?? { head: lastPosition(journal), trimmed: 0 };
    setAside.head(journal, () => setState(journal, stored));
    return stored;
  };
  /** Stores the state in two databases. Losing the head would reuse positions that chunks and cursors know. */
  const setState = (journal: string, { head, trimmed }: JournalState) => {
    const value = new Uint8Array(8);
    new DataView(value.buffer).setFloat64(0, trimmed);
    const copy = copyOf(journal);
    heads.put(journal, sealEntry(journal, value, head));
    states.put(copy, sealEntry(copy, value, head));
  };

  /** Removes some of the trimmed records, and returns whether those were the last. */
  const removeTrimmed = (journal: string): boolean => {
    const range = { start: keyOf(journal, 0), end: keyOf(journal, stateOf(journal).trimmed + 1), limit: STEP_LENGTH };
    const keys = [...records.keys(range)];
    for (const key of keys) records.remove(key);
    return keys.length < STEP_LENGTH;
  };

  return {
    head: (journal) => stateOf(journal).head,
    holds: (journal, position) => position > stateOf(journal).trimmed && records.has(keyOf(journal, position)),
    read(journal, after, limit) {
      const found: JournalRecord[] = [];
      const start = keyOf(journal, Math.max(after, stateOf(journal).trimmed) + 1);
      for (const { key, value } of records.entries({ start, end: keyOf(journal, LAST_POSITION) })) {
        if (found.length >= limit) break;
        const position = positionOf(key);
        const record = openRecord(position, value);
        if (record) found.push({ position, record });
        else setAside.record(journal, position);
      }
      return found;
    },
    put: (journal, position, record) => records.put(keyOf(journal, position), sealRecord(position, record)),
    setHead: (journal, head) => setState(journal, { ...stateOf(journal), head }),
    trim(journal, through) {
      const state = stateOf(journal);
      if (through <= state.trimmed) return;
      setState(journal, { ...state, trimmed: through });
      // Removing a million records would take too long within the write of a caller.
      if (!removeTrimmed(journal)) sweeper.sweep(`journals/${journal}`, () => () => removeTrimmed(journal));
    },
  };
}

function copyOf(journal: string): string {
  return `heads/${journal}`;
}
