import type { QuarantinedRecord } from "./store.ts";

/**
 * The damage that one open instance has found. It has each key once, regardless of how often the key is read before it
 * is set aside.
 */
export interface Quarantine {
  report(key: string, reason: string): void;
  /** Records that a counter restarts in place of a damaged one. It exists, but has lost its count. */
  restarted(key: string): void;
  /**
   * Calls a listener for each damaged record, including those found so far.
   * @returns a function that stops it
   */
  listen(listener: (record: QuarantinedRecord) => void): () => void;
  /** Returns the time for a finding, in milliseconds since 1970. */
  now(): number;
  /** Returns the current damage, by the state of the store. */
  records(state: QuarantineState): QuarantinedRecord[];
}

/** The state of a store's damaged records. */
export interface QuarantineState {
  /** Records set aside, by this instance and by earlier ones. */
  kept: Iterable<QuarantinedRecord>;
  /**
   * Returns the state of a record in its own place. A record that was set aside is MISSING there until it is replaced.
   */
  stateOf(key: string): "GOOD" | "DAMAGED" | "MISSING";
}

/** The maximum number of damaged records to remember by name. A broken disk must not fill the memory as well. */
export const MAX_QUARANTINED = 1_000;

export interface QuarantineOptions {
  /** Called once for each damaged record, for the log. */
  onQuarantine?: (record: QuarantinedRecord) => void;
  /**
   * The clock, in milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
}

/** Creates an empty list of damage. */
export function createQuarantine({ onQuarantine, now = Date.now }: QuarantineOptions = {}): Quarantine {
  const found = new Map<string, QuarantinedRecord>();
  const counters = new Set<string>();
  const listeners = new Set(onQuarantine ? [onQuarantine] : []);
  return {
    report(key, reason) {
      if (found.has(key) || found.size >= MAX_QUARANTINED) return;
      const record = { key, reason, at: now() };
      found.set(key, record);
      for (const listener of listeners) listener(record);
    },
    now,
    restarted: (key) => void counters.add(key),
    listen(listener) {
      // A new function, so that registering the same listener twice counts as two.
      const own = (record: QuarantinedRecord) => listener(record);
      for (const record of found.values()) own(record);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    records({ kept, stateOf }) {
      const records = new Map<string, QuarantinedRecord>();
      for (const record of kept) {
        const isMended = stateOf(record.key) === "GOOD" && !counters.has(record.key);
        if (!isMended) records.set(record.key, found.get(record.key) ?? record);
      }
      // Records that could not be set aside yet are damaged too.
      for (const record of found.values()) if (stateOf(record.key) === "DAMAGED") records.set(record.key, record);
      return [...records.values()].sort((a, b) => a.at - b.at);
    },
  };
}
