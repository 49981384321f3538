import type { Items } from "./items.ts";
import { openText, sealText } from "./text.ts";

/** What items become: their text, or null where they go. */
export type ItemWrites = Map<string, string | null>;

const INTENT = "intent";

/** Writes several items as one: the intent first, in one item, then each; a crash between is made up for on opening. */
export interface WriteAhead {
  /** Writes all or, where it rejects, either all or none: which, the next `settle` decides. */
  commit(writes: ItemWrites): Promise<void>;
  /** Finishes what an earlier commit could not; to be called before anything is read or written. */
  settle(): Promise<void>;
  /** Forgets the last intent, all of which is written. */
  close(): Promise<void>;
}

/** Opens the write-ahead intent of a storage and does what it says; a torn one was never acknowledged and is dropped. */
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
      // Whether an intent that could not be written is there all the same is unknown; it must not come true later.
      unfinished = () => items.remove(INTENT);
      const bytes = new TextEncoder().encode(JSON.stringify([...writes]));
      await items.write(INTENT, sealText(INTENT, 0, bytes));
      // From here on it has happened: what cannot be written now is written later.
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
