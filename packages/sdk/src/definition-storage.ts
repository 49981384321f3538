import type { Definitions } from "@assay/core";
import { parseDefinitions } from "./definition-body.ts";

/**
 * The storage of the last good definitions: any unstorage `Storage`, a browser's `localStorage`, or two functions.
 * `getItem` may return the text that was set, or its parsed JSON.
 */
export interface ItemStorage {
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
}

/** Keeps definitions over a restart. Its failures are reported and have no other effect. */
export interface DefinitionStorage {
  /** The last saved value; undefined if it is missing or invalid. Never rejects. */
  load(): Promise<Definitions | undefined>;
  /** Saves the text of an answer, and its ETag, in the background. The last of several saves wins. */
  save(text: string, etag?: string): void;
  /** Resolves once no write is pending. */
  idle(): Promise<void>;
}

/**
 * Creates a definition storage over one item.
 * @param onError receives errors of the storage, and an error for an item without definitions
 */
export function createDefinitionStorage(
  storage: ItemStorage,
  key: string,
  onError: (error: unknown) => void,
): DefinitionStorage {
  let newest: string | undefined;
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    try {
      for (let text = newest; text !== undefined; text = newest) {
        newest = undefined;
        await storage.setItem(key, text);
      }
    } catch (error) {
      onError(error);
    }
  }

  return {
    async load() {
      try {
        const item = await storage.getItem(key);
        return item === null || item === undefined ? undefined : parseDefinitions(item);
      } catch (error) {
        onError(error);
        return undefined;
      }
    },
    save(text) {
      newest = text;
      writing ??= write().finally(() => {
        writing = undefined;
      });
    },
    idle: async () => writing,
  };
}
