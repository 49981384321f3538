import type { Store, StoreEntry } from "./store.ts";

/**
 * Yields all entries whose key starts with a prefix, in byte order of the key. It reads a page at a time, so concurrent
 * writes and deletions may be visible or not.
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
