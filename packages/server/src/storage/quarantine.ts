import type { QuarantinedRecord } from "./store.ts";

/** What one open instance found damaged: each key once, however often it is met before it is out of the way. */
export interface Quarantine {
  report(key: string, reason: string): void;
  records(): QuarantinedRecord[];
}

/** How many damaged records are remembered by name; a broken disk must not fill the memory as well. */
const REMEMBERED = 1_000;

export interface QuarantineOptions {
  /** Called once for each damaged record, for the log. */
  onQuarantine?: (record: QuarantinedRecord) => void;
  /**
   * The clock, in milliseconds since 1970.
   * @default Date.now
   */
  now?: () => number;
}

/** Creates the list of what was found damaged since now. */
export function createQuarantine({ onQuarantine, now = Date.now }: QuarantineOptions = {}): Quarantine {
  const records = new Map<string, QuarantinedRecord>();
  return {
    report(key, reason) {
      if (records.has(key) || records.size >= REMEMBERED) return;
      const record = { key, reason, at: now() };
      records.set(key, record);
      onQuarantine?.(record);
    },
    records: () => [...records.values()],
  };
}
