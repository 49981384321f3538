import type { Store, StoreEntry } from "./store.ts";

/**
 * All entries whose key starts with a prefix, in byte order of the key, read a page at a time. Concurrent writes and
 * deletions may be visible or not.
 *
 * @param page entries per read: use fewer for large entries
 */
export async function* listAll(store: Pick<Store, "list">, prefix: string, page = 1_000): AsyncGenerator<StoreEntry> {
  for (let after: string | undefined; ; ) {
    const entries = await store.list(prefix, { after, limit: page });
    yield* entries;
    if (entries.length < page) return;
    after = entries.at(-1)!.key;
  }
}
