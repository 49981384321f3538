import type { Items } from "./items.ts";
import { openText, sealText } from "./text.ts";

/** New contents of items: their text, or null for removal. */
export type ItemWrites = Map<string, string | null>;

const INTENT = "intent";

/**
 * Writes several items atomically. It first writes the intent in one item, then each item. Opening completes the writes
 * after a crash.
 */
export interface WriteAhead {
  /** Writes all items. If it rejects, either all or none are written: the next `settle` decides. */
  commit(writes: ItemWrites): Promise<void>;
  /** Completes earlier commits that failed. Call it before any read or write. */
  settle(): Promise<void>;
  /** Removes the last intent, whose writes are all done. */
  close(): Promise<void>;
}

/** Opens the write-ahead intent of a storage and applies it. A torn intent was never acknowledged, so it is dropped. */
export async function openWriteAhead(items: Items): Promise<WriteAhead> {
  const apply = async (writes: ItemWrites) => {
    await Promise.all([...writes].map(([id, text]) => (text === null ? items.remove(id) : items.write(id, text))));
  };
  let unfinished: (() => Promise<void>) | null = null;
  const settle = async () => {
    await unfinished?.();
    unfinished = null;
  };

  const text = await items.read(INTENT);
  const intent = text === null ? null : openText(INTENT, text);
  if (intent) await apply(new Map(JSON.parse(new TextDecoder().decode(intent.bytes))));

  return {
    async commit(writes) {
      await settle();
      // A failed write of the intent may still have reached the storage; it must not be applied later.
      unfinished = () => items.remove(INTENT);
      const bytes = new TextEncoder().encode(JSON.stringify([...writes]));
      await items.write(INTENT, sealText(INTENT, 0, bytes));
      // From here on the commit has happened. Failed writes are retried later.
      unfinished = () => apply(writes);
      await settle();
    },
    settle,
    async close() {
      await settle();
      await items.remove(INTENT);
    },
  };
}
