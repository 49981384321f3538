import { type Allocate, allocate } from "./memory.ts";

/**
 * The columns of events: typed arrays that grow together. Only the first `length` items of each count.
 */
export interface EventColumns {
  length: number;
  readonly allocate: Allocate;
  /** Index of the user. */
  users: Uint32Array;
  /** Milliseconds since 1970. */
  times: Float64Array;
  /** Number of the kind. */
  kinds: Uint32Array;
  /** Value of the event, NaN without one; index of the unit in a join. */
  values: Float64Array;
}

/** The columns of journal records. The events of a record share one receipt time. */
export interface ReceiptColumns {
  length: number;
  /** Position in the journal. */
  positions: Float64Array;
  /** Milliseconds since 1970. */
  times: Float64Array;
  /** The record's first row; its last is before the next record's first. */
  starts: Uint32Array;
  /** Number of users and kinds known before the record. A chunk that starts here introduces those from there on. */
  userBases: Uint32Array;
  kindBases: Uint32Array;
}

const FIRST_CAPACITY = 1024;

export function createEventColumns(memory: Allocate = allocate): EventColumns {
  return {
    length: 0,
    allocate: memory,
    users: new Uint32Array(),
    times: new Float64Array(),
    kinds: new Uint32Array(),
    values: new Float64Array(),
  };
}

export function createReceiptColumns(): ReceiptColumns {
  return {
    length: 0,
    positions: new Float64Array(),
    times: new Float64Array(),
    starts: new Uint32Array(),
    userBases: new Uint32Array(),
    kindBases: new Uint32Array(),
  };
}

/** Makes room for this many more rows. */
export function reserveEvents(columns: EventColumns, rows: number): void {
  const capacity = grown(columns.users.length, columns.length + rows);
  if (capacity === columns.users.length) return;
  columns.users = copyInto(columns.allocate(Uint32Array, capacity), columns.users, columns.length);
  columns.times = copyInto(columns.allocate(Float64Array, capacity), columns.times, columns.length);
  columns.kinds = copyInto(columns.allocate(Uint32Array, capacity), columns.kinds, columns.length);
  columns.values = copyInto(columns.allocate(Float64Array, capacity), columns.values, columns.length);
}

/** Makes room for this many more records. */
export function reserveReceipts(columns: ReceiptColumns, records: number): void {
  const capacity = grown(columns.positions.length, columns.length + records);
  if (capacity === columns.positions.length) return;
  columns.positions = copyInto(new Float64Array(capacity), columns.positions, columns.length);
  columns.times = copyInto(new Float64Array(capacity), columns.times, columns.length);
  columns.starts = copyInto(new Uint32Array(capacity), columns.starts, columns.length);
  columns.userBases = copyInto(new Uint32Array(capacity), columns.userBases, columns.length);
  columns.kindBases = copyInto(new Uint32Array(capacity), columns.kindBases, columns.length);
}

/**
 * Returns a capacity that is half as large again, so that growing copies rarely and never holds twice the memory for
 * long.
 */
function grown(capacity: number, needed: number): number {
  if (needed <= capacity) return capacity;
  return Math.max(needed, FIRST_CAPACITY, Math.ceil(capacity * 1.5));
}

function copyInto<T extends Uint32Array | Float64Array>(target: T, source: T, length: number): T {
  target.set(source.subarray(0, length));
  return target;
}
