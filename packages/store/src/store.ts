/**
 * The storage port: the only thing areas, collections and journals know about a database.
 *
 * Keys, and the names of journals, sets and leases, are texts made by `keyOf` (at most 768 bytes, 1,024 with a namespace
 * in front); each of the four has names of its own. Values and journal records are bytes, empty ones included.
 * Every write is durable when its promise resolves, on stores that declare `durable`; every read sees all writes that
 * were acknowledged before it. A record that fails its checksum is set aside: it reads as absent.
 * Every method rejects with {@link StoreUnavailable} while the database cannot be reached (a write may have happened
 * then), where it refuses a write, as on a full disk, and after `close`, and with nothing else that a caller should expect: failed conditions are answers, not errors.
 * A store that opens with its first call rejects that with {@link StoreRefused} where it cannot open.
 */
export interface Store {
  readonly name: string;
  readonly capabilities: StoreCapabilities;

  get(key: string): Promise<StoreEntry | null>;
  /** Entries whose key starts with `prefix` (all for ""), in byte order of the key, after (not including) `after`. */
  list(prefix: string, options?: ListOptions): Promise<StoreEntry[]>;
  /**
   * All operations or none, each seeing what those before it did; reports every condition that failed. The one way to
   * write, but for counters and leases.
   */
  batch(operations: Operation[]): Promise<BatchResult>;
  /**
   * Adds to an integer counter and answers the new value; a missing one starts at 0. A counter is an entry, its value
   * the decimal text, its version one more with each addition.
   */
  increment(key: string, by: number): Promise<number>;

  /**
   * Records after position `after` (0 = from the start), oldest first. Positions have gaps where records were trimmed
   * or set aside; fewer than `limit` records means that there are no more.
   */
  read(journal: string, after: number, limit: number): Promise<JournalRecord[]>;
  /** The position of the last record ever appended, 0 for an empty journal; trimming does not lower it. */
  head(journal: string): Promise<number>;

  /**
   * Takes or renews a lease; null while another holder has it. Renewing keeps the token; taking it, also after one's own
   * expired or was released, makes it grow.
   */
  lease(name: string, holder: string, ttlMs: number): Promise<Lease | null>;
  release(name: string, holder: string): Promise<void>;

  /** Best-effort notice to every live instance on the same database, this one included; may be lost. */
  publish(channel: string, message: string): Promise<void>;
  subscribe(channel: string, listener: (message: string) => void): Promise<() => Promise<void>>;

  /**
   * What was found damaged and is set aside, by this instance or one before it, newest last; until it is mended: gone
   * from where it was set aside, or replaced by a write to the same key.
   */
  quarantined(): QuarantinedRecord[];
  /**
   * Calls a listener once for each damaged record that this instance finds, those found so far included. Absent where
   * nothing is ever found damaged. @returns what ends that
   */
  onQuarantine?(listener: (record: QuarantinedRecord) => void): () => void;
  close(): Promise<void>;
}

export interface StoreCapabilities {
  /** Acknowledged writes survive a crash of the process (and of the machine where the database says so). */
  durable: boolean;
  /** Several processes may open the same data at once. */
  multiProcess: boolean;
  /** `list` order comes from the database; false where it is sorted in memory. */
  ordered: boolean;
}

export interface StoreEntry {
  key: string;
  value: Uint8Array;
  /** 1 for a new key, one more with each put. A deleted and re-made key starts over at a higher number or at 1. */
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
  /** Replaces a record; fails where none is at that position (never appended, trimmed, set aside). */
  | { type: "rewrite"; journal: string; position: number; record: Uint8Array }
  /** Removes the records up to and including `through`. */
  | { type: "trim"; journal: string; through: number }
  | ClaimOperation
  /** Fails unless the lease is held under this token: not taken since, and not released. */
  | { type: "fence"; lease: string; token: number };

export interface PutOperation {
  type: "put";
  key: string;
  value: Uint8Array;
  /** Fails the batch unless the stored version is this one; 0 stands for a missing entry. */
  ifVersion?: number;
  /** `"fail"` fails the batch where the key exists; `"skip"` leaves the existing entry and goes on. */
  ifAbsent?: "fail" | "skip";
}

/**
 * Claims members of a set, each once: the de-duplication of event ids. Fails the batch naming the members that
 * were claimed before in this generation or one of the `keep - 1` before it; older generations are forgotten whole.
 * A claim with an older generation than the set's newest counts as one of the newest. The same member twice in one
 * operation is one member; in two operations of a batch, the second one fails and names it.
 */
export interface ClaimOperation {
  type: "claim";
  set: string;
  /** A growing integer, for example the day since 1970. */
  generation: number;
  keep: number;
  members: string[];
}

export type BatchResult =
  | {
      ok: true;
      /** Per operation: the version put (0 where skipped), the position of the last record appended, else 0. */
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
 * The database cannot be reached now, or a write to it failed; requests answer 503, evaluation goes on from its
 * snapshot.
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
  /** Why, in a sentence that the people who run the server can act on. `/readyz` shows it to anyone. */
  readonly reason: string | undefined;

  /** @param options `reason` names no path, key, address or secret */
  constructor(message: string, { reason, ...options }: ErrorOptions & { reason?: string } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** A store could not be opened as asked: the message says what to use instead. */
export class StoreRefused extends Error {
  override readonly name = "StoreRefused";
}
