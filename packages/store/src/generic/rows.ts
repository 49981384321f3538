import type { StoreRow } from "../store.ts";
import type { Items } from "./items.ts";

/** The lock and the write-ahead intent belong to the process that has the storage open. */
const OWN = new Set(["lock", "intent"]);
const TABLE = "items";

/** All items but those of the open process, by id. Nothing may be written meanwhile. */
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
