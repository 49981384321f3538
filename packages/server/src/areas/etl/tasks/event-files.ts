import { open } from "node:fs/promises";
import type { KeptEvent } from "@assay/analysis";
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { timestampOf } from "../../../ground/runtime.ts";

/** A file that events are written to in batches. */
export interface EventFile {
  write(events: readonly KeptEvent[]): Promise<void>;
  /** Flushes the file and makes it durable. Returns its size in bytes. */
  finish(): Promise<number>;
  close(): Promise<void>;
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

/** One JSON object per line, with times in ISO 8601. */
export async function createNdjsonFile(path: string): Promise<EventFile> {
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  return {
    async write(events) {
      const lines = events.map(({ timestamp, received_at, ...event }) =>
        JSON.stringify({ ...event, timestamp: timestampOf(timestamp), received_at: timestampOf(received_at) }),
      );
      const text = Buffer.from(`${lines.join("\n")}\n`);
      await file.writeFile(text);
      bytes += text.length;
    },
    async finish() {
      await file.sync();
      return bytes;
    },
    close: () => file.close(),
  };
}

/** Parquet with one column per field, and metadata as JSON text. */
export async function createParquetFile(path: string): Promise<EventFile> {
  const file = await open(path, "wx", 0o600);
  const writer = new ByteWriter();
  const optional = COLUMNS.map((column): SchemaElement => ({ ...column, repetition_type: "OPTIONAL" }));
  const schema: SchemaElement[] = [{ name: "events", num_children: COLUMNS.length }, ...optional];
  const parquet = new ParquetWriter({ writer, schema, createdBy: "assay" });
  let waiting: KeptEvent[] = [];

  async function drain(): Promise<void> {
    await file.writeFile(writer.getBytes());
    writer.index = 0;
  }

  async function writeGroup(): Promise<void> {
    const columnData = COLUMNS.map(({ name }) => ({ name, data: waiting.map((event) => cellOf(event, name)) }));
    await parquet.write({ columnData, rowGroupSize: Math.max(1, waiting.length) });
    waiting = [];
    await drain();
  }

  return {
    async write(events) {
      waiting.push(...events);
      if (waiting.length >= GROUP_ROWS) await writeGroup();
    },
    async finish() {
      if (waiting.length > 0) await writeGroup();
      await parquet.finish();
      await drain();
      await file.sync();
      return writer.offset;
    },
    close: () => file.close(),
  };
}

function cellOf(event: KeptEvent, name: keyof KeptEvent): string | number | boolean | Date | null {
  if (name === "timestamp" || name === "received_at") return new Date(event[name]);
  if (name === "event_metadata") return event.event_metadata && JSON.stringify(event.event_metadata);
  return event[name];
}
