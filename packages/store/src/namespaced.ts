import { keyOf } from "./key.ts";
import type { Operation, Store } from "./store.ts";

/**
 * Returns the part of a store under one namespace, as a store. Keys, journals, sets, leases and channels get the
 * namespace as a prefix, and answers omit it. Closing it closes the store. An empty namespace returns the store itself.
 */
export function namespaced(store: Store, namespace: string): Store {
  if (namespace === "") return store;
  const prefix = `${keyOf(namespace)}/`;
  const inside = (name: string) => prefix + name;
  const outside = (name: string) => name.slice(prefix.length);

  const prefixed = (operation: Operation): Operation => {
    switch (operation.type) {
      case "put":
      case "delete":
        return { ...operation, key: inside(operation.key) };
      case "append":
      case "rewrite":
      case "trim":
        return { ...operation, journal: inside(operation.journal) };
      case "claim":
        return { ...operation, set: inside(operation.set) };
      case "fence":
        return { ...operation, lease: inside(operation.lease) };
    }
  };

  return {
    name: store.name,
    capabilities: store.capabilities,
    async get(key) {
      const entry = await store.get(inside(key));
      return entry && { ...entry, key };
    },
    async list(start, options) {
      const after = options?.after === undefined ? undefined : inside(options.after);
      const entries = await store.list(inside(start), { ...options, after });
      return entries.map((entry) => ({ ...entry, key: outside(entry.key) }));
    },
    batch: (operations) => store.batch(operations.map(prefixed)),
    increment: (key, by) => store.increment(inside(key), by),
    read: (journal, after, limit) => store.read(inside(journal), after, limit),
    head: (journal) => store.head(inside(journal)),
    lease: (name, holder, ttlMs) => store.lease(inside(name), holder, ttlMs),
    release: (name, holder) => store.release(inside(name), holder),
    publish: (channel, message) => store.publish(inside(channel), message),
    subscribe: (channel, listener) => store.subscribe(inside(channel), listener),
    quarantined: () =>
      store
        .quarantined()
        .filter((record) => record.key.startsWith(prefix))
        .map((record) => ({ ...record, key: outside(record.key) })),
    ...(store.onQuarantine && {
      onQuarantine: (listener) =>
        store.onQuarantine!((record) => {
          if (record.key.startsWith(prefix)) listener({ ...record, key: outside(record.key) });
        }),
    }),
    close: () => store.close(),
  };
}
