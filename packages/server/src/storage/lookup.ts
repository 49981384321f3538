import type { Collection, Document } from "./collection.ts";

/** Finds a document by id or by its unique value `key`, as paths name flags and experiments. */
export function findByIdOrKey<T extends Document>(
  documents: Pick<Collection<T>, "get" | "findBy">,
  idOrKey: string,
): T | undefined {
  return documents.get(idOrKey) ?? documents.findBy("key", idOrKey);
}
