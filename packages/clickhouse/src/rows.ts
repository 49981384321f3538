import type { EventRecord, Join, PlacedRecord, StoredEvent } from "@assay/analysis";
import { fromText, toText } from "./text.ts";

/** What a row holds: an event, a join of two ids, a record without either, or how far the copy reaches. */
export type RowKind = "event" | "join" | "receipt" | "progress";

/** The columns of a row, in the order in which they are written and read. */
export const COLUMNS = [
  "log",
  "position",
  "idx",
  "kind",
  "received_ms",
  "event_type",
  "user_id",
  "unit_id",
  "time_ms",
  "experiment_id",
  "variant_key",
  "flag_key",
  "value",
  "forced",
  "event_id",
  "metadata",
] as const;

/** A row as JSON. */
export type Row = [
  log: string,
  position: number,
  idx: number,
  kind: RowKind,
  received_ms: number,
  event_type: string,
  user_id: string,
  unit_id: string,
  time_ms: number,
  experiment_id: string,
  variant_key: string,
  flag_key: string,
  value: number | null,
  forced: boolean,
  event_id: string,
  metadata: string,
];

/** Returns the rows of a record: its joins, then its events, each with its place; a receipt if it has neither. */
export function toRows(log: string, { position, record }: PlacedRecord): Row[] {
  const { at, events, joins } = record;
  if (joins.length + events.length === 0) return [toMark(log, "receipt", position, at, "")];
  return [
    ...joins.map((join, index) => toJoinRow(log, position, index, at, join)),
    ...events.map((event, index) => toEventRow(log, position, joins.length + index, at, event)),
  ];
}

/** Returns a row that is about a position alone. */
export function toMark(log: string, kind: RowKind, position: number, at: number, metadata: string): Row {
  return [log, position, 0, kind, at, "", "", "", at, "", "", "", null, false, "", metadata];
}

function toJoinRow(log: string, position: number, index: number, at: number, join: Join): Row {
  const { userId, unitId, experimentId, time = at } = join;
  const names = [toText(userId), toText(unitId), time, toText(experimentId ?? "")] as const;
  return [log, position, index, "join", at, "", ...names, "", "", null, false, "", ""];
}

function toEventRow(log: string, position: number, index: number, at: number, event: StoredEvent): Row {
  const { id, type, userId, time, experimentId, variantKey, flagKey, value, forced, metadata } = event;
  const names = [toText(experimentId ?? ""), toText(variantKey ?? ""), toText(flagKey ?? "")] as const;
  const details = metadata === null ? "" : JSON.stringify(metadata);
  const ids = [toText(type), toText(userId), "", time] as const;
  return [log, position, index, "event", at, ...ids, ...names, value, forced, toText(id), details];
}

/** Gathers rows, in order of position and place, to records. */
export interface Gathering {
  /** Adds a row. Returns the record before it, once it is complete. */
  add(row: Row): PlacedRecord | null;
  /** Returns the last record, if there is one. */
  end(): PlacedRecord | null;
}

/** Starts to gather rows. */
export function createGathering(): Gathering {
  let open: PlacedRecord | null = null;
  return {
    add(row) {
      const position = Number(row[1]);
      const before: PlacedRecord | null = open?.position === position ? null : open;
      if (open?.position !== position) open = { position, record: { at: Number(row[4]), events: [], joins: [] } };
      addRow(open.record, row);
      return before;
    },
    end: () => open,
  };
}

function addRow({ events, joins }: EventRecord, row: Row): void {
  const [, , , kind, , type, user, unit, time, experiment, variant, flag, value, forced, id, metadata] = row;
  const [userId, experimentId] = [fromText(user), fromText(experiment) || null];
  if (kind === "join") joins.push({ userId, unitId: fromText(unit), experimentId, time: Number(time) });
  if (kind !== "event") return;
  events.push({
    id: fromText(id),
    type: fromText(type),
    userId,
    time: Number(time),
    experimentId,
    variantKey: fromText(variant) || null,
    flagKey: fromText(flag) || null,
    value,
    forced,
    metadata: metadata === "" ? null : (JSON.parse(metadata) as StoredEvent["metadata"]),
  });
}
