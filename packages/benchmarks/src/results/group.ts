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
const ASSAY = "Assay, 1 thread";
const DUCKDB = "DuckDB, 1 thread";
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
  const analyst = await loadAnalyst(folder);
  const ours = await analyst.recompute();
  if (ours.users.join() !== users.join()) throw new Error(`Assay finds ${ours.users} users, and DuckDB ${users}`);
  const duckDb = await openDuckDb(folder, 1);
  const subjects = [
    { name: ASSAY, measure: () => cpuOf(analyst.recompute) },
    { name: DUCKDB, measure: () => cpuOf(() => duckDb.run(statements)) },
  ];
  for (const { measure } of subjects) await measure();
  const figures = await interleave(subjects, isQuick ? 5 : 9);
  duckDb.close();
  await folder.remove();
  const size = { case: ON_DISK, subject: "Assay", unit: "bytes" as const, rounds: [analyst.bytesPerEvent] };
  return [...toMeasurements(RECOMPUTE, "ms", figures), size];
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
Assay writes for a warehouse, one thread each; the figures are of CPU. The arms must have the same users. DuckDB reads its files in each round; Assay has
read them before, as a running server has. The other rows are of a server on LMDB in a separate process: its start, the slowest of a
hundred answers with memoised results, and for how long new results keep other requests waiting.`,
  chart: { axis: "milliseconds", cases: [RECOMPUTE, START_UP, MEMOISED] },
  targets: [
    {
      claim: `${RECOMPUTE}: CPU, compared with ${DUCKDB}`,
      bound: { kind: "atMost", value: 0.5 },
      reached: ({ ratio }) => ratio(RECOMPUTE, ASSAY, DUCKDB),
      miss:
        "A profile puts 52 % of the CPU into adding events to the sums of their users. Events are added in the order of their arrival, " +
        "each to another of a million users. The cost of an event is less with 100,000 users (`--quick`), which suggests the processor's cache.",
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
