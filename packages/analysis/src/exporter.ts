import type { ReceivedRecord } from "./analyst.ts";
import type { PositionRange } from "./event-decoder.ts";
import { type Caller, createInlineCaller, startCaller } from "./thread-caller.ts";

/** The events that an export contains; plain data, so that it can be sent to a worker. */
export interface ExportFilter {
  /** Received at or after this time, in milliseconds since 1970; null for any time. */
  from: number | null;
  /** Received before this time, in milliseconds since 1970; null for any time. */
  to: number | null;
  /** The id of the experiment that they name; null for any. */
  experimentId: string | null;
}

/** The methods of an exporter, which decodes parts of the log and writes their events to a file. */
export interface ExporterMethods {
  /** Creates the file, which must not exist. */
  open(path: string, format: "NDJSON" | "PARQUET", filter: ExportFilter): void;
  /** Writes the events of a chunk in a range of positions. Returns how many pass the filter. */
  chunk(bytes: Uint8Array, details: Uint8Array | null, range: PositionRange): number;
  /** Writes the events of records. Returns how many pass the filter. */
  records(records: readonly ReceivedRecord[]): number;
  /** Flushes the file, makes it durable and closes it. Returns its size in bytes. */
  finish(): number;
  /** Closes the file if it is open. */
  abandon(): void;
}

/** Runs an exporter's methods, here or in another thread, one at a time and in order. */
export type Exporter = Caller<ExporterMethods>;

/**
 * Starts an exporter in a worker thread; in this thread, which it blocks, if worker threads are not available. Only then
 * does this thread load the writer of Parquet.
 */
export async function startExporter(): Promise<Exporter> {
  return startCaller<ExporterMethods>("exporter").catch(async () => {
    const { createExporterMethods } = await import("./exporter-methods.ts");
    return createInlineCaller(createExporterMethods());
  });
}
