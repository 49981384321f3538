import type { ReceivedRecord } from "./analyst.ts";
import { createEventDecoder, type PositionRange } from "./event-decoder.ts";
import { createNdjsonFile, createParquetFile, type EventFile } from "./event-file.ts";
import type { KeptEvent } from "./kept-event.ts";
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

/** Creates the methods, without a file. */
export function createExporterMethods(): ExporterMethods {
  const decoder = createEventDecoder();
  let file: EventFile | null = null;
  let isWanted: (event: KeptEvent) => boolean = () => true;

  function write(events: readonly KeptEvent[]): number {
    const wanted = events.filter(isWanted);
    if (wanted.length > 0) file?.write(wanted);
    return wanted.length;
  }

  function abandon(): void {
    file?.close();
    file = null;
  }

  return {
    open(path, format, { from, to, experimentId }) {
      file = format === "PARQUET" ? createParquetFile(path) : createNdjsonFile(path);
      isWanted = ({ received_at, experiment_id }) =>
        (from === null || received_at >= from) &&
        (to === null || received_at < to) &&
        (experimentId === null || experiment_id === experimentId);
    },
    chunk(bytes, details, range) {
      let rows = 0;
      for (const events of decoder.chunk(bytes, details, range)) rows += write(events);
      return rows;
    },
    records: (records) => write(decoder.records(records)),
    finish() {
      const bytes = file?.finish() ?? 0;
      abandon();
      return bytes;
    },
    abandon,
  };
}

/** Starts an exporter in a worker thread; in this thread, which it blocks, if worker threads are not available. */
export async function startExporter(): Promise<Exporter> {
  return startCaller<ExporterMethods>("exporter").catch(() => createInlineCaller(createExporterMethods()));
}
