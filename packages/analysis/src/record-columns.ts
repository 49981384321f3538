import type { JsonValue } from "@assay/core";
import type { EventKind } from "./event-kind.ts";
import type { EventRecord, Join, ReadonlyRecord, StoredEvent } from "./event-record.ts";

/** Metadata of one event of a record, by its index. */
export type PlacedMetadata = readonly [index: number, metadata: Record<string, JsonValue>];

/**
 * A record of the journal in columns, as it is stored: the analysis reads millions of events, and objects of each would
 * cost more than all else. Every column has one place for each event.
 */
export interface RecordColumns {
  /** Time of receipt, milliseconds since 1970. */
  at: number;
  /** Returns the ids; the analysis does not read them. */
  ids(): readonly string[];
  userIds: readonly string[];
  /** What events share, in the order of the first event of each. */
  kinds: readonly EventKind[];
  /** Index of the kind of each event in `kinds`. */
  kindOf: readonly number[];
  /** Milliseconds since 1970. */
  times: readonly number[];
  values: readonly (number | null)[];
  /** The metadata of the events that have some, in their order. */
  metadata: readonly PlacedMetadata[];
  joins: readonly Join[];
}

/** An event is compared with this many kinds at most. A kind before them is listed again, because a search would take longer. */
const MAX_COMPARED = 32;

/** Converts a record to columns. */
export function toColumns({ at, events, joins }: ReadonlyRecord): RecordColumns {
  const kinds: EventKind[] = [];
  const metadata: PlacedMetadata[] = [];
  const { length } = events;
  const [ids, userIds] = [new Array<string>(length), new Array<string>(length)];
  const [kindOf, times] = [new Array<number>(length), new Array<number>(length)];
  const values = new Array<number | null>(length);
  for (let index = 0; index < length; index++) {
    const event = events[index]!;
    ids[index] = event.id;
    userIds[index] = event.userId;
    kindOf[index] = placeOf(kinds, event);
    times[index] = event.time;
    values[index] = event.value;
    if (event.metadata !== null) metadata.push([index, event.metadata]);
  }
  return { at, ids: () => ids, userIds, kinds, kindOf, times, values, metadata, joins };
}

/** Converts columns to a record. */
export function fromColumns(columns: RecordColumns): EventRecord {
  const { at, userIds, kinds, kindOf, times, values, joins } = columns;
  const ids = columns.ids();
  const metadata = new Map(columns.metadata);
  const events = userIds.map((userId, index): StoredEvent => {
    const { type, experimentId, variantKey, flagKey, forced } = kinds[kindOf[index]!]!;
    return {
      id: ids[index]!,
      type,
      userId,
      time: times[index]!,
      experimentId,
      variantKey,
      flagKey,
      value: values[index]!,
      forced,
      metadata: metadata.get(index) ?? null,
    };
  });
  return { at, events, joins: [...joins] };
}

/** Returns the index of the kind of an event, which it adds if it is new. */
function placeOf(kinds: EventKind[], { type, experimentId, variantKey, flagKey, forced }: StoredEvent): number {
  const last = Math.max(0, kinds.length - MAX_COMPARED);
  for (let place = kinds.length - 1; place >= last; place--) {
    const kind = kinds[place]!;
    if (
      kind.type === type &&
      kind.experimentId === experimentId &&
      kind.variantKey === variantKey &&
      kind.flagKey === flagKey &&
      kind.forced === forced
    ) {
      return place;
    }
  }
  return kinds.push({ type, experimentId, variantKey, flagKey, forced }) - 1;
}
