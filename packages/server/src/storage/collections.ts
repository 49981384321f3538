import type { Store } from "@assay/store";
import { every } from "../every.ts";
import type { Runtime } from "../runtime.ts";
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
/** Nodes that fall further behind than this read everything again. */
const KEPT_CHANGES = 10_000;

/** The collections of one server, kept in step with other nodes on the same store. */
export interface Collections {
  define<T extends Document>(options: CollectionOptions<T>): Collection<T>;
  /** Loads everything and starts following other nodes. */
  open(): Promise<void>;
  /** Applies what other nodes have written up to now. */
  catchUp(): Promise<void>;
  /** Appends entries to the audit trail that come with no document: logins, failures, key use. */
  record(entries: AuditEntry[]): Promise<void>;
  close(): Promise<void>;
}

export function createCollections(store: Store, runtime: Runtime): Collections {
  const collections = new Map<string, Collection<never>>();
  let position = 0;
  let stop = () => {};
  let unsubscribe: (() => Promise<void>) | undefined;
  let following: Promise<void> | null = null;

  async function load(): Promise<void> {
    // The head first: a change made while loading is then read twice, which is harmless, and never missed.
    position = await store.head(CHANGES_JOURNAL);
    for (const collection of collections.values()) await collection.load();
  }

  async function follow(): Promise<void> {
    for (;;) {
      const records = await store.read(CHANGES_JOURNAL, position, PAGE);
      const first = records[0];
      if (!first) {
        if ((await store.head(CHANGES_JOURNAL)) > position) await load();
        return;
      }
      if (first.position > position + 1) return load();
      for (const { record, position: at } of records) {
        const [name, id] = parseBytes<[string, string]>(record);
        await collections.get(name)?.refresh(id);
        position = at;
      }
      if (position % KEPT_CHANGES < records.length && position > KEPT_CHANGES) {
        // The changes were followed all the same; a later node or change trims them.
        await store
          .batch([{ type: "trim", journal: CHANGES_JOURNAL, through: position - KEPT_CHANGES }])
          .catch((error: unknown) => runtime.logger.warn("Changes could not be trimmed", { error: String(error) }));
      }
    }
  }

  async function catchUp(): Promise<void> {
    // What is being read may have been read before the newest change was there.
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
    catchUp,
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
