/**
 * Measures what requests cost in each shape, and writes docs/benchmarks/scale.md: `pnpm bench:scale [--quick]`. It needs a
 * PostgreSQL in BENCH_POSTGRES and a Redis in BENCH_REDIS, which keep what they acknowledge, and a ClickHouse in
 * BENCH_CLICKHOUSE.
 */
import { parseArgs } from "node:util";
import pg from "pg";
import { describeMachine } from "./measure/machine.ts";
import { medianOf } from "./measure/statistics.ts";
import { keepScale, readScale, scaleFilesOf, writeDocs } from "./report/files.ts";
import { type Cost, measureShape } from "./scale/measure.ts";
import { shapesOf } from "./scale/shapes.ts";

const { values } = parseArgs({ options: { quick: { type: "boolean", default: false } } });
const { BENCH_POSTGRES: postgres, BENCH_REDIS: redis, BENCH_CLICKHOUSE: clickhouse } = process.env;
if (!postgres || !redis || !clickhouse) {
  throw new Error("Set BENCH_POSTGRES, BENCH_REDIS and BENCH_CLICKHOUSE to the addresses of databases");
}
const client = new pg.Client({ connectionString: postgres });
await client.connect();
const { rows } = await client.query<{ fsync: string }>("SHOW fsync");
await client.end();
if (rows[0]?.fsync !== "on") throw new Error("This PostgreSQL acknowledges writes before they are on disk: set fsync");

const machine = describeMachine();
const shapes = shapesOf({ postgres, redis, clickhouse });
const measured: Cost[] = [];
const rounds = values.quick ? 1 : 3;
for (let round = 1; round <= rounds; round++) {
  for (const shape of shapes) {
    console.log(`round ${round} of ${rounds}: ${shape.name}`);
    measured.push(...(await measureShape(shape, values.quick ? 0.2 : 1)));
  }
}
const first = measured.slice(0, measured.length / rounds);
const costs = first.map((one): Cost => {
  const all = measured.filter(({ shape, work }) => shape === one.shape && work === one.work);
  const median = (name: "throughput" | "median" | "slow" | "serverCpu" | "databaseCpu" | "memory") =>
    medianOf(all.map((cost) => cost[name]));
  const { shape, work } = one;
  return {
    shape,
    work,
    throughput: median("throughput"),
    median: median("median"),
    slow: median("slow"),
    serverCpu: median("serverCpu"),
    databaseCpu: median("databaseCpu"),
    memory: median("memory"),
  };
});
const command = `pnpm bench:scale${values.quick ? " --quick" : ""}`;
await keepScale({ command, date: new Date().toISOString().slice(0, 10), machine, costs });
await writeDocs(scaleFilesOf(await readScale()));
