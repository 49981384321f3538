import { keepRows } from "./attributes.ts";
import { decodeChunk, encodeChunk } from "./chunk.ts";
import { type DetailRow, decodeDetails, encodeDetails } from "./details.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import type { ChunkColumns, GrowingLog } from "./event-log.ts";
import { type KeptEvent, toKeptEvent } from "./kept-event.ts";

/** An event of a person, found in the log. */
export interface PersonEvent extends KeptEvent {
  /** Position of its record in the journal, and its index there. */
  position: number;
  index: number;
}

/** A position in the events of a person. Erasing other people does not move it. */
export interface PersonCursor {
  /** A record of the journal. */
  position: number;
  /** Number of the person's events in the record that have been read. */
  taken: number;
}

/** The names of a log by which its chunks are read. */
export type LogNames = Pick<GrowingLog, "kinds" | "indexOf">;

/** Finds up to `limit` events of a person in a chunk from a cursor on, oldest receipt first. */
export function findEvents(
  { kinds, indexOf }: LogNames,
  chunk: ChunkColumns,
  ids: readonly string[],
  limit: number,
  from: PersonCursor = { position: 0, taken: 0 },
): PersonEvent[] {
  const nameOf = new Map(ids.map((id) => [indexOf(id), id]));
  nameOf.delete(undefined);
  const events: PersonEvent[] = [];
  let row = 0;
  for (let record = 0; record < chunk.counts.length; record++) {
    const position = chunk.positions[record]!;
    const start = row;
    row += chunk.counts[record]!;
    if (position < from.position) continue;
    let toSkip = position === from.position ? from.taken : 0;
    for (let at = start; at < row; at++) {
      const kind = kinds[chunk.kinds[at]!]!;
      const user_id = nameOf.get(chunk.users[at]!);
      if (user_id === undefined || kind.type === JOIN) continue;
      if (toSkip-- > 0) continue;
      if (events.length >= limit) return events;
      const event = toKeptEvent(kind, {
        user_id,
        timestamp: chunk.times[at]!,
        received_at: chunk.receivedAt[record]!,
        value: chunk.values[at]!,
      });
      events.push({ ...event, position, index: at - start });
    }
  }
  return events;
}

/** A chunk without the rows of a person. */
export interface StrippedChunk {
  chunk: Uint8Array;
  details: Uint8Array | null;
  removed: number;
}

/** Removes a person from a chunk; null if the chunk does not contain them. The index stays reserved, without a name. */
export function stripChunk(
  { kinds, indexOf }: LogNames,
  ids: readonly string[],
  chunk: Uint8Array,
  details: Uint8Array | null,
): StrippedChunk | null {
  const wanted = new Set(ids.map((id) => indexOf(id)));
  const columns = decodeChunk(chunk);
  const names = new Set(ids);
  return filterChunk(kinds, columns, details, {
    keepsRow: (row, isJoin) => !wanted.has(columns.users[row]!) && !(isJoin && wanted.has(columns.values[row]!)),
    keepsName: (user) => !names.has(columns.newUsers[user - columns.userBase]!),
  });
}

/** The parts of a chunk to keep. */
export interface ChunkFilter {
  /** Returns whether to keep a row, by its index in the chunk. */
  keepsRow(row: number, isJoin: boolean, record: number): boolean;
  /** Returns whether to keep a user, by index. */
  keepsName(user: number): boolean;
}

/** Removes rows and names from a chunk; null if there are none to remove. Indexes stay reserved. */
export function filterChunk(
  kinds: readonly EventKind[],
  columns: ChunkColumns,
  details: Uint8Array | null,
  { keepsRow, keepsName }: ChunkFilter,
): StrippedChunk | null {
  const isJoin = (row: number) => kinds[columns.kinds[row]!]!.type === JOIN;
  const keep: number[] = [];
  const counts = columns.counts.slice();
  const places = new Map<string, number>();
  let row = 0;
  let removed = 0;
  for (let record = 0; record < counts.length; record++) {
    const start = row;
    let kept = 0;
    for (; row < start + columns.counts[record]!; row++) {
      if (!keepsRow(row, isJoin(row), record)) {
        if (!isJoin(row)) removed++;
        continue;
      }
      places.set(`${columns.positions[record]},${row - start}`, kept++);
      keep.push(row);
    }
    counts[record] = kept;
  }
  const newUsers = columns.newUsers.map((user, index) => (keepsName(columns.userBase + index) ? user : ""));
  const isSame = newUsers.every((user, index) => user === columns.newUsers[index]);
  if (keep.length === columns.users.length && isSame) return null;
  const moved = new Int32Array(columns.users.length).fill(-1);
  for (const [place, index] of keep.entries()) moved[index] = place;
  const stripped: ChunkColumns = {
    ...columns,
    attributes: keepRows(columns.attributes, moved),
    newUsers,
    counts,
    users: Uint32Array.from(keep, (index) => columns.users[index]!),
    times: Float64Array.from(keep, (index) => columns.times[index]!),
    kinds: Uint32Array.from(keep, (index) => columns.kinds[index]!),
    values: Float64Array.from(keep, (index) => columns.values[index]!),
  };
  return { chunk: encodeChunk(stripped), details: details && stripDetails(details, places), removed };
}

function stripDetails(details: Uint8Array, places: Map<string, number>): Uint8Array {
  const rows = decodeDetails(details).flatMap(([position, index, metadata]): DetailRow[] => {
    const place = places.get(`${position},${index}`);
    return place === undefined ? [] : [[position, place, metadata]];
  });
  return encodeDetails(rows);
}
