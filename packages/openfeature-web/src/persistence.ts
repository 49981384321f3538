import type { Definitions } from "@assay/core";
import type { ItemStorage, KnownDefinitions } from "@assay/core/definitions";

/** Keeps the last good answer of a server over a reload of the page. */
export interface Persistence {
  /** What was saved last for this unit; undefined where that is nothing good. Never rejects. */
  load(): Promise<KnownDefinitions | undefined>;
  /** Saves in the background. */
  save(text: string, etag?: string): void;
}

/**
 * Creates a persistence over one item, which holds the hash of the unit it is for, the ETag and the text of an
 * answer. Whatever the storage throws (no space, no permission) is told and changes nothing else.
 *
 * @param nameOf the item's name
 * @param unitOf what the answer is for; only a hash of it is kept
 */
export function createPersistence(
  storage: ItemStorage,
  nameOf: () => string,
  unitOf: () => string,
  parse: (text: string) => Definitions,
  onError: (error: unknown) => void,
): Persistence {
  const unit = () => hash(unitOf());
  return {
    async load() {
      try {
        const [, kept, etag, text] = /^(.*)\n(.*)\n(.*)$/s.exec(String(await storage.getItem(nameOf()))) ?? [];
        return kept === unit() && text ? { definitions: parse(text), etag: etag || undefined } : undefined;
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
    async save(text, etag = "") {
      try {
        await storage.setItem(nameOf(), `${unit()}\n${etag}\n${text}`);
      } catch (error) {
        onError(error);
      }
    },
  };
}

/** Tells the few contexts of one page apart: FNV-1a of two lanes, 64 bits in all. */
function hash(text: string): string {
  let [left, right] = [0x811c9dc5, 0xc9dc5811];
  for (let index = 0; index < text.length; index++) {
    left = Math.imul(left ^ text.charCodeAt(index), 0x01000193);
    right = Math.imul(right ^ text.charCodeAt(index) ^ (left >>> 16), 0x01000193);
  }
  return `${left >>> 0}.${right >>> 0}`;
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
