import { memoryStore } from "./memory-store.ts";
import type { Store } from "./store.ts";

/** A store in memory for several servers at once: it survives their closing, and they follow each other's changes. */
export function sharedStore(now?: () => number): Store {
  const store = memoryStore(now ? { now } : {});
  return { ...store, capabilities: { ...store.capabilities, multiProcess: true }, async close() {} };
}
