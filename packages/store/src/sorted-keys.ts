/** Keys in byte order. Keys made by `keyOf` are ASCII, so JavaScript's order of strings is their byte order. */
export interface SortedKeys {
  add(key: string): void;
  remove(key: string): void;
  has(key: string): boolean;
  /** Returns at most `limit` keys that start with `prefix` and come after `after`. */
  range(prefix: string, after?: string, limit?: number): string[];
}

/** The maximum number of keys that wait: sorting more would take long. */
const MAX_WAITING = 10_000;

/**
 * Creates an ordered set of keys in an array. Added keys wait until the next call of `range` and then move in together.
 * One by one, each would move the tail of a long array, and thousands of them would take a second.
 */
export function createSortedKeys(initial: Iterable<string> = []): SortedKeys {
  const keys = [...new Set(initial)].sort();
  /** Returns the first index whose key is not below this one. */
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

  /**
   * Merges the waiting keys from the end, so that each key moves at most once, and no key below the first new one
   * moves.
   */
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
