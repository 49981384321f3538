import type { JsonValue } from "@assay/core";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

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

/** The events of one request: a record of the journal. */
export interface EventRecord {
  /** Time of receipt, milliseconds since 1970, at which statuses are evaluated. */
  at: number;
  events: StoredEvent[];
  joins: Join[];
}

interface ReadonlyRecord {
  at: number;
  events: readonly StoredEvent[];
  joins: readonly Join[];
}

type EventRow = [
  id: string,
  type: string,
  userId: string,
  /** Time relative to the receipt. */
  time: number,
  experimentId?: string | 0,
  variantKey?: string | 0,
  flagKey?: string | 0,
  value?: number | null,
  forced?: 0 | 1,
  metadata?: Record<string, JsonValue>,
];

type RecordRow = [version: 1, at: number, events: EventRow[], joins?: JoinRow[]];

/** The time is relative to the receipt. */
type JoinRow = [userId: string, unitId: string, experimentId?: string | 0, time?: number];

/** Encodes a record as compact JSON: rows instead of objects, without absent trailing fields. */
export function encodeRecord(record: ReadonlyRecord): Uint8Array {
  const rows = record.events.map((event) => toRow(event, record.at));
  const joins = record.joins.map((join) => toJoinRow(join, record.at));
  const row: RecordRow = joins.length > 0 ? [1, record.at, rows, joins] : [1, record.at, rows];
  return encoder.encode(JSON.stringify(row));
}

function toJoinRow({ userId, unitId, experimentId, time }: Join, at: number): JoinRow {
  if (time !== undefined) return [userId, unitId, experimentId ?? 0, time - at];
  return experimentId === null ? [userId, unitId] : [userId, unitId, experimentId];
}

function toRow(event: StoredEvent, at: number): EventRow {
  const { id, type, userId, experimentId, variantKey, flagKey, value, forced, metadata } = event;
  const row: EventRow = [id, type, userId, event.time - at, experimentId ?? 0, variantKey ?? 0, flagKey ?? 0, value];
  if (metadata !== null) row.push(forced ? 1 : 0, metadata);
  else if (forced) row.push(1);
  else if (value === null) row.length = flagKey !== null ? 7 : variantKey !== null ? 6 : experimentId !== null ? 5 : 4;
  return row;
}

/** Returns an encoded record without some of its events, by their index. @throws SyntaxError if the bytes are not a record */
export function withoutEvents(bytes: Uint8Array, indexes: ReadonlySet<number>): Uint8Array {
  const [version, at, rows, ...joins] = parseRow(bytes);
  const left = rows.filter((_, index) => !indexes.has(index));
  return encoder.encode(JSON.stringify([version, at, left, ...joins] satisfies RecordRow));
}

function parseRow(bytes: Uint8Array): RecordRow {
  const row = JSON.parse(decoder.decode(bytes)) as RecordRow;
  if (row[0] !== 1) throw new SyntaxError(`Event record of version ${String(row[0])}`);
  return row;
}

/** @throws SyntaxError if the bytes are not a record */
export function decodeRecord(bytes: Uint8Array): EventRecord {
  const [, at, rows, joins = []] = parseRow(bytes);
  return {
    at,
    events: rows.map((row) => fromRow(row, at)),
    joins: joins.map(([userId, unitId, experimentId, time]) => ({
      userId,
      unitId,
      experimentId: experimentId || null,
      ...(time !== undefined && { time: at + time }),
    })),
  };
}

function fromRow(row: EventRow, at: number): StoredEvent {
  const [id, type, userId, time, experimentId, variantKey, flagKey, value, forced, metadata] = row;
  return {
    id,
    type,
    userId,
    time: at + time,
    experimentId: experimentId || null,
    variantKey: variantKey || null,
    flagKey: flagKey || null,
    value: value ?? null,
    forced: forced === 1,
    metadata: metadata ?? null,
  };
}
