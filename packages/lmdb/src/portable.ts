import {
  decodeMember,
  encodeHash,
  encodeMember,
  openEntry,
  openRecord,
  type PortableRow,
  StoreRefused,
  type StoreRow,
  sealEntry,
  sealRecord,
} from "@assay/store";
import { memberKeyOf, memberOf, prefixOf } from "./claims.ts";
import { positionOf, recordKeyOf } from "./set-aside.ts";

/** Converts the rows of LMDB. Heads and states come before records and members. */
export async function* toPortable(rows: AsyncIterable<StoreRow>): AsyncGenerator<PortableRow> {
  const trims = new Map<string, number>();
  const sets = new Map<string, { set: string; floor: number }>();
  for await (const { table, key, value } of rows) {
    const bytes = Buffer.from(key);
    if (table === "entries") {
      yield { type: "entry", ...sound(bytes.toString(), openEntry(bytes.toString(), value)) };
    } else if (table === "heads") {
      const journal = bytes.toString();
      // Journals of LMDB's own.
      if (journal.startsWith("!")) continue;
      const { version, value: state } = sound(`${journal}#head`, openEntry(journal, value));
      const trimmed = viewOf(state).getFloat64(0);
      trims.set(journal, trimmed);
      yield { type: "head", journal, position: version, trimmed };
    } else if (table === "states") {
      const row = stateRow(bytes.toString(), value);
      if (row?.type === "window") sets.set(prefixOf(row.set).toString("latin1"), row);
      if (row) yield row;
    } else if (table === "records") {
      const [journal, position] = [bytes.toString("latin1", 0, bytes.indexOf(0)), positionOf(bytes)];
      if (journal.startsWith("!") || position <= (trims.get(journal) ?? 0)) continue;
      const record = sound(`${journal}#${position}`, openRecord(position, value));
      yield { type: "record", journal, position, record };
    } else if (table === "members") {
      const { prefix, member, generation } = memberOf(bytes, value);
      const { set, floor } = sets.get(prefix.toString("latin1")) ?? {};
      // A damaged generation, and one that is to be swept.
      if (set === undefined || generation === undefined || generation < floor!) continue;
      const encoded = member.text === undefined ? encodeHash(member.hash) : encodeMember(member.text);
      yield { type: "member", set, generation, member: encoded };
    }
  }
}

/** Converts the window of a set, or a lease; null for the copy of a head. */
function stateRow(key: string, sealed: Uint8Array): PortableRow | null {
  const [, kind, name = ""] = /^(claims|leases)\/(.+)$/s.exec(key) ?? [];
  if (kind === undefined) return null;
  const { version, value } = sound(`${key}#state`, openEntry(key, sealed));
  if (kind === "leases") return { type: "lease", name, token: version };
  return { type: "window", set: name, latest: viewOf(value).getFloat64(0), floor: viewOf(value).getFloat64(8) };
}

/** Converts a row to those of LMDB. */
export function fromPortable(row: PortableRow): StoreRow[] {
  switch (row.type) {
    case "entry":
      return [{ table: "entries", key: Buffer.from(row.key), value: sealEntry(row.key, row.value, row.version) }];
    case "head":
      return [
        ["heads", row.journal] as const,
        // The copy of the head.
        ["states", `heads/${row.journal}`] as const,
      ].map(([table, key]) => ({
        table,
        key: Buffer.from(key),
        value: sealEntry(key, doubles(row.trimmed), row.position),
      }));
    case "record":
      return [
        { table: "records", key: recordKeyOf(row.journal, row.position), value: sealRecord(row.position, row.record) },
      ];
    case "lease": {
      const key = `leases/${row.name}`;
      const value = sealEntry(key, Buffer.from(JSON.stringify({ holder: null, expiresAt: 0 })), row.token);
      return [{ table: "states", key: Buffer.from(key), value }];
    }
    case "window": {
      const key = `claims/${row.set}`;
      return [{ table: "states", key: Buffer.from(key), value: sealEntry(key, doubles(row.latest, row.floor), 1) }];
    }
    case "member": {
      const key = memberKeyOf(prefixOf(row.set), decodeMember(row.member));
      return [{ table: "members", key, value: doubles(row.generation) }];
    }
  }
}

function sound<T>(name: string, opened: T | null): T {
  if (opened) return opened;
  throw new StoreRefused(`${name} is damaged; run assay repair before the copy`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function doubles(...numbers: number[]): Uint8Array {
  const bytes = new Uint8Array(8 * numbers.length);
  for (const [index, number] of numbers.entries()) viewOf(bytes).setFloat64(8 * index, number);
  return bytes;
}
