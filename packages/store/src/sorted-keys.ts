/** Keys in byte order; keys made by `keyOf` are ASCII, for which JavaScript's own order of strings is byte order. */
export interface SortedKeys {
  add(key: string): void;
  remove(key: string): void;
  has(key: string): boolean;
  /** Keys that start with `prefix` and come after `after`, at most `limit`. */
  range(prefix: string, after?: string, limit?: number): string[];
}

/** Creates an ordered set of keys; insertion moves the tail of an array, which is fast far beyond 100,000 keys. */
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
  return {
    add(key) {
      const index = indexOf(key);
      if (keys[index] !== key) keys.splice(index, 0, key);
    },
    remove(key) {
      const index = indexOf(key);
      if (keys[index] === key) keys.splice(index, 1);
    },
    has: (key) => keys[indexOf(key)] === key,
    range(prefix, after, limit = Number.POSITIVE_INFINITY) {
      let index = indexOf(after !== undefined && after > prefix ? after : prefix);
      if (keys[index] === after) index++;
      const found: string[] = [];
      while (found.length < limit && keys[index]?.startsWith(prefix)) found.push(keys[index++]!);
      return found;
    },
  };
}
