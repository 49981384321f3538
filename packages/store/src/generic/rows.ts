import type { StoreRow } from "../store.ts";
import type { Items } from "./items.ts";
import { openText } from "./text.ts";

/** The items of the process that has the storage open: its lock and its write-ahead intent. */
const OWN = new Set(["lock", "intent"]);
const TABLE = "items";

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

/**
 * Describes the row of an entry, a lease or the head of a journal; null for chunks of records, which are not reported
 * as a whole.
 */
export function describeRow({ key, value }: StoreRow): { name: string; isSound: boolean } | null {
  const id = Buffer.from(key).toString();
  const [kind, ...rest] = id.split("/");
  const name = rest.join("/");
  const isSound = openText(id, Buffer.from(value).toString()) !== null;
  if (kind === "entries") return { name, isSound };
  if (kind === "leases") return { name: `leases/${name}#state`, isSound };
  return kind === "journals-heads" ? { name: `${name}#head`, isSound } : null;
}
