import type { Definitions } from "@assay/core";
import { parseDefinitions } from "./definition-body.ts";

/**
 * Where the last good definitions are kept: any unstorage `Storage`, a browser's `localStorage`, or two functions of
 * yours. What `getItem` answers may be the text that was set, or the JSON in it.
 */
export interface ItemStorage {
  getItem(key: string): unknown;
  setItem(key: string, value: string): unknown;
}

/** Keeps definitions over a restart. Its failures are reported and have no other effect. */
export interface DefinitionStorage {
  /** What was saved last; undefined where that is nothing good. Never rejects. */
  load(): Promise<Definitions | undefined>;
  /** Saves the text of an answer, and its ETag, in the background. Of several, the last one stays. */
  save(text: string, etag?: string): void;
  /** Resolves once nothing is being written. */
  idle(): Promise<void>;
}

/**
 * Creates a definition storage over one item.
 * @param onError hears what the storage throws, and of an item that holds no definitions
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
