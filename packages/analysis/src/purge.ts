import { decodeChunk } from "./chunk.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import type { ChunkColumns } from "./event-log.ts";
import { filterChunk, type StrippedChunk } from "./person.ts";

/** The rows and users to remove from a log by age of receipt. */
export interface Purge {
  /** Milliseconds since 1970. */
  before: number;
  /** Notes who still has events in a chunk. Every chunk must be marked before anything is removed. */
  mark(chunk: ChunkColumns): void;
  /** Returns whether a user, by index, still has an event, or is joined with a user who has one. */
  keeps(user: number): boolean;
  /** Removes the old events from a chunk; null if there are none. */
  strip(chunk: Uint8Array, details: Uint8Array | null): StrippedChunk | null;
}

/**
 * Creates the purge of events received before a time. Names without events are removed; joins of remaining users stay.
 */
export function createPurge(kinds: readonly EventKind[], users: number, before: number): Purge {
  const kept = new Uint8Array(users);
  const joins: number[] = [];
  let isSpread = true;

  /** Keeps everyone who is joined with someone who is kept. */
  function spread(): void {
    while (!isSpread) {
      isSpread = true;
      for (let at = 0; at < joins.length; at += 2) {
        const [user, unit] = [joins[at]!, joins[at + 1]!];
        if (kept[user] === kept[unit]) continue;
        kept[user] = kept[unit] = 1;
        isSpread = false;
      }
    }
  }

  function keeps(user: number): boolean {
    spread();
    return kept[user] === 1;
  }

  return {
    before,
    mark(chunk) {
      let row = 0;
      for (let record = 0; record < chunk.counts.length; record++) {
        const isOld = chunk.receivedAt[record]! < before;
        for (const end = row + chunk.counts[record]!; row < end; row++) {
          if (kinds[chunk.kinds[row]!]!.type === JOIN) joins.push(chunk.users[row]!, chunk.values[row]!);
          else if (!isOld) kept[chunk.users[row]!] = 1;
        }
      }
      isSpread = false;
    },
    keeps,
    strip(chunk, details) {
      const columns = decodeChunk(chunk);
      return filterChunk(kinds, columns, details, {
        keepsRow: (row, isJoin, record) =>
          isJoin ? keeps(columns.users[row]!) : columns.receivedAt[record]! >= before,
        keepsName: keeps,
      });
    },
  };
}
