import type { JsonValue } from "@assay/core";
import { decodeColumns, encodeColumns } from "./record-bytes.ts";
import { createColumns, fromColumns, toColumns } from "./record-columns.ts";

/** The event type that is only an exposure and never an outcome. */
export const EXPOSURE = "exposure";

/** The maximum absolute value of an event. Sums and squares of larger values would lose digits, or not be finite. */
export const MAX_EVENT_VALUE = 1e15;

/**
 * The minimum absolute value of an event. Smaller values count as 0, because squares and cubes, which tests need, would
 * lose digits.
 */
export const MIN_EVENT_VALUE = 1e-100;

/** The maximum time in milliseconds that an event may be after its receipt. */
export const MAX_AHEAD_MS = 3_600_000;

/** An accepted event as stored in the journal: with canonical references if they were known. */
export interface StoredEvent {
  id: string;
  type: string;
  userId: string;
  /** Time of the event, milliseconds since 1970, corrected for the client's clock. */
  time: number;
  /** Id of the experiment; as sent if it is unknown. */
  experimentId: string | null;
  /** Key of the variant; as sent if the experiment does not have it. */
  variantKey: string | null;
  flagKey: string | null;
  value: number | null;
  /** Whether the arm was forced instead of drawn; such an exposure is excluded from the analysis. */
  forced: boolean;
  metadata: Record<string, JsonValue> | null;
}

/** A join of two ids of one unit: everywhere (`identify`), or in one experiment (`bucket_by`). */
export interface Join {
  userId: string;
  /** The id of the unit. */
  unitId: string;
  experimentId: string | null;
  /** Of a switchback: the time of the exposure that says the unit, milliseconds since 1970. Absent: when it was received. */
  time?: number;
}

/** A record of the journal: the events of one request, or of small ones that arrived in the same millisecond. */
export interface EventRecord {
  /** Time of receipt, milliseconds since 1970, at which statuses are evaluated. */
  at: number;
  events: StoredEvent[];
  joins: Join[];
}

/** A record that is only read. */
export interface ReadonlyRecord {
  readonly at: number;
  readonly events: readonly StoredEvent[];
  readonly joins: readonly Join[];
}

/** Encodes a record: see {@link encodeColumns}. */
export function encodeRecord(record: ReadonlyRecord): Uint8Array {
  return encodeColumns(toColumns(record));
}

/** @throws SyntaxError if the bytes are not a record */
export function decodeRecord(bytes: Uint8Array): EventRecord {
  return fromColumns(decodeColumns(bytes));
}

/** Returns an encoded record without some of its events, by their index. @throws SyntaxError if the bytes are not a record */
export function withoutEvents(bytes: Uint8Array, indexes: ReadonlySet<number>): Uint8Array {
  const columns = decodeColumns(bytes);
  const left = createColumns(columns.at, columns.userIds.length);
  left.addAll(columns, indexes);
  return encodeColumns(left.build(columns.joins));
}
