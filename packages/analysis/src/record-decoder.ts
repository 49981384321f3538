import { decodeChunk } from "./chunk.ts";
import { decodeDetails } from "./details.ts";
import type { PlacedRecord } from "./event-engine.ts";
import { type EventKind, JOIN } from "./event-kind.ts";
import type { Join, StoredEvent } from "./event-record.ts";

/** Decodes the chunks of a log, in order, to the records of which they were cut. */
export interface RecordDecoder {
  /** Later chunks need the names of earlier ones. Ids of events are empty, because chunks have none. */
  records(chunk: Uint8Array, details: Uint8Array | null): PlacedRecord[];
}

/** Creates the decoder. It remembers the users and kinds that chunks introduce. */
export function createRecordDecoder(): RecordDecoder {
  const users: (string | undefined)[] = [];
  const kinds: (EventKind | undefined)[] = [];

  return {
    records(bytes, details) {
      const chunk = decodeChunk(bytes);
      for (const [index, user] of chunk.newUsers.entries()) users[chunk.userBase + index] = user;
      for (const [index, kind] of chunk.newKinds.entries()) kinds[chunk.kindBase + index] = kind;
      const rows = details ? decodeDetails(details) : [];
      const metadataOf = new Map(rows.map(([position, index, metadata]) => [`${position},${index}`, metadata]));
      let row = 0;
      return Array.from(chunk.positions, (position, record): PlacedRecord => {
        const events: StoredEvent[] = [];
        const joins: Join[] = [];
        const start = row;
        for (row = start; row < start + chunk.counts[record]!; row++) {
          const kind = kinds[chunk.kinds[row]!];
          const userId = users[chunk.users[row]!];
          // Kinds and users of some events may have been in a lost chunk.
          if (kind === undefined || userId === undefined) continue;
          const [time, value] = [chunk.times[row]!, chunk.values[row]!];
          if (kind.type === JOIN) {
            const unitId = users[value];
            if (unitId !== undefined) joins.push({ userId, unitId, experimentId: kind.experimentId, time });
            continue;
          }
          const { type, experimentId, variantKey, flagKey, forced } = kind;
          const metadata = metadataOf.get(`${position},${row - start}`) ?? null;
          const sent = Number.isNaN(value) ? null : value;
          events.push({ id: "", type, userId, time, experimentId, variantKey, flagKey, value: sent, forced, metadata });
        }
        return { position, record: { at: chunk.receivedAt[record]!, events, joins } };
      });
    },
  };
}
