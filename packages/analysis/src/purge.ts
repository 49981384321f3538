import { decodeChunk } from "./chunk.ts";
import { JOIN } from "./event-kind.ts";
import type { GrowingLog } from "./event-log.ts";
import { filterChunk, type StrippedChunk } from "./person.ts";

/** The rows and users to remove from a log by age of receipt. */
export interface Purge {
  /** Milliseconds since 1970. */
  before: number;
  /** The end of the log. */
  position: number;
  /** Returns whether a user, by index, still has an event, or is joined with a user who has one. */
  keeps(user: number): boolean;
  strip(chunk: Uint8Array, details: Uint8Array | null): StrippedChunk | null;
}

/**
 * Creates the purge of events received before a time. Names without events are removed; joins of remaining users stay.
 */
export function createPurge(log: GrowingLog, before: number): Purge {
  const kept = keptUsers(log, before);
  return {
    before,
    position: log.position,
    keeps: (user) => kept[user] === 1,
    strip(chunk, details) {
      const columns = decodeChunk(chunk);
      return filterChunk(log, columns, details, {
        keepsRow: (row, isJoin, record) =>
          isJoin ? kept[columns.users[row]!] === 1 : columns.receivedAt[record]! >= before,
        keepsName: (user) => kept[user] === 1,
      });
    },
  };
}

/** Returns 1 by user index if an event is left, or if a join leads to a user with an event. */
function keptUsers(log: GrowingLog, before: number): Uint8Array {
  const { rows, receipts } = log;
  const kept = new Uint8Array(log.users.length);
  for (let record = 0; record < receipts.length; record++) {
    if (receipts.times[record]! < before) continue;
    const end = record + 1 < receipts.length ? receipts.starts[record + 1]! : rows.length;
    for (let row = receipts.starts[record]!; row < end; row++) {
      if (log.kinds[rows.kinds[row]!]!.type !== JOIN) kept[rows.users[row]!] = 1;
    }
  }
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    for (const row of log.joins) {
      const [user, unit] = [rows.users[row]!, rows.values[row]!];
      if (kept[user] === kept[unit]) continue;
      kept[user] = kept[unit] = 1;
      isGrowing = true;
    }
  }
  return kept;
}
