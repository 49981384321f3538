import { keepRows } from "./attributes.ts";
import type { ChunkColumns } from "./event-log.ts";
import type { Segment } from "./segment.ts";
import { EXPOSES, JOINS, JOINS_MEMBERS, KEPT, OUTCOME, type Selection, SKIPPED, TIMED } from "./selection.ts";

/** The rows of one chunk that an answer depends on, in order. Users and kinds have the numbers of the whole log. */
export type Piece = ChunkColumns;

/** What decides which rows of a chunk to keep. */
export interface Filter {
  selection: Selection;
  /** By kind: what its rows are. */
  roles: Uint8Array;
  /** By user: 1 for members. Others are not members. */
  members: Uint8Array;
  /** Outcomes of earlier times are not needed, in milliseconds since 1970. */
  earliest: number;
  /** Numbers times, so that records of the same number and day are received under the same rules. */
  eraOf(time: number): number;
}

const DAY = 86_400_000;

/**
 * Keeps the rows of a chunk that an answer depends on. Of records without such rows, it keeps the first of each day and
 * status, because a day on which anything was received is a look.
 */
export function toPiece(chunk: ChunkColumns, filter: Filter): Piece {
  const { rows, moved } = rowsToKeep(chunk, filter);
  const { records, counts } = recordsToKeep(chunk, moved, filter);
  const { selection } = filter;
  const own = chunk.attributes.filter(({ experimentId }) => selection.ids.includes(experimentId));
  return {
    ...{ from: chunk.from, through: chunk.through, userBase: 0, newUsers: [], kindBase: 0, newKinds: [] },
    users: rows.map((row) => chunk.users[row]!),
    kinds: rows.map((row) => chunk.kinds[row]!),
    times: pick(chunk.times, rows),
    values: pick(chunk.values, rows),
    positions: pick(chunk.positions, records),
    receivedAt: pick(chunk.receivedAt, records),
    counts,
    attributes: own.length > 0 ? keepRows(own, moved) : [],
  };
}

/** Returns the piece of a chunk without rows that an answer depends on. */
export function emptyPiece({ from, through, days }: Segment): Piece {
  return {
    ...{ from, through, userBase: 0, newUsers: [], kindBase: 0, newKinds: [], attributes: [] },
    users: new Uint32Array(),
    kinds: new Uint32Array(),
    times: new Float64Array(),
    values: new Float64Array(),
    positions: Float64Array.from(days, ({ position }) => position),
    receivedAt: Float64Array.from(days, ({ at }) => at),
    counts: new Uint32Array(days.length),
  };
}

/** Returns the bytes of memory that a piece takes. */
export function bytesOf({ users, positions, attributes }: Piece): number {
  return 24 * users.length + 20 * positions.length + attributes.reduce((sum, { rows }) => sum + 6 * rows.length, 0);
}

// Hot path: ten million rows; plain loops over typed arrays, without allocations.

/** Returns the rows to keep, and by row its new number; -1 for the others. */
function rowsToKeep(
  { users, kinds, times }: ChunkColumns,
  { roles, members, earliest, selection: { strata } }: Filter,
): { rows: Uint32Array; moved: Int32Array } {
  const rows = new Uint32Array(users.length);
  const moved = new Int32Array(users.length).fill(-1);
  let count = 0;
  for (let row = 0; row < users.length; row++) {
    const role = roles[kinds[row]!]!;
    if (role === SKIPPED) continue;
    if (role === OUTCOME && (members[users[row]!] !== 1 || times[row]! < earliest)) continue;
    if (role === JOINS && members[users[row]!] !== 1) continue;
    if (role === TIMED && !strata.some(({ from, to }) => times[row]! >= from && times[row]! < to)) continue;
    rows[count] = row;
    moved[row] = count++;
  }
  return { rows: rows.slice(0, count), moved };
}

/** Returns the records to keep, and how many rows of each. */
function recordsToKeep(
  { receivedAt, counts }: ChunkColumns,
  moved: Int32Array,
  { eraOf }: Filter,
): { records: Uint32Array; counts: Uint32Array } {
  const records = new Uint32Array(counts.length);
  const kept = new Uint32Array(counts.length);
  let [row, length, day, era] = [0, 0, Number.NaN, -1];
  for (let record = 0; record < counts.length; record++) {
    let rows = 0;
    for (const end = row + counts[record]!; row < end; row++) if (moved[row]! >= 0) rows++;
    const [ownDay, ownEra] = [Math.floor(receivedAt[record]! / DAY), eraOf(receivedAt[record]!)];
    if (rows === 0 && ownDay === day && ownEra === era) continue;
    [day, era] = [ownDay, ownEra];
    records[length] = record;
    kept[length++] = rows;
  }
  return { records: records.slice(0, length), counts: kept.slice(0, length) };
}

function pick(column: Float64Array, places: Uint32Array): Float64Array {
  const picked = new Float64Array(places.length);
  for (let at = 0; at < places.length; at++) picked[at] = column[places[at]!]!;
  return picked;
}

/** Whether rows of a role are needed of everyone. */
export const isOfEveryone = (role: number): boolean => role === KEPT || role === EXPOSES || role === JOINS_MEMBERS;
