import { memoryStore, type Store } from "@assay/store";

/** A store in memory for several servers at once: it survives their closing, and they follow each other's changes. */
export function sharedStore(now?: () => number): Store {
  const store = memoryStore(now ? { now } : {});
  return { ...store, capabilities: { ...store.capabilities, multiProcess: true }, async close() {} };
}
