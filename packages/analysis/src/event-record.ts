import type { JsonValue } from "@assay/core";
import type { EventKind } from "./event-kind.ts";
import { fromColumns, type PlacedMetadata, type RecordColumns, toColumns } from "./record-columns.ts";

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

/** Texts, joined by line feeds unless one of them has a line feed. */
type Texts = string | readonly string[];

type KindRow = [type: string, experimentId?: string | 0, variantKey?: string | 0, flagKey?: string | 0, forced?: 1];

/** The time is relative to the receipt. */
type JoinRow = [userId: string, unitId: string, experimentId?: string | 0, time?: number];

/** Columns: see {@link RecordColumns}. Times are relative to the receipt. */
type ColumnRow = [
  version: 2,
  at: number,
  ids: Texts,
  userIds: readonly string[],
  kinds: KindRow[],
  /** 0 if all have the first. */
  kindOf: readonly number[] | 0,
  times: number[],
  /** 0 if no event has one. */
  values: readonly (number | null)[] | 0,
  metadata?: readonly PlacedMetadata[],
  joins?: JoinRow[],
];

/** An event of version 1, which stored a row of each. */
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

type RecordRow = ColumnRow | [version: 1, at: number, events: EventRow[], joins?: JoinRow[]];

/** Encodes a record as compact JSON: columns, and what events share once, without absent trailing fields. */
export function encodeRecord(record: ReadonlyRecord): Uint8Array {
  const { at, ids, userIds, kinds, kindOf, times, values, metadata, joins } = toColumns(record);
  const row: ColumnRow = [
    2,
    at,
    joinTexts(ids()),
    userIds,
    kinds.map(toKindRow),
    kinds.length > 1 ? kindOf : 0,
    times.map((time) => time - at),
    values.every((value) => value === null) ? 0 : values,
  ];
  if (metadata.length > 0 || joins.length > 0) row.push(metadata);
  if (joins.length > 0) row.push(joins.map((join) => toJoinRow(join, at)));
  return encoder.encode(JSON.stringify(row));
}

function joinTexts(texts: readonly string[]): Texts {
  return texts.some((text) => text.includes("\n")) ? texts : texts.join("\n");
}

function splitTexts(texts: Texts, length: number): readonly string[] {
  if (length === 0) return [];
  return typeof texts === "string" ? texts.split("\n") : texts;
}

function toKindRow({ type, experimentId, variantKey, flagKey, forced }: EventKind): KindRow {
  if (forced) return [type, experimentId ?? 0, variantKey ?? 0, flagKey ?? 0, 1];
  if (flagKey !== null) return [type, experimentId ?? 0, variantKey ?? 0, flagKey];
  if (variantKey !== null) return [type, experimentId ?? 0, variantKey];
  return experimentId !== null ? [type, experimentId] : [type];
}

function fromKindRow([type, experimentId, variantKey, flagKey, forced]: KindRow): EventKind {
  return {
    type,
    experimentId: experimentId || null,
    variantKey: variantKey || null,
    flagKey: flagKey || null,
    forced: forced === 1,
  };
}

function toJoinRow({ userId, unitId, experimentId, time }: Join, at: number): JoinRow {
  if (time !== undefined) return [userId, unitId, experimentId ?? 0, time - at];
  return experimentId === null ? [userId, unitId] : [userId, unitId, experimentId];
}

function fromJoinRow([userId, unitId, experimentId, time]: JoinRow, at: number): Join {
  return { userId, unitId, experimentId: experimentId || null, ...(time !== undefined && { time: at + time }) };
}

/** Returns an encoded record without some of its events, by their index. @throws SyntaxError if the bytes are not a record */
export function withoutEvents(bytes: Uint8Array, indexes: ReadonlySet<number>): Uint8Array {
  const record = decodeRecord(bytes);
  return encodeRecord({ ...record, events: record.events.filter((_, index) => !indexes.has(index)) });
}

/** @throws SyntaxError if the bytes are not a record */
export function decodeRecord(bytes: Uint8Array): EventRecord {
  return fromColumns(decodeColumns(bytes));
}

/** Decodes a record without an object for each event. @throws SyntaxError if the bytes are not a record */
export function decodeColumns(bytes: Uint8Array): RecordColumns {
  const row = JSON.parse(decoder.decode(bytes)) as RecordRow;
  if (row[0] === 1) return toColumns(fromRows(row[1], row[2], row[3]));
  if (row[0] !== 2) throw new SyntaxError(`Event record of version ${String(row[0])}`);
  const [, at, ids, userIds, kinds, kindOf, times, values, metadata = [], joins = []] = row;
  const { length } = userIds;
  return {
    at,
    ids: () => splitTexts(ids, length),
    userIds,
    kinds: kinds.map(fromKindRow),
    kindOf: kindOf || new Array<number>(length).fill(0),
    times: times.map((time) => at + time),
    values: values || new Array<null>(length).fill(null),
    metadata,
    joins: joins.map((join) => fromJoinRow(join, at)),
  };
}

function fromRows(at: number, rows: readonly EventRow[], joins: readonly JoinRow[] = []): EventRecord {
  const events = rows.map(([id, type, userId, time, experimentId, variantKey, flagKey, value, forced, metadata]) => ({
    id,
    userId,
    time: at + time,
    ...fromKindRow([type, experimentId, variantKey, flagKey, forced || undefined]),
    value: value ?? null,
    metadata: metadata ?? null,
  }));
  return { at, events, joins: joins.map((join) => fromJoinRow(join, at)) };
}
