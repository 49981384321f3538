import { cpuOf } from "../measure/cpu.ts";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { type Measurement, toMeasurements } from "../measure/measurement.ts";
import { versionOf } from "../peers/installed.ts";
import { loadAnalyst } from "./analyst.ts";
import { openDuckDb, warehouseSql } from "./duckdb.ts";
import { writeParquet } from "./parquet.ts";

const RECOMPUTE = "recomputation of an experiment";
const RECOMPUTE_TIME = "recomputation of an experiment: elapsed time";
/** Numbers of threads. */
const [ONE, TWO] = [1, 2] as const;
const ASSAY = { [ONE]: "Assay, 1 thread", [TWO]: "Assay, 2 threads" };
const DUCKDB = { [ONE]: "DuckDB, 1 thread", [TWO]: "DuckDB, 2 threads" };
const ON_DISK = "compacted columns";
const ROUNDS = 5;

async function compareWithDuckDb(events: number): Promise<Measurement[]> {
  const folder = await writeParquet(events);
  const { statements, users } = await warehouseSql(folder);
  const subjects: { name: string; run(): Promise<unknown> }[] = [];
  const closing: (() => unknown)[] = [];
  let bytesPerEvent = Number.NaN;
  for (const threads of [ONE, TWO]) {
    const analyst = await loadAnalyst(folder, threads);
    const ours = await analyst.recompute();
    if (ours.users.join() !== users.join()) throw new Error(`Assay finds ${ours.users} users, and DuckDB ${users}`);
    const duckDb = await openDuckDb(folder, threads);
    subjects.push({ name: ASSAY[threads], run: analyst.recompute });
    subjects.push({ name: DUCKDB[threads], run: () => duckDb.run(statements) });
    closing.push(analyst.close, duckDb.close);
    if (threads === ONE) bytesPerEvent = analyst.bytesPerEvent;
  }
  for (const { run } of subjects) await run();
  const elapsed = new Map(subjects.map(({ name }): [string, number[]] => [name, []]));
  const timed = subjects.map(({ name, run }) => ({
    name,
    async measure() {
      const start = performance.now();
      const cpu = await cpuOf(run);
      elapsed.get(name)!.push(performance.now() - start);
      return cpu;
    },
  }));
  const cpu = await interleave(timed, ROUNDS);
  for (const close of closing) await close();
  await folder.remove();
  const size = { case: ON_DISK, subject: "Assay", unit: "bytes" as const, rounds: [bytesPerEvent] };
  return [...toMeasurements(RECOMPUTE, "ms", cpu), ...toMeasurements(RECOMPUTE_TIME, "ms", elapsed), size];
}

async function run({ isQuick, say }: RunOptions): Promise<GroupRun> {
  const events = isQuick ? 1_000_000 : 10_000_000;
  say(`${RECOMPUTE}, ${events.toLocaleString("en-GB")} events`);
  const measurements = await compareWithDuckDb(events);
  return { measurements, versions: { "@duckdb/node-api": versionOf("@duckdb/node-api") } };
}

export const recomputation: Group = {
  name: "recomputation",
  title: "Recomputation of results",
  setting: `Ten million events of a million users; with \`--quick\`, one million events. Both sides compute five metrics of an
experiment, with a window, winsorising and a ratio, from the same Parquet files: Assay from its columns in memory, DuckDB by the SQL that
Assay writes for a warehouse, with one thread and with two. The first figures are of CPU of all threads, the second of elapsed time, which other
processes of the machine lengthen. Assay's threads are those of \`analysisThreads\`. The arms must have the same users. DuckDB reads its files in
each round; Assay has read them before, as a running server has.`,
  chart: { axis: "milliseconds", cases: [RECOMPUTE, RECOMPUTE_TIME] },
  targets: [
    {
      claim: `${RECOMPUTE}: CPU, compared with ${DUCKDB[ONE]}`,
      bound: { kind: "atMost", value: 0.5 },
      reached: ({ ratio }) => ratio(RECOMPUTE, ASSAY[ONE], DUCKDB[ONE]),
    },
    {
      claim: `${RECOMPUTE}: CPU, compared with ${DUCKDB[TWO]}`,
      bound: { kind: "atMost", value: 0.5 },
      reached: ({ ratio }) => ratio(RECOMPUTE, ASSAY[TWO], DUCKDB[TWO]),
    },
    {
      claim: `${RECOMPUTE_TIME}, compared with ${DUCKDB[ONE]}`,
      bound: { kind: "atMost", value: 0.5 },
      reached: ({ ratio }) => ratio(RECOMPUTE_TIME, ASSAY[ONE], DUCKDB[ONE]),
    },
    {
      claim: `${RECOMPUTE_TIME}, compared with ${DUCKDB[TWO]}`,
      bound: { kind: "atMost", value: 0.5 },
      reached: ({ ratio }) => ratio(RECOMPUTE_TIME, ASSAY[TWO], DUCKDB[TWO]),
    },
    {
      claim: `${ON_DISK}: bytes of an event`,
      bound: { kind: "atMost", value: 20 },
      reached: ({ spread }) => spread(ON_DISK, "Assay").median,
    },
  ],
  run,
};
