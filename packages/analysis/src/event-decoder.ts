import type { ReceivedRecord } from "./analyst.ts";
import { decodeChunk } from "./chunk.ts";
import { type DetailRow, decodeDetails } from "./details.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import { decodeRecord } from "./event-record.ts";
import { type KeptEvent, keptEventsOf, toKeptEvent } from "./kept-event.ts";

/** Positions in the journal: those after one, up to and including another. */
export interface PositionRange {
  after: number;
  end: number;
}

/** Decodes the parts of the log to events. */
export interface EventDecoder {
  /** Yields the events of a chunk in a range, a few thousand at a time. Later chunks need the names of earlier ones. */
  chunk(bytes: Uint8Array, details: Uint8Array | null, range: PositionRange): Generator<KeptEvent[]>;
  records(records: readonly ReceivedRecord[]): KeptEvent[];
}

const BATCH = 5000;

/** Creates the decoder. It remembers the users and kinds that chunks introduce. */
export function createEventDecoder(): EventDecoder {
  const users: (string | undefined)[] = [];
  const kinds: (EventKind | undefined)[] = [];

  return {
    *chunk(bytes, details, range) {
      const chunk = decodeChunk(bytes);
      for (const [index, user] of chunk.newUsers.entries()) users[chunk.userBase + index] = user;
      for (const [index, kind] of chunk.newKinds.entries()) kinds[chunk.kindBase + index] = kind;
      const detailOf = createDetailReader(details ? decodeDetails(details) : []);
      let batch: KeptEvent[] = [];
      let row = 0;
      for (let record = 0; record < chunk.counts.length; record++) {
        const position = chunk.positions[record]!;
        const start = row;
        row += chunk.counts[record]!;
        if (position <= range.after || position > range.end) continue;
        for (let index = start; index < row; index++) {
          const kind = kinds[chunk.kinds[index]!];
          const user_id = users[chunk.users[index]!];
          const detail = detailOf(position, index - start);
          // Kinds and users of some events may have been in a lost chunk.
          if (kind === undefined || user_id === undefined || kind.type === JOIN) continue;
          const event = toKeptEvent(kind, {
            user_id,
            timestamp: chunk.times[index]!,
            received_at: chunk.receivedAt[record]!,
            value: chunk.values[index]!,
          });
          batch.push({ ...event, event_metadata: detail });
          if (batch.length < BATCH) continue;
          yield batch;
          batch = [];
        }
      }
      if (batch.length > 0) yield batch;
    },
    records: (records) => records.flatMap(({ record }) => keptEventsOf(decodeRecord(record))),
  };
}

/** Returns a function that finds the metadata of events. The rows and the calls are in row order. */
function createDetailReader(rows: readonly DetailRow[]) {
  let next = 0;
  return (position: number, index: number): KeptEvent["event_metadata"] => {
    while (rows[next] && isBefore(rows[next]!, position, index)) next++;
    const found = rows[next];
    return found?.[0] === position && found[1] === index ? found[2] : null;
  };
}

function isBefore([at, place]: DetailRow, position: number, index: number): boolean {
  return at < position || (at === position && place < index);
}
