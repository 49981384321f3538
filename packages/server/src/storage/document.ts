import type { Operation } from "@assay/store";
import type { Change } from "./change.ts";

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
  /** Written in the batch of the change. */
  operations: Operation[];
  /** Called once that is durable. Never rejects. */
  begin(): Promise<void>;
  /** Called where the batch failed, perhaps by a condition of these operations, before the change is tried again. */
  renew?(): Promise<void>;
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
  /** A new document that is written with a change of another collection, or not at all. */
  insertion(document: Omit<T, keyof Document>, by: Change): Companion & { id: string };
  /** A document replaced together with a change of another collection, or not at all. @throws ApiError 404 */
  replacement(id: string, change: (current: T) => T, by: Change): Companion;
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
      alongside?: (() => Companion | undefined) | undefined;
    },
  ): Promise<T>;
  /** @throws ApiError 404, 412 */
  remove(id: string, by: Change, options?: { ifVersion?: number | undefined }): Promise<void>;
  onChange(listener: (change: DocumentChange<T>) => void): () => void;
  /**
   * Checks each change before this node writes it, also one that is written together with another: where the check throws,
   * nothing is written.
   */
  guard(check: (write: DocumentWrite<T>) => void): void;
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
