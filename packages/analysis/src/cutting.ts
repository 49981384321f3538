import type { CutChunk } from "./analyst.ts";
import { cutChunk, encodeChunk } from "./chunk.ts";
import { type DetailRow, encodeDetails } from "./details.ts";
import type { GrowingLog } from "./event-log.ts";
import { segmentOf } from "./segment.ts";

/** Cuts a chunk of at least so many rows from the records after a position; null if there are not that many. */
export function cutAfter(log: GrowingLog, after: number, wanted: number): CutChunk | null {
  const { receipts } = log;
  const first = recordAfter(log, after);
  let end = first;
  while (end < receipts.length && rowAt(log, end) - rowAt(log, first) < wanted) end++;
  if (end === first || rowAt(log, end) - rowAt(log, first) < wanted) return null;
  const columns = cutChunk(log, first, end);
  return {
    from: columns.from,
    through: columns.through,
    rows: columns.users.length,
    chunk: encodeChunk(columns),
    details: detailsOf(log, first, end),
    segment: segmentOf(columns),
  };
}

/** Returns the first row of the records after a position. */
export function rowAfter(log: GrowingLog, position: number): number {
  return rowAt(log, recordAfter(log, position));
}

/** Returns the index of the first record after a position. */
function recordAfter({ receipts }: GrowingLog, position: number): number {
  let [low, high] = [0, receipts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (receipts.positions[middle]! <= position) low = middle + 1;
    else high = middle;
  }
  return low;
}

function rowAt({ receipts, rows }: GrowingLog, record: number): number {
  return record < receipts.length ? receipts.starts[record]! : rows.length;
}

function detailsOf(log: GrowingLog, first: number, end: number): Uint8Array | null {
  const details: DetailRow[] = [];
  for (let record = first; record < end; record++) {
    const start = rowAt(log, record);
    for (let row = start; row < rowAt(log, record + 1); row++) {
      const metadata = log.details.get(row);
      if (metadata) details.push([log.receipts.positions[record]!, row - start, metadata]);
    }
  }
  return details.length > 0 ? encodeDetails(details) : null;
}
