import type { ChunkColumns, Gap } from "./event-log.ts";

/**
 * What a chunk contains, without its rows: enough to see whether a question needs them. Erasing events from a chunk leaves
 * it true, because it only says what there may be.
 */
export interface Segment {
  /** Positions of the first and last journal record. */
  from: number;
  through: number;
  rows: number;
  /** Number of users known before and after it. */
  userBase: number;
  users: number;
  /** The kinds of its rows, with the times of the first and last event, in milliseconds since 1970. */
  kinds: [kind: number, first: number, last: number][];
  /** Runs of records received on the same day, UTC. */
  days: ReceiptDay[];
  /** When the last record was received. */
  receivedAt: number;
  /** Gaps between its records. */
  gaps: Gap[];
}

/** Consecutive records received on one day, in milliseconds since 1970. */
export interface ReceiptDay {
  /** Of the first record. */
  position: number;
  at: number;
  earliest: number;
  latest: number;
}

const DAY = 86_400_000;

/** Describes a chunk. */
export function segmentOf(chunk: ChunkColumns): Segment {
  const { from, through, userBase, newUsers, users, positions, receivedAt } = chunk;
  return {
    from,
    through,
    rows: users.length,
    userBase,
    users: userBase + newUsers.length,
    kinds: kindsOf(chunk),
    days: daysOf(chunk),
    receivedAt: receivedAt[positions.length - 1] ?? 0,
    gaps: gapsOf(chunk),
  };
}

function kindsOf({ kinds, times }: ChunkColumns): Segment["kinds"] {
  const found = new Map<number, { first: number; last: number }>();
  for (let row = 0; row < kinds.length; row++) {
    const time = times[row]!;
    const range = found.get(kinds[row]!);
    if (!range) found.set(kinds[row]!, { first: time, last: time });
    else if (time < range.first) range.first = time;
    else if (time > range.last) range.last = time;
  }
  return [...found].map(([kind, { first, last }]) => [kind, first, last]);
}

function daysOf({ positions, receivedAt }: ChunkColumns): ReceiptDay[] {
  const days: ReceiptDay[] = [];
  let current = Number.NaN;
  for (let record = 0; record < positions.length; record++) {
    const at = receivedAt[record]!;
    const last = days.at(-1);
    if (last && Math.floor(at / DAY) === current) {
      last.earliest = Math.min(last.earliest, at);
      last.latest = Math.max(last.latest, at);
      continue;
    }
    current = Math.floor(at / DAY);
    days.push({ position: positions[record]!, at, earliest: at, latest: at });
  }
  return days;
}

function gapsOf({ positions, receivedAt }: ChunkColumns): Gap[] {
  const gaps: Gap[] = [];
  for (let record = 1; record < positions.length; record++) {
    if (positions[record]! === positions[record - 1]! + 1) continue;
    gaps.push({ after: receivedAt[record - 1]!, before: receivedAt[record]! });
  }
  return gaps;
}
