import { keyOf, type Operation } from "@assay/store";
import { conflict } from "../errors.ts";
import type { CollectionOptions, Document } from "./document.ts";
import { toBytes } from "./json.ts";

/** The values that no two documents of a collection share: in memory to find by, in the store as entries of their own. */
export interface UniqueIndexes<T> {
  /** The id of the document with a value. */
  find(index: string, value: string): string | undefined;
  /** Follows a document that was replaced. */
  follow(id: string, before: T | null, after: T | null): void;
  /** @throws ApiError 409 where a document has a value that another has */
  requireFree(document: T): void;
  /** What writes the values of a change, and what to say of those that are taken, by place among the operations. */
  operations(before: T | null, after: T | null): { operations: Operation[]; taken: Map<number, string> };
}

/** Creates the indexes of a collection, empty. */
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
