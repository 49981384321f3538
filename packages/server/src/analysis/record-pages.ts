import type { JournalRecord } from "@assay/store";

/** How many records of the journal to read at once. */
export interface RecordPages {
  readonly limit: number;
  /** Adapts the limit to the size of the records read. */
  adapt(records: readonly JournalRecord[]): void;
}

const MIN_RECORDS = 16;

/** Creates pages of about so many bytes: a record has one event, or thousands. */
export function createRecordPages(bytes: number, maxRecords: number): RecordPages {
  let limit = MIN_RECORDS;
  return {
    get limit() {
      return limit;
    },
    adapt(records) {
      const read = records.reduce((sum, { record }) => sum + record.length, 0);
      if (read > 0) limit = Math.min(maxRecords, Math.max(MIN_RECORDS, Math.floor((bytes * records.length) / read)));
    },
  };
}
