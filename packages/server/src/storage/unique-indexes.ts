import { keyOf, type Operation } from "@assay/store";
import { conflict } from "../ground/errors.ts";
import type { CollectionOptions, Document } from "./document.ts";
import { toBytes } from "./json.ts";

/** Unique values of a collection: in memory for lookups, in the store as separate entries. */
export interface UniqueIndexes<T> {
  /** The id of the document with a value. */
  find(index: string, value: string): string | undefined;
  /** Updates the index after a document was replaced. */
  follow(id: string, before: T | null, after: T | null): void;
  /** @throws ApiError 409 if another document has one of its values */
  requireFree(document: T): void;
  /** The operations that write the values of a change, and the errors for taken values by operation index. */
  operations(before: T | null, after: T | null): { operations: Operation[]; taken: Map<number, string> };
}

/** Creates empty indexes of a collection. */
export function createUniqueIndexes<T extends Document>({ name, unique }: CollectionOptions<T>): UniqueIndexes<T> {
  const uniques = Object.entries(unique ?? {});
  const indexes = new Map(uniques.map(([index]) => [index, new Map<string, string>()]));
  const keyFor = (index: string, value: string) => keyOf(name, "unique", index, value);

  return {
    find: (index, value) => indexes.get(index)?.get(value),
    follow(id, before, after) {
      for (const [name, index] of uniques) {
        const [old, next] = [before && index.of(before), after && index.of(after)];
        const map = indexes.get(name)!;
        if (old !== null && old !== next && map.get(old) === id) map.delete(old);
        if (next !== null) map.set(next, id);
      }
    },
    requireFree(document) {
      for (const [name, index] of uniques) {
        const value = index.of(document);
        if (value !== null && indexes.get(name)!.has(value)) throw conflict(index.taken(document));
      }
    },
    operations(before, after) {
      const operations: Operation[] = [];
      const taken = new Map<number, string>();
      for (const [name, index] of uniques) {
        const [old, next] = [before && index.of(before), after && index.of(after)];
        if (old === next) continue;
        if (old !== null) operations.push({ type: "delete", key: keyFor(name, old) });
        if (next !== null && after) {
          taken.set(operations.length, index.taken(after));
          operations.push({ type: "put", key: keyFor(name, next), value: toBytes(after.id), ifAbsent: "fail" });
        }
      }
      return { operations, taken };
    },
  };
}
