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
  /** NaN for events without a value. */
  values: readonly number[];
  /** The metadata of the events that have some, in their order. */
  metadata: readonly PlacedMetadata[];
  joins: readonly Join[];
}

/** An event is compared with this many kinds at most. A kind before them is listed again, because a search would take longer. */
const MAX_COMPARED = 32;

/** The fields of a kind that say what an event belongs to. */
type References = Pick<EventKind, "experimentId" | "variantKey" | "flagKey">;

/** Collects the events of a record in columns, so that ingestion needs no object for each. */
export interface ColumnsBuilder {
  /** Returns the index of a kind, which it adds if it is new. */
  kind(type: string, references: References, forced: boolean): number;
  /** Adds an event. `kind` is an index. */
  add(
    kind: number,
    id: string,
    userId: string,
    time: number,
    value: number | null,
    metadata: Record<string, JsonValue> | null,
  ): void;
  /** Adds the events of other columns, except those at some indexes. */
  addAll(columns: RecordColumns, except: ReadonlySet<number>): void;
  /** Returns the columns. Nothing may be added afterwards. */
  build(joins: readonly Join[]): RecordColumns;
}

/**
 * Creates the collection of a record's events.
 * @param at time of receipt, milliseconds since 1970
 * @param expected the number of events to make room for
 */
export function createColumns(at: number, expected: number): ColumnsBuilder {
  return new Builder(at, expected);
}

/** A class, because each single event has a builder, whose functions would take longer to create than to call. */
class Builder implements ColumnsBuilder, RecordColumns {
  readonly at: number;
  readonly userIds: string[];
  readonly kinds: EventKind[] = [];
  readonly kindOf: number[];
  readonly times: number[];
  readonly values: number[];
  readonly metadata: PlacedMetadata[] = [];
  joins: readonly Join[] = [];
  private readonly names: string[];
  private length = 0;

  constructor(at: number, expected: number) {
    this.at = at;
    this.names = new Array<string>(expected);
    this.userIds = new Array<string>(expected);
    this.kindOf = new Array<number>(expected);
    this.times = new Array<number>(expected);
    this.values = new Array<number>(expected);
  }

  ids(): readonly string[] {
    return this.names;
  }

  kind(type: string, references: References, forced: boolean): number {
    return placeOf(this.kinds, type, references, forced);
  }

  add(
    kind: number,
    id: string,
    userId: string,
    time: number,
    value: number | null,
    metadata: Record<string, JsonValue> | null,
  ): void {
    const index = this.length++;
    this.names[index] = id;
    this.userIds[index] = userId;
    this.kindOf[index] = kind;
    this.times[index] = time;
    this.values[index] = value ?? Number.NaN;
    if (metadata !== null) this.metadata.push([index, metadata]);
  }

  addAll(columns: RecordColumns, except: ReadonlySet<number>): void {
    const { userIds, kinds, kindOf, times, values, metadata } = columns;
    const ids = columns.ids();
    const detailsOf = metadata.length > 0 ? new Map(metadata) : null;
    for (let index = 0; index < ids.length; index++) {
      if (except.has(index)) continue;
      const kind = kinds[kindOf[index]!]!;
      const place = this.kind(kind.type, kind, kind.forced);
      this.add(place, ids[index]!, userIds[index]!, times[index]!, values[index]!, detailsOf?.get(index) ?? null);
    }
  }

  build(joins: readonly Join[]): RecordColumns {
    this.joins = joins;
    if (this.length < this.names.length) {
      for (const column of [this.names, this.userIds, this.kindOf, this.times, this.values])
        column.length = this.length;
    }
    return this;
  }
}

/** Converts a record to columns. */
export function toColumns({ at, events, joins }: ReadonlyRecord): RecordColumns {
  const columns = createColumns(at, events.length);
  for (const event of events) {
    const { id, userId, time, value, metadata } = event;
    columns.add(columns.kind(event.type, event, event.forced), id, userId, time, value, metadata);
  }
  return columns.build(joins);
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
      value: Number.isNaN(values[index]) ? null : values[index]!,
      forced,
      metadata: metadata.get(index) ?? null,
    };
  });
  return { at, events, joins: [...joins] };
}

/** Returns the index of a kind, which it adds if it is new. */
function placeOf(kinds: EventKind[], type: string, references: References, forced: boolean): number {
  const { experimentId, variantKey, flagKey } = references;
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
