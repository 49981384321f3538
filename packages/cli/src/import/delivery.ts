import { type Client, isAssayError } from "@assay/client";
import type { Batch } from "./batch.ts";

/** The outcome of the events so far. */
export interface Tally {
  rows: number;
  accepted: number;
  duplicates: number;
  rejected: number;
  /** The first reasons for rejections, with their rows. */
  reasons: string[];
  /** The server's warnings about accepted events, with counts. */
  remarks: Map<string, number>;
}

const MAX_REASONS = 5;
/** The maximum duration of a request, and of a delay that the server requests. */
const TIMEOUT_MS = 120_000;
/** The number of retries, about a minute together: enough to restart a server. */
const RETRIES = 10;

/**
 * Sends batches, some concurrently. Reads from the file only as fast as it sends.
 * @throws AssayError if the server is unreachable or rejects the credentials; batches sent before stay
 */
export async function deliver(
  client: Client,
  batches: AsyncGenerator<Batch>,
  concurrency: number,
  onProgress: (tally: Tally) => void,
): Promise<Tally> {
  const tally: Tally = { rows: 0, accepted: 0, duplicates: 0, rejected: 0, reasons: [], remarks: new Map() };
  const stop = new AbortController();
  const work = async () => {
    for (;;) {
      const { value: batch, done } = await batches.next();
      if (done || stop.signal.aborted) return;
      await send(client, batch, tally, stop.signal);
      tally.rows += batch.rowCount;
      onProgress(tally);
    }
  };
  try {
    await Promise.all(Array.from({ length: concurrency }, work));
  } finally {
    stop.abort();
    await batches.return(undefined);
  }
  return tally;
}

async function send(client: Client, { events, rows }: Batch, tally: Tally, signal: AbortSignal): Promise<void> {
  const reject = (row: number | undefined, reason: string) => {
    if (tally.reasons.length < MAX_REASONS) tally.reasons.push(row === undefined ? reason : `row ${row}: ${reason}`);
  };
  try {
    const answer = await client.request("POST /tracking/events", {
      body: { events },
      signal,
      timeout: TIMEOUT_MS,
      retries: RETRIES,
    });
    tally.accepted += answer.accepted;
    tally.duplicates += answer.duplicates;
    tally.rejected += answer.rejected;
    for (const { index, loc, msg } of answer.errors) reject(rows[index], `${loc.at(-1)}: ${msg}`);
    for (const { msg } of answer.warnings ?? []) tally.remarks.set(msg, (tally.remarks.get(msg) ?? 0) + 1);
  } catch (error) {
    // The answer if the server rejects every event of the batch.
    if (!isAssayError(error) || error.code !== "VALIDATION") throw error;
    tally.rejected += events.length;
    for (const { loc, msg } of error.issues) {
      const index = loc.find((part) => typeof part === "number");
      reject(index === undefined ? undefined : rows[index], `${loc.at(-1)}: ${msg}`);
    }
  }
}
