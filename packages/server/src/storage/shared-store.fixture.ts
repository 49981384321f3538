import { memoryStore, type Store } from "@assay/store";

/** Creates an in-memory store for several servers at once. It outlives them, and they follow each other's changes. */
export function sharedStore(now?: () => number): Store {
  const store = memoryStore(now ? { now } : {});
  return { ...store, capabilities: { ...store.capabilities, multiProcess: true }, async close() {} };
}
