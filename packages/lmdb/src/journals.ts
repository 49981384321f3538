import { type JournalRecord, openEntry, openRecord, type Quarantine, sealEntry, sealRecord } from "@assay/server/store";
import type { Environment } from "./environment.ts";
import { STEP_LENGTH, type Sweeper } from "./sweeper.ts";

const POSITION_LENGTH = 6;
const LAST_POSITION = 2 ** 48 - 1;

/** The state of a journal: an entry whose version is the head, with the last trimmed position in it. */
interface JournalState {
  head: number;
  trimmed: number;
}

/** Journals over LMDB; what changes them runs inside a write transaction. */
export interface Journals {
  head(journal: string): number;
  holds(journal: string, position: number): boolean;
  read(journal: string, after: number, limit: number): JournalRecord[];
  put(journal: string, position: number, record: Uint8Array): void;
  setHead(journal: string, head: number): void;
  trim(journal: string, through: number): void;
  /** Moves a damaged record out of the way, if it still is damaged. */
  setAside(journal: string, position: number): void;
}

/** Creates the journals of an environment; `onDamage` is told of each damaged record met while reading. */
export function createJournals(
  { records, heads, quarantine }: Environment,
  sweeper: Sweeper,
  damage: Quarantine,
  onDamage: (journal: string, position: number) => void,
): Journals {
  const lastPosition = (journal: string) => {
    const [key] = records.getKeys({
      start: keyOf(journal, LAST_POSITION),
      end: keyOf(journal, 0),
      reverse: true,
      limit: 1,
    });
    return key ? positionOf(key) : 0;
  };

  const stateOf = (journal: string): JournalState => {
    const sealed = heads.get(journal);
    if (sealed === undefined) return { head: 0, trimmed: 0 };
    const entry = openEntry(journal, sealed);
    if (entry) return { head: entry.version, trimmed: new DataView(entry.value.buffer).getFloat64(0) };
    damage.report(journal, "The head of this journal failed its checksum; its last record counts");
    return { head: lastPosition(journal), trimmed: 0 };
  };
  const setState = (journal: string, { head, trimmed }: JournalState) => {
    const value = new Uint8Array(8);
    new DataView(value.buffer).setFloat64(0, trimmed);
    heads.putSync(journal, Buffer.from(sealEntry(journal, value, head).buffer));
  };

  /** Removes some of the records that are trimmed; answers whether those were the last. */
  const removeTrimmed = (journal: string): boolean => {
    const range = { start: keyOf(journal, 0), end: keyOf(journal, stateOf(journal).trimmed + 1), limit: STEP_LENGTH };
    const keys = [...records.getKeys(range)];
    for (const key of keys) records.removeSync(key);
    return keys.length < STEP_LENGTH;
  };

  return {
    head: (journal) => stateOf(journal).head,
    holds: (journal, position) => position > stateOf(journal).trimmed && records.doesExist(keyOf(journal, position)),
    read(journal, after, limit) {
      const found: JournalRecord[] = [];
      const start = keyOf(journal, Math.max(after, stateOf(journal).trimmed) + 1);
      for (const { key, value } of records.getRange({ start, end: keyOf(journal, LAST_POSITION) })) {
        if (found.length >= limit) break;
        const position = positionOf(key);
        const record = openRecord(position, value);
        if (record) found.push({ position, record });
        else onDamage(journal, position);
      }
      return found;
    },
    put: (journal, position, record) =>
      records.putSync(keyOf(journal, position), Buffer.from(sealRecord(position, record).buffer)),
    setHead: (journal, head) => setState(journal, { ...stateOf(journal), head }),
    trim(journal, through) {
      const state = stateOf(journal);
      if (through <= state.trimmed) return;
      setState(journal, { ...state, trimmed: through });
      // A million records are not removed inside somebody's write.
      if (!removeTrimmed(journal)) sweeper.sweep(`journals/${journal}`, () => () => removeTrimmed(journal));
    },
    setAside(journal, position) {
      const key = keyOf(journal, position);
      const sealed = records.get(key);
      if (sealed === undefined || openRecord(position, sealed)) return;
      quarantine.putSync(`${journal}#${position}`, sealed);
      records.removeSync(key);
    },
  };
}

/** Journal names are ASCII without control characters, so a zero byte ends them. */
function keyOf(journal: string, position: number): Buffer {
  const key = Buffer.allocUnsafe(journal.length + 1 + POSITION_LENGTH);
  key.write(journal, "latin1");
  key[journal.length] = 0;
  key.writeUIntBE(position, journal.length + 1, POSITION_LENGTH);
  return key;
}

function positionOf(key: Buffer): number {
  return key.readUIntBE(key.length - POSITION_LENGTH, POSITION_LENGTH);
}
