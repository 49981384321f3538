import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@clickhouse/client";
import type { SimulatedEvents } from "./simulated-events.fixture.ts";

const FOLDER = fileURLToPath(new URL("../../../clickhouse", import.meta.url));

/** Whether ClickHouse's engine is installed; `pnpm test:clickhouse` installs it, because it takes 543 MB. */
export const hasClickHouse = existsSync(join(FOLDER, "node_modules", "chdb"));
if (!hasClickHouse) console.log("Skipped: tests with ClickHouse's engine (run pnpm test:clickhouse)");

const EXPOSURES =
  "user_id String, variant LowCardinality(String), seen_at DateTime64(3, 'UTC'), experiment String, forced Bool, received_at DateTime64(3, 'UTC'), country Nullable(String), city String, visits Int32, is_new Bool";
const EVENTS =
  "user_id String, event_type LowCardinality(String), happened_at DateTime64(3, 'UTC'), amount Nullable(Float64), experiment Nullable(String), event_id String, received_at DateTime64(3, 'UTC')";

/** Starts ClickHouse's engine on loopback, in a process of its own, and returns its connection. */
export async function startClickHouse() {
  const folder = await mkdtemp(join(tmpdir(), "assay-clickhouse-"));
  const spawnOn = (port: number) => {
    const words = [join(FOLDER, "serve.mjs"), join(folder, "data"), String(port)];
    return spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  };
  let child = spawnOn(0);
  const [printed] = await once(child.stdout, "data");
  const port = Number(String(printed));
  const url = `http://127.0.0.1:${port}`;
  const client = createClient({ url, username: "reader", password: "hunter2", request_timeout: 120_000 });
  const run = (query: string) => client.command({ query });
  return {
    connection: {
      name: "C",
      type: "CLICKHOUSE" as const,
      host: "127.0.0.1",
      port,
      database: "default",
      username: "reader",
      password: "hunter2",
      options: { ssl: "DISABLE" as const },
    },
    client,
    run,
    async load({ exposures, events }: SimulatedEvents) {
      for (const [name, columns, order, rows] of [
        ["exposures", EXPOSURES, "user_id", exposures],
        ["happenings", EVENTS, "(event_type, user_id, happened_at)", events],
      ] as const) {
        const file = join(folder, `${name}.jsonl`);
        await writeFile(file, rows.map((row) => JSON.stringify(row)).join("\n"));
        await run(`DROP TABLE IF EXISTS default.${name}`);
        await run(`CREATE TABLE default.${name} (${columns}) ENGINE = MergeTree ORDER BY ${order}`);
        await run(
          `INSERT INTO default.${name} SETTINGS date_time_input_format = 'best_effort' SELECT * FROM file('${file}', 'JSONEachRow', '${columns.replaceAll("'", "\\'")}')`,
        );
      }
    },
    /** Ends the process at once. */
    async crash() {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
    /** Starts it again on the same data, at the same port. */
    async start() {
      child = spawnOn(port);
      await once(child.stdout, "data");
    },
    async stop() {
      await client.close();
      child.kill();
      await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
