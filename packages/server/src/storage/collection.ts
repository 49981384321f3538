import { isDeepStrictEqual } from "node:util";
import type { AuditApproval } from "@assay/contract";
import { keyOf, listAll, type Operation, type PutOperation, prefixOf, type Store, type StoreEntry } from "@assay/store";
import { conflict, notFound, preconditionFailed } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";
import { timestampOf } from "../ground/runtime.ts";
import { createSlices } from "../ground/slices.ts";
import { toAuditEntry } from "./audit-entry.ts";
import { type Change, LeaseLost, Rehearsed } from "./change.ts";
import type {
  Collection,
  CollectionOptions,
  Companion,
  Document,
  DocumentChange,
  DocumentWrite,
  Mention,
} from "./document.ts";
import { parseBytes, toBytes } from "./json.ts";
import { apart, earlierEffect, inProgress, markEffect } from "./once.ts";
import { createUniqueIndexes } from "./unique-indexes.ts";

/** The journal of audit entries, which also announces changes to other nodes. */
export const AUDIT_JOURNAL = "audit";
export const CHANGES_JOURNAL = "changes";

export type * from "./document.ts";

const ATTEMPTS = 10;
/** Maximum number of remembered removed ids, far more than are removed during one read. */
const MAX_REMOVED = 10_000;

export function createCollection<T extends Document>(
  store: Store,
  runtime: Runtime,
  options: CollectionOptions<T>,
): Collection<T> {
  const documents = new Map<string, T>();
  const uniques = createUniqueIndexes(options);
  const listeners = new Set<(change: DocumentChange<T>) => void>();
  const writeListeners = new Set<(write: DocumentWrite<T>) => void>();
  const checks = new Set<(write: DocumentWrite<T>) => void>();
  const preparations = new Set<(write: DocumentWrite<T>) => Companion | null>();
  let attest: (write: DocumentWrite<T>) => AuditApproval | null = () => null;
  // Ids are never reused. A read in flight during a removal must not restore the document.
  const removed = new Set<string>();
  const keyFor = (id: string) => keyOf(options.name, "doc", id);
  const offloaded = Object.fromEntries((options.offloaded?.fields ?? []).map((field) => [field, null]));
  const isOffloaded = (document: T) => options.offloaded?.when(document) === true;

  function put(document: T | null, id: string): void {
    const before = documents.get(id) ?? null;
    if (document && (removed.has(id) || (before && before.version >= document.version))) return;
    if (!document) remember(id);
    uniques.follow(id, before, document);
    if (document) documents.set(id, isOffloaded(document) ? { ...document, ...offloaded } : document);
    else if (!documents.delete(id)) return;
    for (const listener of listeners) listener({ id, before, after: document });
  }

  function remember(id: string): void {
    removed.add(id);
    const [oldest] = removed;
    if (removed.size > MAX_REMOVED && oldest !== undefined) removed.delete(oldest);
  }

  /** Returns the operations that write a change and its companions. */
  function stage({ id, before, after, by }: DocumentWrite<T>, alongside?: () => Companion | undefined) {
    for (const check of checks) check({ id, before, after, by });
    const approval = attest({ id, before, after, by });
    const { operations, taken } = uniques.operations(before, after);
    const own = operations.length;
    const companions = [...preparations].flatMap((prepare) => prepare({ id, before, after, by }) ?? []);
    companions.push(...[alongside?.() ?? []].flat());
    const entry = toAuditEntry(options, runtime, { before, after, by }, approval);
    operations.push(
      after
        ? {
            type: "put",
            key: keyFor(id),
            value: toBytes(after),
            ...(before ? { ifVersion: before.version } : { ifAbsent: "fail" }),
          }
        : { type: "delete", key: keyFor(id), ifVersion: before!.version },
      { type: "append", journal: AUDIT_JOURNAL, records: [toBytes(entry)] },
      ...announcement(id),
      ...companions.flatMap((companion) => companion.operations),
    );
    return { operations, own, taken, companions, entry };
  }

  /** Writes one change. Returns null if a condition of the document or its companions failed. */
  async function write(
    before: T | null,
    after: T | null,
    by: Change,
    alongside?: () => Companion | undefined,
  ): Promise<T | null> {
    const id = (after ?? before)!.id;
    const { operations, own, taken, companions, entry } = stage({ id, before, after, by }, alongside);
    if (by.rehearsal) throw new Rehearsed(entry, before?.version ?? null);
    const fence: Operation[] = by.fence ? [{ type: "fence", ...by.fence }] : [];
    const mark = markEffect(options.name, id);
    const result = await store.batch([...(mark ? [...operations, mark.operation] : operations), ...fence]);
    if (!result.ok) {
      if (mark && result.failed.includes(operations.length)) throw inProgress();
      if (fence.length > 0 && result.failed.includes(operations.length + (mark ? 1 : 0))) {
        throw new LeaseLost(`The lease ${by.fence?.lease} is held by another node`);
      }
      const text = result.failed.map((index) => taken.get(index)).find((detail) => detail !== undefined);
      if (text !== undefined && !result.failed.includes(own)) {
        const names = result.failed.flatMap((index) => (taken.has(index) ? [operations[index] as PutOperation] : []));
        if (await freeLost(names)) return write(before, after, by, alongside);
        throw conflict(text);
      }
      for (const companion of companions) await companion.renew?.();
      return null;
    }
    mark?.committed();
    const written = after && { ...after, version: result.results[own]! };
    apart(() => take({ id, before, after: written, by }, companions));
    return written ?? before;
  }

  /**
   * Frees the unique values of damaged documents, so that clients can create these documents again. A batch writes or
   * removes a document together with its values, so a value without a document belongs to a damaged one.
   * @returns whether all values are free
   */
  async function freeLost(values: PutOperation[]): Promise<boolean> {
    for (const { key } of values) {
      const entry = await store.get(key);
      if (!entry) continue;
      if (await store.get(keyFor(parseBytes<string>(entry.value)))) return false;
      await store.batch([{ type: "delete", key, ifVersion: entry.version }]);
    }
    return true;
  }

  /** Applies a written change. */
  function take(written: DocumentWrite<T>, companions: Companion[]): void {
    put(written.after, written.id);
    for (const listener of writeListeners) listener(written);
    for (const companion of companions) void companion.begin();
    if (store.capabilities.multiProcess) store.publish(CHANGES_JOURNAL, options.name).catch(() => {});
  }

  /** Returns the companion that writes a change together with another one. */
  function accompany(change: DocumentWrite<T>): Companion {
    const { operations, companions } = stage(change);
    const { id, before, after, by } = change;
    const written = after && { ...after, version: (before?.version ?? 0) + 1 };
    return {
      operations,
      begin: async () => take({ id, before, after: written, by }, companions),
      renew: () => collection.refresh(id),
    };
  }

  /** The fields that name the author of a change. */
  const authorship = ({ actor: { actor_type, actor_id } }: Change) =>
    options.keepsAuthor ? { changed_by: { actor_type, actor_id } } : {};

  function toNew(input: Omit<T, keyof Document> & { id?: string }, by: Change): T {
    const now = timestampOf(runtime.now());
    const fields = { id: input.id ?? runtime.id(), created_at: now, updated_at: now, version: 0 };
    return { ...input, ...fields, ...authorship(by) } as unknown as T;
  }

  /** Returns the changed document, or null if nothing changed. */
  function changed(current: T, change: (current: T) => T, by: Change): T | null {
    const next = change(current);
    if (isDeepStrictEqual(next, current)) return null;
    return { ...next, updated_at: timestampOf(runtime.now()), ...authorship(by) };
  }

  /**
   * Announces a change to other nodes, if there are any. They also poll, so a lost announcement only costs a second.
   */
  function announcement(id: string): Operation[] {
    if (!store.capabilities.multiProcess) return [];
    return [{ type: "append", journal: CHANGES_JOURNAL, records: [toBytes([options.name, id])] }];
  }

  function decode(entry: StoreEntry): T {
    return { ...parseBytes<T>(entry.value), version: entry.version };
  }

  async function* wholeDocuments(): AsyncGenerator<T> {
    for await (const entry of listAll(store, prefixOf(options.name, "doc"))) yield decode(entry);
  }

  /**
   * Reads what an interrupted request has written, on this node or another. @throws ApiError 404 if it was deleted
   * since
   */
  async function reread(id: string): Promise<T> {
    await collection.refresh(id);
    return collection.require(id);
  }

  /** @throws ApiError 404 */
  function isAt(id: string, version: number | undefined): boolean {
    return version === undefined || collection.require(id).version === version;
  }

  /**
   * Reads a whole document, which another node may have changed a moment ago. @throws ApiError 404, 412 for another
   * version
   */
  async function readAt(id: string, version: number | undefined): Promise<T> {
    if (!isAt(id, version)) await collection.refresh(id);
    const document = await collection.whole(id);
    if (version !== undefined && document.version !== version) throw preconditionFailed();
    return document;
  }

  const collection: Collection<T> = {
    name: options.name,
    get: (id) => documents.get(id),
    require(id) {
      const document = documents.get(id);
      if (!document) throw notFound();
      return document;
    },
    async whole(id) {
      const document = collection.require(id);
      if (!isOffloaded(document)) return document;
      const entry = await store.get(keyFor(id));
      if (!entry) throw notFound();
      return decode(entry);
    },
    findBy(index, value) {
      const id = uniques.find(index, value);
      return id === undefined ? undefined : documents.get(id);
    },
    all: () => [...documents.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    get size() {
      return documents.size;
    },
    async insert(input, by) {
      const earlier = earlierEffect(options.name);
      if (earlier !== undefined) return reread(earlier);
      const document = toNew(input, by);
      uniques.requireFree(document);
      const written = await write(null, document, by);
      if (!written) throw conflict(`${options.resource} ${document.id} already exists`);
      return written;
    },
    insertion(input, by) {
      const after = toNew(input, by);
      return { id: after.id, ...accompany({ id: after.id, before: null, after, by }) };
    },
    replacement(id, change, by) {
      const before = collection.require(id);
      if (isOffloaded(before)) throw new Error(`Fields of ${options.resource} ${id} are not in memory`);
      const after = changed(before, change, by);
      return after ? accompany({ id, before, after, by }) : { operations: [], begin: async () => {} };
    },
    async mentions(texts) {
      const quoted = texts.map((text) => JSON.stringify(text));
      const found: Mention[] = [];
      const slices = createSlices();
      for await (const document of options.offloaded ? wholeDocuments() : collection.all()) {
        if (slices.isOver()) await slices.next();
        const json = JSON.stringify(document);
        if (!quoted.some((text) => json.includes(text))) continue;
        found.push({
          resource_type: options.resource,
          resource_id: document.id,
          resource_name: options.title(document),
        });
      }
      return found;
    },
    async update(id, change, by, { ifVersion, alongside } = {}) {
      if (earlierEffect(options.name, id) !== undefined) return reread(id);
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const current = await readAt(id, ifVersion);
        const next = changed(current, change, by);
        if (!next) return current;
        const written = await write(current, next, by, alongside);
        if (written) return written;
        await collection.refresh(id);
      }
      throw conflict(`Other requests are changing ${options.resource} ${id}; try again`);
    },
    async remove(id, by, { ifVersion } = {}) {
      if (earlierEffect(options.name, id) !== undefined) return;
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const current = await readAt(id, ifVersion);
        if (await write(current, null, by)) return;
        await collection.refresh(id);
      }
      throw conflict(`Other requests are changing ${options.resource} ${id}; try again`);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    guard(check) {
      checks.add(check);
    },
    attest(approvalOf) {
      attest = approvalOf;
    },
    alongside(prepare) {
      preparations.add(prepare);
    },
    onWrite(listener) {
      writeListeners.add(listener);
      return () => writeListeners.delete(listener);
    },
    async load() {
      // What is created from here on may be missing in the pages, and was not removed.
      const known = [...documents.keys()];
      const seen = new Set<string>();
      for await (const document of wholeDocuments()) {
        seen.add(document.id);
        put(document, document.id);
      }
      for (const id of known) if (!seen.has(id)) put(null, id);
    },
    async refresh(id) {
      const entry = await store.get(keyFor(id));
      put(entry && decode(entry), id);
    },
  };
  return collection;
}
