import { createAttributeLog } from "./attributes.ts";
import { createEventColumns, createReceiptColumns, reserveEvents, reserveReceipts } from "./columns.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import { analysedValue, type EventLog } from "./event-log.ts";
import type { Piece } from "./piece.ts";

/**
 * Joins pieces to a log. Users get new numbers in the order of the old ones, so that sums add up in the order of the whole
 * log, to the same last digit.
 */
export function joinPieces(
  pieces: readonly Piece[],
  kinds: readonly EventKind[],
  count: number,
  nameOf: (user: number) => string,
): EventLog {
  const present = usersOf(pieces, kinds, count);
  const numbers = new Uint32Array(count);
  const users: string[] = [];
  for (let user = 0; user < count; user++) if (present[user] === 1) numbers[user] = users.push(nameOf(user)) - 1;
  const [rows, receipts] = [createEventColumns(), createReceiptColumns()];
  const isJoin = kinds.map(({ type }) => type === JOIN);
  const joins: number[] = [];
  const attributes = createAttributeLog();
  reserveEvents(
    rows,
    pieces.reduce((sum, piece) => sum + piece.users.length, 0),
  );
  for (const piece of pieces) {
    const first = rows.length;
    addReceipts(receipts, piece, first);
    attributes.append(first, piece.attributes);
    rows.times.set(piece.times, first);
    rows.kinds.set(piece.kinds, first);
    for (let at = 0; at < piece.users.length; at++) {
      const row = first + at;
      rows.users[row] = numbers[piece.users[at]!]!;
      if (isJoin[piece.kinds[at]!]) {
        joins.push(row);
        rows.values[row] = numbers[piece.values[at]!]!;
      } else rows.values[row] = analysedValue(piece.values[at]!);
    }
    rows.length = first + piece.users.length;
  }
  return { rows, receipts, users, kinds, joins, attributes, outliers: new Map(), gaps: [] };
}

function addReceipts(receipts: ReturnType<typeof createReceiptColumns>, piece: Piece, first: number): void {
  reserveReceipts(receipts, piece.counts.length);
  receipts.positions.set(piece.positions, receipts.length);
  receipts.times.set(piece.receivedAt, receipts.length);
  let start = first;
  for (const count of piece.counts) {
    receipts.starts[receipts.length++] = start;
    start += count;
  }
}

/** Returns 1 by user for those in the rows of pieces. */
export function usersOf(pieces: readonly Piece[], kinds: readonly EventKind[], count: number): Uint8Array {
  const isJoin = kinds.map(({ type }) => type === JOIN);
  const users = new Uint8Array(count);
  for (const piece of pieces) {
    for (let row = 0; row < piece.users.length; row++) {
      users[piece.users[row]!] = 1;
      if (isJoin[piece.kinds[row]!]) users[piece.values[row]!] = 1;
    }
  }
  return users;
}
