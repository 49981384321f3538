import type { AuditApproval } from "@assay/contract";
import type { Operation } from "@assay/store";
import type { Actor, Change } from "./change.ts";

/** Fields of every stored document. */
export interface Document {
  id: string;
  created_at: string;
  updated_at: string;
  /** 1 for a new document, incremented with each change. Used as the ETag. */
  version: number;
}

/** A document that names the author of its last change. */
export interface Authored {
  /** Absent for documents that were last changed before the server kept it. */
  changed_by?: Author;
}

/** The author of a change. */
export type Author = Pick<Actor, "actor_type" | "actor_id">;

export interface CollectionOptions<T extends Document> {
  /** Storage name, plural. */
  name: string;
  /** Resource name in audit entries, singular. */
  resource: string;
  /** Shown in audit entries. */
  title: (document: T) => string;
  /** Unique values, compared as returned. Null is not indexed. */
  unique?: Record<string, UniqueIndex<T>>;
  /** Fields omitted from audit entries. */
  secret?: (keyof T & string)[];
  /** Fields that only the store has of some documents; they are null in memory, and {@link Collection.whole} reads them. */
  offloaded?: { when: (document: T) => boolean; fields: (keyof T & string)[] };
  /** Keeps the author of the last change in each document; see {@link Authored}. */
  keepsAuthor?: T extends Authored ? true : never;
}

export interface UniqueIndex<T> {
  of: (document: T) => string | null;
  /** The message of the 409. */
  taken: (document: T) => string;
}

/** A changed document. Null on the missing side of a creation or removal. */
export interface DocumentChange<T> {
  id: string;
  before: T | null;
  after: T | null;
}

/** A document that contains a text, as the audit trail names it. */
export interface Mention {
  resource_type: string;
  resource_id: string;
  resource_name: string;
}

/** Operations written atomically with a change. */
export interface Companion {
  /** Written in the batch of the change. */
  operations: Operation[];
  /** Called once the batch is durable. Never rejects. */
  begin(): Promise<void>;
  /** Called before the retry of a failed batch. A condition of these operations may have failed. */
  renew?(): Promise<void>;
}

/** A change by this node, and its author. */
export interface DocumentWrite<T> extends DocumentChange<T> {
  by: Change;
}

/**
 * Typed documents, kept in memory. One batch writes each change to the store: the document with its version check, its
 * unique values and its audit entry. For thousands of documents, not millions.
 */
export interface Collection<T extends Document> {
  readonly name: string;
  get(id: string): T | undefined;
  /** @throws ApiError 404 */
  require(id: string): T;
  /** Returns a document with its offloaded fields. @throws ApiError 404 */
  whole(id: string): Promise<T>;
  findBy(index: string, value: string): T | undefined;
  /** In order of id, which is creation order. */
  all(): T[];
  readonly size: number;
  /** Finds the documents in which one of these texts is a whole string value. */
  mentions(texts: readonly string[]): Promise<Mention[]>;
  /** @throws ApiError 409 if a unique value is taken */
  insert(document: Omit<T, keyof Document> & { id?: string }, by: Change): Promise<T>;
  /** Prepares a new document, which a change of another collection writes in its batch. */
  insertion(document: Omit<T, keyof Document>, by: Change): Companion & { id: string };
  /**
   * Prepares a replaced document, which a change of another collection writes in its batch.
   * @throws ApiError 404, Error for a document with offloaded fields
   */
  replacement(id: string, change: (current: T) => T, by: Change): Companion;
  /**
   * Replaces a document by the result of `change`. Retries on the newest version if another node was faster. Does not
   * write an unchanged document. @throws ApiError 404, 409, 412 if `ifVersion` is not current
   */
  update(
    id: string,
    change: (current: T) => T,
    by: Change,
    options?: {
      ifVersion?: number | undefined;
      /** Like {@link alongside}, for this change only. */
      alongside?: (() => Companion | undefined) | undefined;
    },
  ): Promise<T>;
  /** @throws ApiError 404, 412 */
  remove(id: string, by: Change, options?: { ifVersion?: number | undefined }): Promise<void>;
  onChange(listener: (change: DocumentChange<T>) => void): () => void;
  /**
   * Checks each change before this node writes it, including a change that a batch writes together with others. If the
   * check throws, the node writes nothing.
   */
  guard(check: (write: DocumentWrite<T>) => void): void;
  /**
   * Sets what the audit entry of each change says about its approval. It runs after the checks of {@link guard}. If it
   * throws, the node writes nothing.
   */
  attest(approvalOf: (write: DocumentWrite<T>) => AuditApproval | null): void;
  /**
   * Adds operations to each change before this node writes it: notices, pushes to third parties and other effects that
   * must happen exactly once, not once per node. A retry of the change calls it again. It must not throw.
   */
  alongside(prepare: (write: DocumentWrite<T>) => Companion | null): void;
  /**
   * Called once for each write of this node, after it is durable. A crash may come before the call. A listener must not
   * throw.
   */
  onWrite(listener: (write: DocumentWrite<T>) => void): () => void;
  /** Reloads all documents. */
  load(): Promise<void>;
  /** Reloads one document that another node changed. */
  refresh(id: string): Promise<void>;
}
