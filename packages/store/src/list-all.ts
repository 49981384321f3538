import type { Store, StoreEntry } from "./store.ts";

/**
 * All entries whose key starts with a prefix, in byte order of the key, read a page at a time. What is written meanwhile
 * may be among them or not; what is deleted meanwhile too.
 *
 * @param page entries read at once: fewer where they are large
 */
export async function* listAll(store: Pick<Store, "list">, prefix: string, page = 1_000): AsyncGenerator<StoreEntry> {
  for (let after: string | undefined; ; ) {
    const entries = await store.list(prefix, { after, limit: page });
    yield* entries;
    if (entries.length < page) return;
    after = entries.at(-1)!.key;
  }
}
