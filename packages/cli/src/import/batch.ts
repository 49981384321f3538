import type { TrackingEvent } from "@assay/client";

/** The events of one request, with the row of each. */
export interface Batch {
  events: TrackingEvent[];
  /** Row numbers, in the order of `events`. */
  rows: number[];
  /** The number of rows, all complete. */
  rowCount: number;
}

/** The maximum size of a batch. The API accepts 5,000 events in 1,048,576 bytes; the rest is for the envelope. */
const MAX_BATCH_EVENTS = 5000;
const MAX_BATCH_BYTES = 1_000_000;

/** Gathers rows into batches of the maximum size, never splitting a row. */
export async function* toBatches(
  rows: AsyncIterable<{ number: number; events: TrackingEvent[] }>,
  maxEvents = MAX_BATCH_EVENTS,
  maxBytes = MAX_BATCH_BYTES,
): AsyncGenerator<Batch> {
  let batch: Batch = { events: [], rows: [], rowCount: 0 };
  let bytes = 0;
  for await (const { number, events } of rows) {
    const size = Buffer.byteLength(JSON.stringify(events));
    if (batch.rowCount > 0 && (batch.events.length + events.length > maxEvents || bytes + size > maxBytes)) {
      yield batch;
      batch = { events: [], rows: [], rowCount: 0 };
      bytes = 0;
    }
    for (const event of events) {
      batch.events.push(event);
      batch.rows.push(number);
    }
    batch.rowCount++;
    bytes += size;
  }
  if (batch.rowCount > 0) yield batch;
}
