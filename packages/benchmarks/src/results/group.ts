import { cpuOf } from "../measure/cpu.ts";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { type Measurement, toMeasurements } from "../measure/measurement.ts";
import { versionOf } from "../peers/installed.ts";
import { loadAnalyst } from "./analyst.ts";
import { openDuckDb, warehouseSql } from "./duckdb.ts";
import { writeParquet } from "./parquet.ts";
import { blockedByResults, slowestResults, storeEvents } from "./stored.ts";

const RECOMPUTE = "recomputation of an experiment";
const RECOMPUTE_TIME = "recomputation of an experiment: elapsed time";
/** Numbers of threads. */
const [ONE, TWO] = [1, 2] as const;
const ASSAY = { [ONE]: "Assay, 1 thread", [TWO]: "Assay, 2 threads" };
const DUCKDB = { [ONE]: "DuckDB, 1 thread", [TWO]: "DuckDB, 2 threads" };
const ON_DISK = "compacted columns";
const START_UP = "start after a clean stop";
const ANSWERED = "start after a clean stop, until results are answered";
const MEMOISED = "memoised results: 99th percentile";
const BLOCKED = "event loop blocked by a recomputation";
const MANY = "many events";
const FEW = "10,000 events";

async function compareWithDuckDb(events: number, isQuick: boolean): Promise<Measurement[]> {
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
  const cpu = await interleave(timed, isQuick ? 5 : 9);
  for (const close of closing) await close();
  await folder.remove();
  const size = { case: ON_DISK, subject: "Assay", unit: "bytes" as const, rounds: [bytesPerEvent] };
  return [...toMeasurements(RECOMPUTE, "ms", cpu), ...toMeasurements(RECOMPUTE_TIME, "ms", elapsed), size];
}

async function measureStored(events: number, { isQuick, say }: RunOptions): Promise<Measurement[]> {
  const stored = [await storeEvents(10_000), await storeEvents(events)];
  const names = [FEW, MANY];
  const starts = names.map((name) => ({ name, ready: [] as number[], answered: [] as number[] }));
  for (let round = 0; round < (isQuick ? 3 : 7); round++) {
    for (const [index, one] of stored.entries()) {
      const server = await one.start();
      starts[index]!.ready.push(server.facts.readyMs!);
      starts[index]!.answered.push(server.facts.resultsMs!);
      await server.close();
    }
  }
  say(MEMOISED);
  const servers = [await stored[0]!.start(), await stored[1]!.start()];
  for (const server of servers) await slowestResults(server);
  const tails = await interleave(
    servers.map((server, index) => ({ name: names[index]!, measure: () => slowestResults(server) })),
    isQuick ? 5 : 15,
  );
  const blocked = await interleave([{ name: MANY, measure: () => blockedByResults(servers[1]!) }], isQuick ? 3 : 9);
  for (const server of servers) await server.close();
  for (const one of stored) await one.remove();
  return [
    ...starts.map(({ name, ready }) => ({ case: START_UP, subject: name, unit: "ms" as const, rounds: ready })),
    ...starts.map(({ name, answered }) => ({ case: ANSWERED, subject: name, unit: "ms" as const, rounds: answered })),
    ...toMeasurements(MEMOISED, "ms", tails),
    ...toMeasurements(BLOCKED, "ms", blocked),
  ];
}

async function run(options: RunOptions): Promise<GroupRun> {
  const events = options.isQuick ? 1_000_000 : 10_000_000;
  const written = events.toLocaleString("en-GB");
  options.say(`${RECOMPUTE}, ${written} events`);
  const measurements = await compareWithDuckDb(events, options.isQuick);
  options.say(`${START_UP}, ${written} events`);
  measurements.push(...(await measureStored(events, options)));
  return { measurements, versions: { "@duckdb/node-api": versionOf("@duckdb/node-api") } };
}

export const results: Group = {
  name: "results",
  title: "Results",
  setting: `Ten million events of a million users; with \`--quick\`, one million events. Both sides compute five metrics of an
experiment, with a window, winsorising and a ratio, from the same Parquet files: Assay from its columns in memory, DuckDB by the SQL that
Assay writes for a warehouse, with one thread and with two. The first figures are of CPU of all threads, the second of elapsed time, which other
processes of the machine lengthen. Assay's threads are those of \`analysisThreads\`. The arms must have the same users. DuckDB reads its files in each round; Assay has
read them before, as a running server has. The other rows are of a server on LMDB in a separate process: its start, the slowest of a
hundred answers with memoised results, and for how long new results keep other requests waiting.`,
  chart: { axis: "milliseconds", cases: [RECOMPUTE, RECOMPUTE_TIME, START_UP, MEMOISED] },
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
    {
      claim: `${START_UP}: seconds`,
      bound: { kind: "atMost", value: 2 },
      reached: ({ spread }) => spread(START_UP, MANY).median / 1_000,
    },
    {
      claim: `${MEMOISED} with ${MANY}, compared with ${FEW}`,
      bound: { kind: "atMost", value: 2 },
      reached: ({ ratio }) => ratio(MEMOISED, MANY, FEW),
    },
    {
      claim: `${BLOCKED}: milliseconds in the worst round`,
      bound: { kind: "atMost", value: 50 },
      reached: ({ greatest }) => greatest(BLOCKED, MANY),
      miss: "Garbage collection and other processes count as well; the recomputation itself runs in a separate thread.",
    },
  ],
  run,
};
