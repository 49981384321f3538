import type { Collection, Document } from "./collection.ts";

/** The document with this id, else the one whose unique value `key` it is: how every path names flags and experiments. */
export function findByIdOrKey<T extends Document>(
  documents: Pick<Collection<T>, "get" | "findBy">,
  idOrKey: string,
): T | undefined {
  return documents.get(idOrKey) ?? documents.findBy("key", idOrKey);
}
