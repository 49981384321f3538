import { isDeepStrictEqual } from "node:util";
import { conflict, notFound, preconditionFailed } from "../http/errors.ts";
import type { Runtime } from "../runtime.ts";
import { timestampOf } from "../runtime.ts";
import { type AuditEntry, type Change, LeaseLost } from "./change.ts";
import { parseBytes, toBytes } from "./json.ts";
import { keyOf, prefixOf } from "./key.ts";
import type { Operation, Store, StoreEntry } from "./store.ts";

/** The journal of audit entries, and of what changed for the other nodes. */
export const AUDIT_JOURNAL = "audit";
export const CHANGES_JOURNAL = "changes";

/** What every stored document carries. */
export interface Document {
  id: string;
  created_at: string;
  updated_at: string;
  /** 1 for a new document, one more with each change; the ETag. */
  version: number;
}

export interface CollectionOptions<T extends Document> {
  /** Storage name, plural. */
  name: string;
  /** Singular, as audit entries call it. */
  resource: string;
  /** Shown in audit entries. */
  title: (document: T) => string;
  /** Values that no two documents share, compared as returned; null takes no part. */
  unique?: Record<string, UniqueIndex<T>>;
  /** Fields that audit entries leave out. */
  secret?: (keyof T & string)[];
}

export interface UniqueIndex<T> {
  of: (document: T) => string | null;
  /** The text of the 409. */
  taken: (document: T) => string;
}

/** A document replaced by another; null on the side where there is none. */
export interface DocumentChange<T> {
  id: string;
  before: T | null;
  after: T | null;
}

/** What has to be written together with a change, so that no crash can come between. */
export interface Companion {
  /** Written in the batch of the change; without conditions. */
  operations: Operation[];
  /** Called once that is durable. Never rejects. */
  begin(): Promise<void>;
}

/** A change that this node made, and who asked for it. */
export interface DocumentWrite<T> extends DocumentChange<T> {
  by: Change;
}

/**
 * Typed documents held in memory as a whole and written through to the store with optimistic versions, unique
 * indexes and their audit entry, all in one batch. For the control plane: thousands of documents, not millions.
 */
export interface Collection<T extends Document> {
  readonly name: string;
  get(id: string): T | undefined;
  /** @throws ApiError 404 */
  require(id: string): T;
  findBy(index: string, value: string): T | undefined;
  /** In order of id, which is order of creation. */
  all(): T[];
  readonly size: number;
  /** @throws ApiError 409 where a unique value is taken */
  insert(document: Omit<T, keyof Document> & { id?: string }, by: Change): Promise<T>;
  /** A new document that is written with a change of another collection, or not at all; not for unique values. */
  insertion(document: Omit<T, keyof Document>, by: Change): Companion & { id: string };
  /**
   * Replaces a document by what `change` makes of the current one, again from the newest where another node was
   * faster; an unchanged document is not written. @throws ApiError 404, 409, 412 where `ifVersion` is not current
   */
  update(
    id: string,
    change: (current: T) => T,
    by: Change,
    options?: {
      ifVersion?: number | undefined;
      /** As {@link alongside}, for this change alone. */
      alongside?: (() => Companion) | undefined;
    },
  ): Promise<T>;
  /** @throws ApiError 404, 412 */
  remove(id: string, by: Change, options?: { ifVersion?: number | undefined }): Promise<void>;
  onChange(listener: (change: DocumentChange<T>) => void): () => void;
  /**
   * Asks, before this node writes a change, what has to be written with it: notices, pushes to third parties and other
   * effects that must happen, and not once a node. Asked again where the change is tried again. It must not throw.
   */
  alongside(prepare: (write: DocumentWrite<T>) => Companion | null): void;
  /**
   * Hears of the writes of this node alone, each once and after it is durable; a crash may come before. A listener must
   * not throw.
   */
  onWrite(listener: (write: DocumentWrite<T>) => void): () => void;
  /** Reads everything again. */
  load(): Promise<void>;
  /** Reads one document again: another node changed it. */
  refresh(id: string): Promise<void>;
}

const ATTEMPTS = 10;

export function createCollection<T extends Document>(
  store: Store,
  runtime: Runtime,
  options: CollectionOptions<T>,
): Collection<T> {
  const documents = new Map<string, T>();
  const uniques = Object.entries(options.unique ?? {});
  const indexes = new Map(uniques.map(([name]) => [name, new Map<string, string>()]));
  const listeners = new Set<(change: DocumentChange<T>) => void>();
  const writeListeners = new Set<(write: DocumentWrite<T>) => void>();
  const preparations = new Set<(write: DocumentWrite<T>) => Companion | null>();
  // Ids are never used twice: a read that was under way while its document was removed must not bring it back.
  const removed = new Set<string>();
  const keyFor = (id: string) => keyOf(options.name, "doc", id);
  const uniqueKey = (index: string, value: string) => keyOf(options.name, "unique", index, value);

  function put(document: T | null, id: string): void {
    const before = documents.get(id) ?? null;
    if (document && (removed.has(id) || (before && before.version >= document.version))) return;
    if (!document) removed.add(id);
    for (const [name, index] of uniques) {
      const [old, next] = [before && index.of(before), document && index.of(document)];
      const map = indexes.get(name)!;
      if (old !== null && old !== next && map.get(old) === id) map.delete(old);
      if (next !== null) map.set(next, id);
    }
    if (document) documents.set(id, document);
    else if (!documents.delete(id)) return;
    for (const listener of listeners) listener({ id, before, after: document });
  }

  function uniqueOperations(
    before: T | null,
    after: T | null,
  ): { operations: Operation[]; taken: Map<number, string> } {
    const operations: Operation[] = [];
    const taken = new Map<number, string>();
    for (const [name, index] of uniques) {
      const [old, next] = [before && index.of(before), after && index.of(after)];
      if (old === next) continue;
      if (old !== null) operations.push({ type: "delete", key: uniqueKey(name, old) });
      if (next !== null && after) {
        taken.set(operations.length, index.taken(after));
        operations.push({ type: "put", key: uniqueKey(name, next), value: toBytes(after.id), ifAbsent: "fail" });
      }
    }
    return { operations, taken };
  }

  function auditOf(before: T | null, after: T | null, by: Change): AuditEntry {
    const document = (after ?? before)!;
    return {
      ...by.actor,
      id: runtime.id(),
      timestamp: timestampOf(runtime.now()),
      action: by.action,
      resource_type: options.resource,
      resource_id: document.id,
      resource_name: options.title(document),
      old_value: before && changedFields(before, after),
      new_value: after && changedFields(after, before),
      reason: by.reason ?? null,
    };
  }

  function changedFields(side: T, other: T | null): Record<string, unknown> {
    const hidden = new Set<string>(["version", "updated_at", ...(options.secret ?? [])]);
    return Object.fromEntries(
      Object.entries(side).filter(
        ([field, value]) => !hidden.has(field) && !(other && isDeepStrictEqual(value, other[field as keyof T])),
      ),
    );
  }

  /** Writes one change; null where the document itself was not what it was thought to be. */
  async function write(before: T | null, after: T | null, by: Change, alongside?: () => Companion): Promise<T | null> {
    const id = (after ?? before)!.id;
    const { operations, taken } = uniqueOperations(before, after);
    const own: Operation = after
      ? {
          type: "put",
          key: keyFor(id),
          value: toBytes(after),
          ...(before ? { ifVersion: before.version } : { ifAbsent: "fail" }),
        }
      : { type: "delete", key: keyFor(id), ifVersion: before!.version };
    const companions = [...preparations].flatMap((prepare) => prepare({ id, before, after, by }) ?? []);
    if (alongside) companions.push(alongside());
    const result = await store.batch([
      ...operations,
      own,
      entry(before, after, by),
      ...announcement(id),
      ...(by.fence ? [{ type: "fence", ...by.fence } as const] : []),
      ...companions.flatMap((companion) => companion.operations),
    ]);
    if (!result.ok) {
      // The fence comes behind the document, its entry and the announcement.
      if (by.fence && result.failed.includes(operations.length + 2 + announcement(id).length)) {
        throw new LeaseLost(`The lease ${by.fence.lease} is held by another node`);
      }
      const text = result.failed.map((index) => taken.get(index)).find((detail) => detail !== undefined);
      if (text !== undefined && !result.failed.includes(operations.length)) throw conflict(text);
      return null;
    }
    const written = after && { ...after, version: result.results[operations.length]! };
    take({ id, before, after: written, by });
    for (const companion of companions) void companion.begin();
    return written ?? before;
  }

  /** Goes on with what was written. */
  function take(written: DocumentWrite<T>): void {
    put(written.after, written.id);
    for (const listener of writeListeners) listener(written);
    if (store.capabilities.multiProcess) store.publish(CHANGES_JOURNAL, options.name).catch(() => {});
  }

  function toNew(input: Omit<T, keyof Document> & { id?: string }): T {
    const now = timestampOf(runtime.now());
    return { ...input, id: input.id ?? runtime.id(), created_at: now, updated_at: now, version: 0 } as unknown as T;
  }

  function entry(before: T | null, after: T | null, by: Change): Operation {
    return { type: "append", journal: AUDIT_JOURNAL, records: [toBytes(auditOf(before, after, by))] };
  }

  /** Tells other nodes, where there can be any; they also poll, so a lost notice only costs a second. */
  function announcement(id: string): Operation[] {
    if (!store.capabilities.multiProcess) return [];
    return [{ type: "append", journal: CHANGES_JOURNAL, records: [toBytes([options.name, id])] }];
  }

  function decode(entry: StoreEntry): T {
    return { ...parseBytes<T>(entry.value), version: entry.version };
  }

  const collection: Collection<T> = {
    name: options.name,
    get: (id) => documents.get(id),
    require(id) {
      const document = documents.get(id);
      if (!document) throw notFound();
      return document;
    },
    findBy(index, value) {
      const id = indexes.get(index)?.get(value);
      return id === undefined ? undefined : documents.get(id);
    },
    all: () => [...documents.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    get size() {
      return documents.size;
    },
    async insert(input, by) {
      const document = toNew(input);
      for (const [name, index] of uniques) {
        const value = index.of(document);
        if (value !== null && collection.findBy(name, value)) throw conflict(index.taken(document));
      }
      const written = await write(null, document, by);
      if (!written) throw conflict(`${options.resource} ${document.id} already exists`);
      return written;
    },
    insertion(input, by) {
      const document = toNew(input);
      const { id } = document;
      const own: Operation = { type: "put", key: keyFor(id), value: toBytes(document) };
      return {
        id,
        operations: [own, entry(null, document, by), ...announcement(id)],
        begin: async () => take({ id, before: null, after: { ...document, version: 1 }, by }),
      };
    },
    async update(id, change, by, { ifVersion, alongside } = {}) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const current = collection.require(id);
        if (ifVersion !== undefined && ifVersion !== current.version) throw preconditionFailed();
        const next = change(current);
        if (isDeepStrictEqual(next, current)) return current;
        const written = await write(current, { ...next, updated_at: timestampOf(runtime.now()) }, by, alongside);
        if (written) return written;
        await collection.refresh(id);
      }
      throw conflict(`${options.resource} ${id} is being changed by others; try again`);
    },
    async remove(id, by, { ifVersion } = {}) {
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const current = collection.require(id);
        if (ifVersion !== undefined && ifVersion !== current.version) throw preconditionFailed();
        if (await write(current, null, by)) return;
        await collection.refresh(id);
      }
      throw conflict(`${options.resource} ${id} is being changed by others; try again`);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    alongside(prepare) {
      preparations.add(prepare);
    },
    onWrite(listener) {
      writeListeners.add(listener);
      return () => writeListeners.delete(listener);
    },
    async load() {
      const seen = new Set<string>();
      const prefix = prefixOf(options.name, "doc");
      for (let after: string | undefined; ; ) {
        const entries = await store.list(prefix, { after, limit: 1000 });
        for (const entry of entries) {
          const document = decode(entry);
          seen.add(document.id);
          put(document, document.id);
        }
        if (entries.length < 1000) break;
        after = entries.at(-1)!.key;
      }
      for (const id of [...documents.keys()]) if (!seen.has(id)) put(null, id);
    },
    async refresh(id) {
      const entry = await store.get(keyFor(id));
      put(entry && decode(entry), id);
    },
  };
  return collection;
}
