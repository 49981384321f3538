/** Keys in byte order; keys made by `keyOf` are ASCII, for which JavaScript's own order of strings is byte order. */
export interface SortedKeys {
  add(key: string): void;
  remove(key: string): void;
  has(key: string): boolean;
  /** Keys that start with `prefix` and come after `after`, at most `limit`. */
  range(prefix: string, after?: string, limit?: number): string[];
}

/** The most keys that wait: to sort more would take long. */
const MAX_WAITING = 10_000;

/**
 * Creates an ordered set of keys in an array. Keys that are added wait for the next question for a range and then move in
 * together: thousands of them, each moving the tail of a long array, would take a second.
 */
export function createSortedKeys(initial: Iterable<string> = []): SortedKeys {
  const keys = [...new Set(initial)].sort();
  /** The first index whose key is not below this one. */
  const indexOf = (key: string): number => {
    let low = 0;
    let high = keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (keys[middle]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const waiting = new Set<string>();

  /** Merges from the end, so that nothing moves more than once, and nothing below the first new key. */
  function settle(): void {
    if (waiting.size === 0) return;
    const added = [...waiting].sort();
    waiting.clear();
    let from = keys.length - 1;
    for (const key of added) keys.push(key);
    let next = added.length - 1;
    for (let to = keys.length - 1; next >= 0; to--) {
      keys[to] = from >= 0 && keys[from]! > added[next]! ? keys[from--]! : added[next--]!;
    }
  }

  const isSettled = (key: string) => keys[indexOf(key)] === key;

  return {
    add(key) {
      if (!isSettled(key) && waiting.add(key).size >= MAX_WAITING) settle();
    },
    remove(key) {
      if (waiting.delete(key)) return;
      const index = indexOf(key);
      if (keys[index] === key) keys.splice(index, 1);
    },
    has: (key) => waiting.has(key) || isSettled(key),
    range(prefix, after, limit = Number.POSITIVE_INFINITY) {
      settle();
      let index = indexOf(after !== undefined && after > prefix ? after : prefix);
      if (keys[index] === after) index++;
      const found: string[] = [];
      while (found.length < limit && keys[index]?.startsWith(prefix)) found.push(keys[index++]!);
      return found;
    },
  };
}
