import { type JournalRecord, openEntry, openRecord, type Quarantine, sealEntry, sealRecord } from "@assay/server/store";
import type { Environment } from "./environment.ts";

const POSITION_LENGTH = 6;
const LAST_POSITION = 2 ** 48 - 1;

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

  return {
    head(journal) {
      const sealed = heads.get(journal);
      if (sealed === undefined) return 0;
      const entry = openEntry(journal, sealed);
      if (entry) return entry.version;
      damage.report(journal, "The head of this journal failed its checksum; its last record counts");
      return lastPosition(journal);
    },
    holds: (journal, position) => position > 0 && records.doesExist(keyOf(journal, position)),
    read(journal, after, limit) {
      const found: JournalRecord[] = [];
      for (const { key, value } of records.getRange({
        start: keyOf(journal, after + 1),
        end: keyOf(journal, LAST_POSITION),
      })) {
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
    // A head is an entry without value whose version is the position.
    setHead: (journal, head) => heads.putSync(journal, Buffer.from(sealEntry(journal, new Uint8Array(0), head).buffer)),
    trim(journal, through) {
      const range = { start: keyOf(journal, 0), end: keyOf(journal, through + 1) };
      for (const key of [...records.getKeys(range)]) records.removeSync(key);
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
