import type { QuarantinedRecord } from "./store.ts";

/** What one open instance found damaged: each key once, however often it is met before it is out of the way. */
export interface Quarantine {
  report(key: string, reason: string): void;
  /** Says that a counter starts again in the place of a damaged one: it is there, and still has lost its count. */
  restarted(key: string): void;
  /** Calls a listener for each damaged record, those found so far included. @returns what ends that */
  listen(listener: (record: QuarantinedRecord) => void): () => void;
  /** The clock that finds are dated by. */
  now(): number;
  /** What is damaged now, by what the store says of it. */
  records(state: QuarantineState): QuarantinedRecord[];
}

/** What a store knows of damaged records. */
export interface QuarantineState {
  /** What is set aside, by this instance and by others before it. */
  kept: Iterable<QuarantinedRecord>;
  /** How a record stands in its own place; one that was set aside is MISSING there until it is replaced. */
  stateOf(key: string): "GOOD" | "DAMAGED" | "MISSING";
}

/** How many damaged records are remembered by name; a broken disk must not fill the memory as well. */
export const MOST_QUARANTINED = 1_000;

export interface QuarantineOptions {
  /** Called once for each damaged record, for the log. */
  onQuarantine?: (record: QuarantinedRecord) => void;
  /**
   * The clock, in milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
}

/** Creates the list of what is found damaged from now on. */
export function createQuarantine({ onQuarantine, now = Date.now }: QuarantineOptions = {}): Quarantine {
  const found = new Map<string, QuarantinedRecord>();
  const counters = new Set<string>();
  const listeners = new Set(onQuarantine ? [onQuarantine] : []);
  return {
    report(key, reason) {
      if (found.has(key) || found.size >= MOST_QUARANTINED) return;
      const record = { key, reason, at: now() };
      found.set(key, record);
      for (const listener of listeners) listener(record);
    },
    now,
    restarted: (key) => void counters.add(key),
    listen(listener) {
      // A function of its own, so that the same listener twice is two.
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
      // What could not be set aside yet is damaged all the same.
      for (const record of found.values()) if (stateOf(record.key) === "DAMAGED") records.set(record.key, record);
      return [...records.values()].sort((a, b) => a.at - b.at);
    },
  };
}
