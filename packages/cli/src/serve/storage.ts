import { resolve } from "node:path";
import { lmdbStore } from "@assay/lmdb";
import { genericStore, memoryStore } from "@assay/server";
import type { Store } from "@assay/server/store";
import { createStorage } from "unstorage";
import fsDriver from "unstorage/drivers/fs";
import { failure, reasonOf } from "../failure.ts";
import type { StorageChoice } from "./settings.ts";

/**
 * Opens the store of a choice and sees that it answers.
 * @throws {CommandFailure} where the place cannot be written or another live process holds it
 */
export async function openStore(choice: StorageChoice): Promise<Store> {
  try {
    const store = createStore(choice);
    await store.get("probe");
    return store;
  } catch (error) {
    throw failure(`Cannot open ${describeStorage(choice)}: ${reasonOf(error)}`, error);
  }
}

function createStore(choice: StorageChoice): Store {
  if (choice.kind === "memory") return memoryStore();
  const path = resolve(choice.path);
  if (choice.kind === "lmdb") return lmdbStore({ path });
  return genericStore(createStorage({ driver: fsDriver({ base: path }) }));
}

/** A choice in words. */
export function describeStorage(choice: StorageChoice): string {
  return choice.kind === "memory" ? "memory" : `${choice.kind}:${choice.path}`;
}
