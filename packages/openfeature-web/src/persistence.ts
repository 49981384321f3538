import type { ItemStorage } from "@assay/sdk";
import type { KnownDefinitions } from "@assay/sdk/internal";

/** Keeps the last good answer of a server across page reloads. */
export interface Persistence<D> {
  /** The last value saved for this unit; undefined if missing or invalid. Never rejects. */
  load(): Promise<KnownDefinitions<D> | undefined>;
  /** Saves in the background. Never rejects. */
  save(text: string, etag?: string): Promise<void>;
}

/**
 * Creates a persistence over one item. It holds the hash of the unit, the ETag and the answer without the addresses of
 * its streams, which are as good as the key. Storage errors (no space, no permission) are reported and have no other
 * effect.
 *
 * @param itemOf the item's name, and what the answer is for, of which only a hash is kept
 */
export function createPersistence<D>(
  storage: ItemStorage,
  itemOf: () => [name: string, unit: string],
  parse: (body: unknown) => D,
  onError: (error: unknown) => void,
): Persistence<D> {
  return {
    async load() {
      try {
        const [name, unit] = itemOf();
        const item = await storage.getItem(name);
        // Some storages return parsed JSON.
        const [kept, etag, body] = (typeof item === "string" ? JSON.parse(item) : item) ?? [];
        if (kept === hash(unit)) return { definitions: parse(body), etag };
      } catch (error) {
        onError(error);
      }
    },
    async save(text, etag = "") {
      try {
        const [name, unit] = itemOf();
        const { eventStreams, ...body } = JSON.parse(text);
        await storage.setItem(name, JSON.stringify([hash(unit), etag, body]));
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** FNV-1a in two lanes with different factors: 64 bits in all distinguish the few contexts of one page. */
function hash(text: string): string {
  const lanes = [0x01000193, 0x9e3779b1].map((factor) => {
    let state = 0x811c9dc5;
    for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), factor);
    return state >>> 0;
  });
  return lanes.join(".");
}

/** The browser's own storage, if available and allowed. */
export function browserStorage(): ItemStorage | undefined {
  try {
    // Some servers have a localStorage too, which is not the visitor's.
    return globalThis.document && globalThis.localStorage;
  } catch {
    return undefined;
  }
}
