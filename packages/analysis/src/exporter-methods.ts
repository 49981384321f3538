import { createEventDecoder } from "./event-decoder.ts";
import { createNdjsonFile, createParquetFile, type EventFile } from "./event-file.ts";
import type { ExporterMethods } from "./exporter.ts";
import type { KeptEvent } from "./kept-event.ts";

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
