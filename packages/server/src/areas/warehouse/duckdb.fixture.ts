import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { SimulatedEvents } from "./simulated-events.fixture.ts";

/** Creates a temporary folder with the events as a database file and as Parquet files. */
export async function createTestFolder() {
  const directory = await mkdtemp(join(tmpdir(), "assay-warehouse-"));
  return {
    directory,
    database: join(directory, "warehouse.duckdb"),
    parquet: join(directory, "parquet"),
    async load({ exposures, events }: SimulatedEvents) {
      await mkdir(join(directory, "parquet", "happenings"), { recursive: true });
      await writeFile(join(directory, "exposures.json"), JSON.stringify(exposures));
      await writeFile(join(directory, "events.json"), JSON.stringify(events));
      await run(join(directory, "warehouse.duckdb"), [
        `CREATE TABLE exposures AS SELECT * FROM read_json('${join(directory, "exposures.json")}', columns = {user_id: 'VARCHAR', variant: 'VARCHAR', seen_at: 'TIMESTAMPTZ', experiment: 'VARCHAR', forced: 'BOOLEAN', received_at: 'TIMESTAMPTZ', country: 'VARCHAR', city: 'VARCHAR', visits: 'INTEGER', is_new: 'BOOLEAN'})`,
        `CREATE TABLE happenings AS SELECT * FROM read_json('${join(directory, "events.json")}', columns = {user_id: 'VARCHAR', event_type: 'VARCHAR', happened_at: 'TIMESTAMP', amount: 'DOUBLE', experiment: 'VARCHAR', event_id: 'VARCHAR', received_at: 'TIMESTAMP'})`,
        `COPY exposures TO '${join(directory, "parquet", "exposures.parquet")}'`,
        `COPY (SELECT * FROM happenings WHERE hash(user_id) % 2 = 0) TO '${join(directory, "parquet", "happenings", "0.parquet")}'`,
        `COPY (SELECT * FROM happenings WHERE hash(user_id) % 2 = 1) TO '${join(directory, "parquet", "happenings", "1.parquet")}'`,
      ]);
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** Runs statements on a database file. */
export async function run(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}
