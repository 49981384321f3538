import type { JsonValue } from "@assay/core";
import type { EventRecord } from "./event-record.ts";
import { fromJoinRow, fromKindRow, type JoinRow, type KindRow } from "./event-rows.ts";
import { type PlacedMetadata, type RecordColumns, toColumns } from "./record-columns.ts";

/** Texts, joined by line feeds unless one of them has a line feed. */
type Texts = string | readonly string[];

/** A record of version 2, in columns. Times are relative to the receipt. */
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

/** Decodes a record of version 1 or 2, which are JSON. @throws SyntaxError if the text is not such a record */
export function decodeJsonRecord(text: string): RecordColumns {
  const row = JSON.parse(text) as RecordRow;
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
    values: values ? values.map((value) => value ?? Number.NaN) : new Array<number>(length).fill(Number.NaN),
    metadata,
    joins: joins.map((join) => fromJoinRow(join, at)),
  };
}

function splitTexts(texts: Texts, length: number): readonly string[] {
  if (length === 0) return [];
  return typeof texts === "string" ? texts.split("\n") : texts;
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
