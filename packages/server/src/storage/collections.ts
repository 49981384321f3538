import type { Store } from "@assay/store";
import { every } from "../ground/every.ts";
import type { Runtime } from "../ground/runtime.ts";
import type { AuditEntry } from "./change.ts";
import {
  AUDIT_JOURNAL,
  CHANGES_JOURNAL,
  type Collection,
  type CollectionOptions,
  createCollection,
  type Document,
} from "./collection.ts";
import { parseBytes, toBytes } from "./json.ts";

const POLL_MS = 1000;
const PAGE = 1000;
/** Nodes that lag further behind reload everything. */
const KEPT_CHANGES = 10_000;

/** The collections of one server, synchronized with other nodes on the same store. */
export interface Collections {
  define<T extends Document>(options: CollectionOptions<T>): Collection<T>;
  /** Loads everything and starts to follow other nodes. */
  open(): Promise<void>;
  /** Loads everything again. */
  reload(): Promise<void>;
  /** Applies the changes other nodes have written so far. Does nothing if the store has no other nodes. */
  catchUp(): Promise<void>;
  /** Calls a function after a node has announced something under a name, or if an announcement may be missed. */
  watch(name: string, listener: () => void): void;
  /** Announces something to other nodes, which is not a change of a document. */
  announce(name: string): Promise<void>;
  /** Appends audit entries without a document: logins, failures, key use. */
  record(entries: AuditEntry[]): Promise<void>;
  close(): Promise<void>;
}

export function createCollections(store: Store, runtime: Runtime): Collections {
  const collections = new Map<string, Collection<never>>();
  const listeners = new Map<string, () => void>();
  let position = 0;
  let stop = () => {};
  let unsubscribe: (() => Promise<void>) | undefined;
  let following: Promise<void> | null = null;

  async function load(): Promise<void> {
    // Read the head first: a change made during loading is then applied twice, which is harmless, and never missed.
    position = await store.head(CHANGES_JOURNAL);
    for (const collection of collections.values()) await collection.load();
    for (const listener of listeners.values()) listener();
  }

  async function follow(): Promise<void> {
    for (;;) {
      // The head is read first: changes that are written from here on are not missing, but new.
      const head = await store.head(CHANGES_JOURNAL);
      if (head <= position) return;
      const records = await store.read(CHANGES_JOURNAL, position, PAGE);
      const first = records[0];
      if (!first || first.position > position + 1) return load();
      for (const { record, position: at } of records) {
        const [name, id] = parseBytes<[string, string]>(record);
        await collections.get(name)?.refresh(id);
        listeners.get(name)?.();
        position = at;
      }
      if (position % KEPT_CHANGES < records.length && position > KEPT_CHANGES) {
        // The changes were applied anyway. A later node or change trims them.
        await store
          .batch([{ type: "trim", journal: CHANGES_JOURNAL, through: position - KEPT_CHANGES }])
          .catch((error: unknown) => runtime.logger.warn("Changes could not be trimmed", { error: String(error) }));
      }
    }
  }

  async function catchUp(): Promise<void> {
    if (!store.capabilities.multiProcess) return;
    // A read in progress may have started before the newest change.
    await following?.catch(() => {});
    following ??= follow().finally(() => {
      following = null;
    });
    await following;
  }

  function poll(): void {
    catchUp().catch((error: unknown) => runtime.logger.warn("Cannot follow changes", { error: String(error) }));
  }

  return {
    define(options) {
      const collection = createCollection(store, runtime, options);
      collections.set(options.name, collection as unknown as Collection<never>);
      return collection;
    },
    async open() {
      await load();
      if (!store.capabilities.multiProcess) return;
      unsubscribe = await store.subscribe(CHANGES_JOURNAL, poll);
      stop = every(POLL_MS, poll);
    },
    reload: load,
    catchUp,
    watch(name, listener) {
      listeners.set(name, listener);
    },
    async announce(name) {
      if (!store.capabilities.multiProcess) return;
      await store.batch([{ type: "append", journal: CHANGES_JOURNAL, records: [toBytes([name, ""])] }]);
      // Other nodes also poll.
      store.publish(CHANGES_JOURNAL, name).catch(() => {});
    },
    async record(entries) {
      await store.batch([{ type: "append", journal: AUDIT_JOURNAL, records: entries.map(toBytes) }]);
    },
    async close() {
      stop();
      await unsubscribe?.();
      await following?.catch(() => {});
    },
  };
}
