import { type Definitions, fingerprint } from "@assay/core";
import type { ItemStorage, KnownDefinitions } from "@assay/core/definitions";

/** Keeps the last good answer of a server over a reload of the page. */
export interface Persistence {
  /** What was saved last for this unit; undefined where that is nothing good. Never rejects. */
  load(): Promise<KnownDefinitions | undefined>;
  /** Saves in the background. */
  save(text: string, etag?: string): void;
}

/**
 * Creates a persistence over one item, which holds the fingerprint of the unit it is for, the ETag and the text of an
 * answer. Whatever the storage throws (no space, no permission) is told and changes nothing else.
 *
 * @param nameOf the item's name
 * @param unitOf what the answer is for; it is kept as a fingerprint only
 */
export function createPersistence(
  storage: ItemStorage,
  nameOf: () => string,
  unitOf: () => string,
  parse: (text: string) => Definitions,
  onError: (error: unknown) => void,
): Persistence {
  const unit = () => fingerprint(unitOf(), nameOf());
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

/** The browser's own storage, where there is one and it may be used. */
export function browserStorage(): ItemStorage | undefined {
  try {
    // Some servers have a localStorage too, which is not the visitor's.
    return globalThis.document && globalThis.localStorage;
  } catch {
    return undefined;
  }
}
