import { closeSync, fsyncSync, openSync, writeFileSync } from "node:fs";
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { KeptEvent } from "./kept-event.ts";

/** A new file that events are written to in batches. Its functions block their thread. */
export interface EventFile {
  write(events: readonly KeptEvent[]): void;
  /** Flushes the file and makes it durable. Returns its size in bytes. */
  finish(): number;
  close(): void;
}

type Column = { name: keyof KeptEvent } & Pick<SchemaElement, "type" | "converted_type">;

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8" } as const;
const INSTANT = { type: "INT64", converted_type: "TIMESTAMP_MILLIS" } as const;
const COLUMNS: Column[] = [
  { name: "event_id", ...TEXT },
  { name: "event_type", ...TEXT },
  { name: "user_id", ...TEXT },
  { name: "timestamp", ...INSTANT },
  { name: "received_at", ...INSTANT },
  { name: "experiment_id", ...TEXT },
  { name: "variant_id", ...TEXT },
  { name: "feature_flag_key", ...TEXT },
  { name: "value", type: "DOUBLE" },
  { name: "forced", type: "BOOLEAN" },
  { name: "event_metadata", ...TEXT },
];
/** Rows per Parquet row group, buffered in memory. */
const GROUP_ROWS = 20_000;

const timestampOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Creates a file that only its owner can read. */
const create = (path: string): number => openSync(path, "wx", 0o600);

/** One JSON object per line, with times in ISO 8601. */
export function createNdjsonFile(path: string): EventFile {
  const file = create(path);
  let bytes = 0;
  return {
    write(events) {
      const lines = events.map(({ timestamp, received_at, ...event }) =>
        JSON.stringify({ ...event, timestamp: timestampOf(timestamp), received_at: timestampOf(received_at) }),
      );
      const text = Buffer.from(`${lines.join("\n")}\n`);
      writeFileSync(file, text);
      bytes += text.length;
    },
    finish() {
      fsyncSync(file);
      return bytes;
    },
    close: () => closeSync(file),
  };
}

/** Parquet with one column per field, and metadata as JSON text. */
export function createParquetFile(path: string): EventFile {
  const file = create(path);
  const writer = new ByteWriter();
  const optional = COLUMNS.map((column): SchemaElement => ({ ...column, repetition_type: "OPTIONAL" }));
  const schema: SchemaElement[] = [{ name: "events", num_children: COLUMNS.length }, ...optional];
  const parquet = new ParquetWriter({ writer, schema, createdBy: "assay" });
  let waiting: KeptEvent[] = [];

  function drain(): void {
    writeFileSync(file, writer.getBytes());
    writer.index = 0;
  }

  function writeGroup(): void {
    const columnData = COLUMNS.map(({ name }) => ({ name, data: waiting.map((event) => cellOf(event, name)) }));
    // With a writer in memory, nothing is asynchronous.
    void parquet.write({ columnData, rowGroupSize: Math.max(1, waiting.length) });
    waiting = [];
    drain();
  }

  return {
    write(events) {
      waiting.push(...events);
      if (waiting.length >= GROUP_ROWS) writeGroup();
    },
    finish() {
      if (waiting.length > 0) writeGroup();
      void parquet.finish();
      drain();
      fsyncSync(file);
      return writer.offset;
    },
    close: () => closeSync(file),
  };
}

function cellOf(event: KeptEvent, name: keyof KeptEvent): string | number | boolean | Date | null {
  if (name === "timestamp" || name === "received_at") return new Date(event[name]);
  if (name === "event_metadata") return event.event_metadata && JSON.stringify(event.event_metadata);
  return event[name];
}
