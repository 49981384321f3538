import { pipeline } from "node:stream/promises";
import pg from "pg";
import { BATCH } from "../http/cases.ts";
import type { Subject } from "../measure/interleave.ts";
import { importPeer } from "../peers/installed.ts";
import { createDatabase } from "../postgres/database.ts";
import { BATCHES, SIZE } from "./writers.ts";

const COLUMNS = {
  event_id: "uuid",
  event_type: "text",
  user_id: "text",
  experiment_id: "text",
  variant_id: "text",
  value: "double precision",
  timestamp: "timestamptz",
};

/** Writes batches by COPY into a table of a new database; `measure` returns events per second. */
export async function openCopy(databaseUrl: string): Promise<Subject & { close(): Promise<void> }> {
  const { copyFrom } = (await importPeer("ingestion/copy-from.ts")) as {
    copyFrom(statement: string): pg.Submittable & NodeJS.WritableStream;
  };
  const { url, drop } = await createDatabase(databaseUrl);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const columns = Object.entries(COLUMNS).map(([name, type]) => `"${name}" ${type}`);
  await client.query(`CREATE TABLE events (${columns.join(", ")})`);
  return {
    name: "PostgreSQL COPY",
    async measure() {
      const batches = Array.from({ length: BATCHES }, () => {
        const { events } = BATCH.body!() as { events: object[] };
        return events.map((event) => `${Object.values(event).join("\t")}\n`).join("");
      });
      const start = performance.now();
      for (const batch of batches) await pipeline([batch], client.query(copyFrom("COPY events FROM STDIN")));
      return (BATCHES * SIZE * 1_000) / (performance.now() - start);
    },
    async close() {
      await client.end();
      await drop();
    },
  };
}
