import { setImmediate } from "node:timers/promises";
import { exactBytes, openEntry, openRecord, type StoredRecord, type StoreRow } from "@assay/store";
import type { Database } from "lmdb";
import type { Databases } from "./databases.ts";
import { positionOf } from "./set-aside.ts";
import { toFailure } from "./table.ts";

type Name = Exclude<keyof Databases, "root">;
type AnyDatabase = Database<Buffer, string | Buffer>;

const BY_TEXT: ReadonlySet<string> = new Set<Name>(["entries", "heads", "states", "quarantine"]);
const NAMES: readonly Name[] = ["entries", "heads", "states", "quarantine", "records", "members", "items"];
/** The number of rows to read in one turn of the event loop. */
const STEP_LENGTH = 500;

/**
 * Yields every value, as of one commit. LMDB keeps the pages of that commit until the last row is read, so its file may
 * grow.
 * @throws {LmdbFailure} if LMDB fails
 */
export async function* readRows(databases: Databases): AsyncGenerator<StoreRow> {
  databases.root.resetReadTxn();
  const transaction = databases.root.useReadTransaction();
  try {
    let left = STEP_LENGTH;
    for (const table of NAMES) {
      const database = databases[table] as AnyDatabase;
      for (const { key, value } of database.getRange({ transaction })) {
        yield { table, key: Buffer.from(key), value: Buffer.from(exactBytes(value)) };
        if (--left > 0) continue;
        await setImmediate();
        left = STEP_LENGTH;
      }
    }
  } catch (cause) {
    throw toFailure(cause);
  } finally {
    transaction.done();
  }
}

/**
 * Writes rows inside a write transaction.
 * @throws {LmdbFailure} if LMDB fails
 */
export function loadRows(databases: Databases, rows: StoreRow[]): void {
  try {
    for (const { table, key, value } of rows) {
      const database = databases[table as Name] as AnyDatabase;
      const bytes = Buffer.from(key);
      database.putSync(BY_TEXT.has(table) ? bytes.toString() : bytes, Buffer.from(value));
    }
  } catch (cause) {
    throw toFailure(cause);
  }
}

/** Describes the row of an entry, a head, a lease, a window or a journal record. Other rows have no names. */
export function describeRow(row: StoreRow): StoredRecord[] {
  const { table, key, value } = row;
  const bytes = Buffer.from(key);
  const described = (name: string, isSound: boolean) => [{ name, row: isSound ? row : null }];
  if (table === "records") {
    const [journal, position] = [bytes.toString("latin1", 0, bytes.indexOf(0)), positionOf(bytes)];
    return described(`${journal}#${position}`, openRecord(position, value) !== null);
  }
  const suffix = { entries: "", heads: "#head", states: "#state" }[table];
  if (suffix === undefined) return [];
  const name = bytes.toString();
  return described(`${name}${suffix}`, openEntry(name, value) !== null);
}
