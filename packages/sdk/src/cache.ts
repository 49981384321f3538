/**
 * A storage for the last good response: an unstorage `Storage`, the browser's `localStorage`, or an object with these
 * methods. `getItem` may return the stored text or its parsed JSON.
 */
export interface ItemStorage {
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
}

/** Definitions from an earlier response. */
export interface CacheEntry<D> {
  definitions: D;
  etag?: string | null | undefined;
}

/** Stores the last good response for the next start. Errors of the storage are reported and otherwise ignored. */
export interface Cache<D> {
  /** Returns the last saved response for the current unit; undefined if it is missing or invalid. Never rejects. */
  load(): Promise<CacheEntry<D> | undefined>;
  /** Saves a response body, which must be JSON, in the background. If saves overlap, the last one counts. */
  save(body: string, etag: string | null | undefined): void;
  /** Resolves once no write is pending. */
  idle(): Promise<void>;
}

/**
 * Creates a cache over one item of a storage: `[unit, etag, body]` as JSON.
 *
 * @param toItem the item's key, and what the response is for; a response for another unit is not loaded
 * @param onError receives errors of the storage, and an error for an item of another kind
 */
export function createCache<D>(
  storage: ItemStorage,
  toItem: () => [key: string, unit: string],
  parse: (body: unknown) => D,
  onError: (error: unknown) => void,
): Cache<D> {
  let next: [key: string, value: string] | undefined;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (next) {
      const item = next;
      next = undefined;
      try {
        await storage.setItem(...item);
      } catch (error) {
        onError(error);
      }
    }
  }

  return {
    async load() {
      try {
        const [key, unit] = toItem();
        const item = await storage.getItem(key);
        if (item === undefined || item === null) return;
        const [savedUnit = unit, etag, body] = typeof item === "string" ? JSON.parse(item) : item;
        // A response for another unit is not an error.
        if (savedUnit === unit) return { definitions: parse(body), etag };
      } catch (error) {
        onError(error);
      }
    },
    save(body, etag) {
      const [key, unit] = toItem();
      // The body is not parsed again: it may have several megabytes.
      next = [key, `[${JSON.stringify([unit, etag]).slice(1, -1)},${body}]`];
      writing ??= write().finally(() => {
        writing = undefined;
      });
    },
    idle: async () => writing,
  };
}
