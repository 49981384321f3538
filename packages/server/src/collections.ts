import { type Area, areas, type Merged } from "./areas.ts";
import type { Collections } from "./storage/collections.ts";

/** Every collection of documents, by kind. */
export type Records = Merged<ReturnType<Area["collections"]>>;

/** Defines the collections of every area. */
export function defineCollections(collections: Collections): Records {
  return Object.assign({}, ...areas.map((area) => area.collections(collections)));
}
