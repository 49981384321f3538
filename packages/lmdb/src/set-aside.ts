import {
  MAX_QUARANTINED,
  openEntry,
  openRecord,
  type Quarantine,
  type QuarantinedRecord,
  sealEntry,
} from "@assay/store";
import type { Environment } from "./environment.ts";

/** Moves damaged bytes to the quarantine, so that a replacement can be written. */
export interface SetAside {
  /** Reports an entry, and moves it out of the way in a separate write. */
  entry(key: string): void;
  /** Moves a damaged entry out of the way of a restarted counter, inside a write. */
  counter(key: string): void;
  record(journal: string, position: number): void;
  /** Moves a damaged head out of the way. `mend` writes the replacement. */
  head(journal: string, mend: () => void): void;
  /** Moves the damaged window of a set, or a damaged lease, out of the way. `key` is the key of its state. */
  state(key: string): void;
  /** Returns the current damage. */
  records(): QuarantinedRecord[];
}

/**
 * The name of damage: `journal#position` for a record, `journal#head` for a head, `leases/name#state` for a lease.
 * Journal names have no `#`.
 */
const NAME = /^(.*)#(head|state|\d+)$/;

/** The location of one kind of record, and the check of its bytes. */
interface Place {
  read(): Uint8Array | undefined;
  isSound(bytes: Uint8Array): boolean;
  remove(): void;
}

/** Creates the quarantine of an environment. */
export function createSetAside(environment: Environment, damage: Quarantine, now: () => number): SetAside {
  const { entries, records, heads, states, quarantine, write } = environment;

  function placeOf(name: string): Place {
    const [, of = name, what] = NAME.exec(name) ?? [];
    const sealed = (database: typeof entries): Place => ({
      read: () => database.get(of),
      isSound: (bytes) => openEntry(of, bytes) !== null,
      remove: () => database.remove(of),
    });
    if (what === undefined) return sealed(entries);
    if (what === "head") return sealed(heads);
    if (what === "state") return sealed(states);
    const position = Number(what);
    return {
      read: () => records.get(recordKeyOf(of, position)),
      isSound: (bytes) => openRecord(position, bytes) !== null,
      remove: () => records.remove(recordKeyOf(of, position)),
    };
  }

  function setAside(name: string, reason: string, mend: () => void = () => {}): void {
    damage.report(name, reason);
    write(() => move(name) && mend()).catch(() => {});
  }

  /** Moves damage out of the way, inside a write. Returns whether there was anything to move. */
  function move(name: string): boolean {
    const { read, isSound, remove } = placeOf(name);
    const bytes = read()?.slice();
    // Another process may have moved it already.
    if (bytes === undefined || isSound(bytes)) return false;
    quarantine.put(name, sealEntry(name, bytes, now()));
    remove();
    return true;
  }

  function* kept(): Generator<QuarantinedRecord> {
    for (const { key, value } of quarantine.entries({ limit: MAX_QUARANTINED })) {
      // Earlier versions stored the bytes alone.
      const at = openEntry(key, value)?.version ?? 0;
      yield { key, reason: "Its checksum failed, and it was set aside", at };
    }
  }

  return {
    entry: (key) => setAside(key, "This entry failed its checksum"),
    counter: (key) => {
      if (move(key)) damage.restarted(key);
    },
    record: (journal, position) => setAside(`${journal}#${position}`, "This journal record failed its checksum"),
    head: (journal, mend) => setAside(`${journal}#head`, "The head of this journal failed its checksum", mend),
    state: (key) => setAside(`${key}#state`, "This lease or window of a set failed its checksum"),
    records: () =>
      damage.records({
        kept: kept(),
        stateOf(name) {
          const { read, isSound } = placeOf(name);
          const bytes = read();
          return bytes === undefined ? "MISSING" : isSound(bytes) ? "GOOD" : "DAMAGED";
        },
      }),
  };
}

const POSITION_LENGTH = 6;

/**
 * Returns the key of a journal record. A zero byte ends the name of the journal, which is ASCII without control
 * characters.
 */
export function recordKeyOf(journal: string, position: number): Buffer {
  const key = Buffer.allocUnsafe(journal.length + 1 + POSITION_LENGTH);
  key.write(journal, "latin1");
  key[journal.length] = 0;
  key.writeUIntBE(position, journal.length + 1, POSITION_LENGTH);
  return key;
}

/** Returns the position in the key of a journal record. */
export function positionOf(key: Buffer): number {
  return key.readUIntBE(key.length - POSITION_LENGTH, POSITION_LENGTH);
}
