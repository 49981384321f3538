import type { JsonValue } from "@assay/core";
import type { EventKind } from "./event-kind.ts";
import type { ReadonlyRecord } from "./event-record.ts";

/** An event as stored. */
export interface KeptEvent {
  /** Id of the event; null in a chunk, because ids are only stored as long as they de-duplicate. */
  event_id: string | null;
  event_type: string;
  user_id: string;
  /** Milliseconds since 1970. */
  timestamp: number;
  received_at: number;
  experiment_id: string | null;
  variant_id: string | null;
  feature_flag_key: string | null;
  value: number | null;
  /** Whether the arm was forced instead of drawn. */
  forced: boolean;
  event_metadata: Record<string, JsonValue> | null;
}

/** Converts a row of the log to an event with the fields that are in columns. */
export function toKeptEvent(
  kind: EventKind,
  row: Pick<KeptEvent, "user_id" | "timestamp" | "received_at"> & { value: number },
): KeptEvent {
  return {
    event_id: null,
    event_type: kind.type,
    user_id: row.user_id,
    timestamp: row.timestamp,
    received_at: row.received_at,
    experiment_id: kind.experimentId,
    variant_id: kind.variantKey,
    feature_flag_key: kind.flagKey,
    value: Number.isNaN(row.value) ? null : row.value,
    forced: kind.forced,
    event_metadata: null,
  };
}

/** Returns the events of a record of the journal. */
export function keptEventsOf({ at, events }: ReadonlyRecord): KeptEvent[] {
  return events.map((event) => ({
    event_id: event.id,
    event_type: event.type,
    user_id: event.userId,
    timestamp: event.time,
    received_at: at,
    experiment_id: event.experimentId,
    variant_id: event.variantKey,
    feature_flag_key: event.flagKey,
    value: event.value,
    forced: event.forced,
    event_metadata: event.metadata,
  }));
}
