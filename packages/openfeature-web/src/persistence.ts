import type { ItemStorage, KnownDefinitions } from "@assay/core/definitions";

/** Keeps the last good answer of a server over a reload of the page. */
export interface Persistence<D> {
  /** What was saved last for this unit; undefined where that is nothing good. Never rejects. */
  load(): Promise<KnownDefinitions<D> | undefined>;
  /** Saves in the background. Never rejects. */
  save(text: string, etag?: string): Promise<void>;
}

/**
 * Creates a persistence over one item, which holds the hash of the unit it is for, the ETag and the text of an
 * answer. Whatever the storage throws (no space, no permission) is told and changes nothing else.
 *
 * @param nameOf the item's name
 * @param unitOf what the answer is for; only a hash of it is kept
 */
export function createPersistence<D>(
  storage: ItemStorage,
  nameOf: () => string,
  unitOf: () => string,
  parse: (text: string) => D,
  onError: (error: unknown) => void,
): Persistence<D> {
  const unit = () => `${hash(unitOf(), 0x01000193)}.${hash(unitOf(), 0x9e3779b1)}`;
  return {
    async load() {
      try {
        const [, kept, etag, text] = /^(.*)\n(.*)\n(.+)$/s.exec(String(await storage.getItem(nameOf()))) ?? [];
        if (kept === unit()) return { definitions: parse(text!), etag: etag || undefined };
      } catch (error) {
        onError(error);
      }
    },
    async save(text, etag = "") {
      try {
        await storage.setItem(nameOf(), [unit(), etag, text].join("\n"));
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** FNV-1a with a factor of one's own; two of them tell the few contexts of one page apart, by 64 bits in all. */
function hash(text: string, factor: number): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), factor);
  return state >>> 0;
}

/** The browser's own storage, where there is one and it may be used. */
export function browserStorage(): ItemStorage | undefined {
  try {
    // Some servers have a localStorage too, which is not the visitor's.
    return globalThis.document && globalThis.localStorage;
  } catch {
    return undefined;
  }
}
