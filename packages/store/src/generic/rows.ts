import type { StoredRecord, StoreRow } from "../store.ts";
import type { Items } from "./items.ts";
import { openLines, openText } from "./text.ts";

/** The items of the process that has the storage open: its lock and its write-ahead intent. */
const OWN = new Set(["lock", "intent"]);
const TABLE = "items";
const CHUNK = /^(journals|sets)\/(.+)\/(\d{16})$/s;

/** What chunks of records hold: journals, and the members of sets. */
export type ChunkKind = "journals" | "sets";

/** Yields all items except those of the open process, by id. Callers prevent writes meanwhile. */
export async function* readRows(items: Items): AsyncGenerator<StoreRow> {
  for (const id of (await items.ids()).sort()) {
    if (OWN.has(id)) continue;
    const text = await items.read(id);
    if (text !== null) yield { table: TABLE, key: Buffer.from(id), value: Buffer.from(text) };
  }
}

/** Writes items of {@link readRows}. */
export async function loadRows(items: Items, rows: StoreRow[]): Promise<void> {
  await Promise.all(
    rows.map(({ key, value }) => items.write(Buffer.from(key).toString(), Buffer.from(value).toString())),
  );
}

/** Returns the names of the journals that have records. */
export async function journalsIn(items: Items): Promise<string[]> {
  const names = (await items.ids()).map((id) => /^journals\/(.+)\/\d+$/.exec(id)?.[1]);
  return [...new Set(names)].filter((name) => name !== undefined).sort();
}

/** A record of a journal, or a member of a set, to put back in its place. */
export interface LostRecord {
  kind: ChunkKind;
  name: string;
  position: number;
  bytes: Uint8Array;
}

/** Returns the record of a row that {@link describeRow} made; null for an item. */
export function lostRecordOf({ table, key, value }: StoreRow): LostRecord | null {
  if (table !== "journals" && table !== "sets") return null;
  const [, name, position] = /^(.*)#(\d+)$/s.exec(Buffer.from(key).toString()) ?? [];
  return name === undefined ? null : { kind: table, name, position: Number(position), bytes: value };
}

/** Describes the row of an entry, a lease, the head of a journal, or the records of a chunk. */
export function describeRow(row: StoreRow): StoredRecord[] {
  const id = Buffer.from(row.key).toString();
  const text = Buffer.from(row.value).toString();
  const chunk = CHUNK.exec(id);
  if (chunk) return describeChunk(chunk[1] as ChunkKind, chunk[2]!, Number(chunk[3]), text);
  const [kind, ...rest] = id.split("/");
  const described = (name: string) => [{ name, row: openText(id, text) ? row : null }];
  if (kind === "entries") return described(rest.join("/"));
  if (kind === "leases") return described(`leases/${rest.join("/")}#state`);
  return kind === "journals-heads" ? described(`${rest.join("/")}#head`) : [];
}

function describeChunk(kind: ChunkKind, journal: string, first: number, text: string): StoredRecord[] {
  return openLines(text, first).lines.map((line, index) => {
    const name = `${journal}#${first + index}`;
    return { name, row: line instanceof Uint8Array ? { table: kind, key: Buffer.from(name), value: line } : null };
  });
}
