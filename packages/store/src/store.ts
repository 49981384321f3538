import type { PortableRow } from "./portable.ts";

/**
 * The storage port: the only database interface of areas, collections and journals.
 *
 * Keys, and the names of journals, sets and leases, are texts made by `keyOf`: at most 768 bytes, 1,024 with a
 * namespace in front. The four do not share names. Values and journal records are bytes and may be empty.
 *
 * Every write is durable when its promise resolves, on stores that declare `durable`. Every read sees all writes that
 * were acknowledged before it. A record that fails its checksum is set aside and reads as absent.
 *
 * Every method rejects with {@link StoreUnavailable} while the database is unreachable (a write may have happened
 * then), if the database rejects a write, for example on a full disk, and after `close`. A store that opens with its
 * first call rejects that call with {@link StoreRefused} if it cannot open. Callers need to expect no other error:
 * failed conditions are answers, not errors.
 */
export interface Store {
  readonly name: string;
  readonly capabilities: StoreCapabilities;

  get(key: string): Promise<StoreEntry | null>;
  /**
   * Returns the entries whose key starts with `prefix` (all for ""), in byte order of the key, after (not including)
   * `after`.
   */
  list(prefix: string, options?: ListOptions): Promise<StoreEntry[]>;
  /**
   * Performs all operations or none. Each sees the effects of those before it, and the answer reports every failed
   * condition. All writes except counters and leases go through it.
   */
  batch(operations: Operation[]): Promise<BatchResult>;
  /**
   * Adds to an integer counter and returns the new value. A missing counter starts at 0. A counter is an entry: its
   * value is the decimal text, and each addition increments its version.
   */
  increment(key: string, by: number): Promise<number>;

  /**
   * Returns the records after position `after` (0 = from the start), oldest first. Positions have gaps where records
   * were trimmed or set aside. Fewer than `limit` records mean that there are no more.
   */
  read(journal: string, after: number, limit: number): Promise<JournalRecord[]>;
  /** Returns the position of the last record ever appended; 0 for an empty journal. Trimming does not lower it. */
  head(journal: string): Promise<number>;

  /**
   * Takes or renews a lease; returns null while another holder has it. Renewing keeps the token. Taking it increases
   * the token, also for a holder whose own lease expired or was released.
   */
  lease(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  release(name: string, holder: string): Promise<void>;

  /** Notifies every live instance on the same database, including this one. A notice may be lost. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;

  /**
   * Returns the damaged records that this instance or an earlier one has set aside, newest last. A record leaves the
   * list when it is repaired: removed from where it was set aside, or replaced by a write to the same key.
   */
  quarantined(): QuarantinedRecord[];
  /**
   * Calls a listener once for each damaged record that this instance finds, including those found so far. Absent if the
   * store never detects damage.
   * @returns a function that stops it
   */
  onQuarantine?(listener: (record: QuarantinedRecord) => void): () => void;

  /**
   * Yields everything that is stored, as of one moment and in a fixed order, for backups. Writes may wait until the
   * last row was read. Absent if the store keeps nothing.
   */
  rows?(): AsyncIterable<StoreRow>;

  load?(rows: StoreRow[]): Promise<void>;
  /**
   * Yields what {@link rows} yields in a form that all kinds of store share, for copies. A window comes before the members of
   * its set, and records are in order.
   * @throws {StoreRefused} if a record is damaged
   */
  portableRows?(): AsyncIterable<PortableRow>;
  /** Writes rows of {@link portableRows}, also of another kind of store, over what is there. */
  loadPortable?(rows: PortableRow[]): Promise<void>;
  /** Returns the names of all journals, for checks. Absent if the store keeps nothing. */
  journals?(): Promise<string[]>;
  /** Returns the records in a row of a backup that `quarantined` reports one by one if they are damaged. */
  describeRow?(row: StoreRow): StoredRecord[];
  close(): Promise<void>;
}

/** One record of a row. */
export interface StoredRecord {
  /** The name by which `quarantined` reports it. */
  name: string;
  /** The row that puts the record back when it is loaded; null if its checksum fails. */
  row: StoreRow | null;
}

/** A stored value with its checksum, and the place where its kind of store keeps it. */
export interface StoreRow {
  /** At most 255 bytes. */
  table: string;
  key: Uint8Array;
  value: Uint8Array;
}

export interface StoreCapabilities {
  /** Acknowledged writes survive a crash of the process, and of the machine if the database guarantees it. */
  durable: boolean;
  /** Several processes may open the same data at once. */
  multiProcess: boolean;
  /** The database sorts the answers of `list`. False if the store sorts them in memory. */
  ordered: boolean;
}

export interface StoreEntry {
  key: string;
  value: Uint8Array;
  /** 1 for a new key, incremented with each put. A deleted and re-created key restarts at a higher number or at 1. */
  version: number;
}

export interface ListOptions {
  after?: string;
  /** Default 1,000. */
  limit?: number;
}

export type Operation =
  | PutOperation
  | { type: "delete"; key: string; ifVersion?: number }
  | { type: "append"; journal: string; records: Uint8Array[] }
  /**
   * Replaces a record. Fails if there is none at that position: it was never appended, was trimmed or was set aside.
   */
  | { type: "rewrite"; journal: string; position: number; record: Uint8Array }
  /** Removes the records up to and including `through`. */
  | { type: "trim"; journal: string; through: number }
  | ClaimOperation
  /** Fails unless this token is current: the lease was not taken since, and not released. */
  | { type: "fence"; lease: string; token: number };

export interface PutOperation {
  type: "put";
  key: string;
  value: Uint8Array;
  /** Fails the batch unless the stored version is this one; 0 means a missing entry. */
  ifVersion?: number;
  /** `"fail"` fails the batch if the key exists; `"skip"` keeps the existing entry and continues. */
  ifAbsent?: "fail" | "skip";
}

/**
 * Claims members of a set, each once: this de-duplicates event ids. Fails the batch if members were claimed before in
 * this generation or one of the `keep - 1` before it, and names them. Older generations are forgotten whole. A claim
 * with an older generation than the newest of the set counts as one of the newest. A member that is repeated in one
 * operation counts once. If two operations of a batch have it, the second one fails and names it.
 */
export interface ClaimOperation {
  type: "claim";
  set: string;
  /** An integer that grows, for example the day since 1970. */
  generation: number;
  keep: number;
  members: string[];
}

export type BatchResult =
  | {
      ok: true;
      /** For each operation: the version put (0 if skipped), the position of the last record appended, otherwise 0. */
      results: number[];
    }
  | {
      ok: false;
      /** Indexes of the operations whose condition failed. */
      failed: number[];
      /** For failed claims, by operation index: the members already claimed. */
      claimed: Map<number, string[]>;
    };

export interface JournalRecord {
  position: number;
  record: Uint8Array;
}

export interface Lease {
  token: number;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

export interface QuarantinedRecord {
  key: string;
  reason: string;
  at: number;
}

/**
 * The database is unreachable, or a write to it failed. Requests answer 503; evaluation continues from its snapshot.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** The reason, in a sentence that operators can act on. `/readyz` shows it to anyone. */
  readonly reason: string | undefined;

  /** @param options `reason` contains no path, key, address or secret */
  constructor(message: string, { reason, ...options }: ErrorOptions & { reason?: string } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** A store could not open as requested. The message names an alternative. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
