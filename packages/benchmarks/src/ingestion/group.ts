import { BATCH, type Case, EVENT } from "../http/cases.ts";
import { compareServers, slowestOf } from "../http/compare.ts";
import type { Samples } from "../http/floor.child.ts";
import { gain } from "../http/gain.ts";
import { startAssay, startFloor } from "../http/server-process.ts";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { toMeasurements } from "../measure/measurement.ts";
import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import { versionOf } from "../peers/installed.ts";
import { CLAIMS, measureClaims } from "./claims.ts";
import { openCopy } from "./copy.ts";
import { importCsv } from "./csv-import.ts";
import { openHttpWriter } from "./writers.ts";

const ASSAY = "Assay on LMDB";
const PARSE = "node:http, JSON.parse only";
const H3 = "h3, validated";
const DURABLE = "h3, with the checks, durable";
const RATE = "events written, batches of 100";
const IMPORT = "import of a CSV file";
const MEMORY = `${IMPORT}: memory of the server`;
const PRIVATE = "Assay, private pages";

async function run(options: RunOptions): Promise<GroupRun> {
  const { isQuick, say } = options;
  // Assay compacts the events of batches for a while after them, which would count for the other case.
  const cases = [EVENT, BATCH];
  const durable = await startAssay(ASSAY, { store: "lmdb" });
  const inMemory = await startAssay("Assay in memory");
  const samples: Samples = {};
  for (const one of cases) samples[one.name] = await durable.sample(one);
  const parse = await startFloor(PARSE, "node:http", samples, "parse");
  const h3 = await startFloor(H3, "h3", samples);
  const durableH3 = await startFloor(DURABLE, DURABLE, samples);
  const servers = [parse, h3, durableH3, inMemory, durable];
  const measurements = [];
  for (const one of cases) {
    say(one.name);
    const entrants = servers.map((server) => ({ server, ask: one, requests: one.requests }));
    measurements.push(...(await compareServers(one.name, entrants, options)));
  }
  say(RATE);
  const writers = [openHttpWriter(parse), openHttpWriter(durable)];
  const databaseUrl = process.env.ASSAY_TEST_POSTGRES;
  const copy = databaseUrl === undefined ? undefined : await openCopy(databaseUrl);
  if (copy) writers.push(copy);
  else say("ASSAY_TEST_POSTGRES is not set, so COPY is not measured");
  const rates = await interleave(writers, isQuick ? 5 : 15);
  measurements.push(...toMeasurements(RATE, "events/s", rates));
  await copy?.close();
  for (const server of servers) await server.close();
  say(CLAIMS);
  measurements.push(await measureClaims(isQuick ? 3 : 9));
  const rows = isQuick ? 100_000 : 1_000_000;
  say(`${IMPORT}, ${rows.toLocaleString("en-GB")} rows`);
  const imported = await importCsv(rows);
  measurements.push(
    { case: `${IMPORT}: time`, subject: "Assay", unit: "ms" as const, rounds: [imported.ms] },
    { case: `${IMPORT}: rows`, subject: "Assay", unit: "rows" as const, rounds: [rows] },
  );
  if (imported.memory) {
    const { memory } = imported;
    measurements.push(
      { case: MEMORY, subject: "Assay", unit: "bytes" as const, rounds: [memory.resident] },
      { case: MEMORY, subject: PRIVATE, unit: "bytes" as const, rounds: [memory.private] },
    );
  }
  const versions: Record<string, string> = copy ? { "pg-copy-streams": versionOf("pg-copy-streams") } : {};
  return { measurements, versions };
}

const STORED = "Each id is claimed in the store, and each event is checked, encoded and written, before the answer.";
/** @param floor that of the target, which stores nothing */
const storedOf =
  ({ name }: Case, floor: string): Target["miss"] =>
  ({ ratio }) =>
    `${STORED} The smallest server that does so, h3 with the checks and one transaction of LMDB, reaches ${written(ratio(name, floor, DURABLE))} of ` +
    `${floor}; Assay reaches ${written(ratio(name, DURABLE, ASSAY))} of that server.`;
const ABSOLUTE = "An absolute figure depends on the machine, and on what else it does.";

export const ingestion: Group = {
  name: "ingestion",
  title: "Events",
  setting: `CPU time of the server for requests with events, each with its own id, after ten seconds of the same requests. On LMDB, Assay answers when the events
are on disk; it checks them, drops those it knows, counts them and assigns them to experiments. The floors parse the body, and h3
checks it by the contract's schema; they store nothing. \`${DURABLE}\` is the least that a durable intake does, written by hand: it
looks the key up, counts its use, makes an id, sends the same headers and checks its answer; LMDB takes the ids that are new and
the events in one transaction, and the answer leaves once that is on disk. \`${RATE}\` is what a machine takes in all, with the sender on the same
machine; COPY writes the same columns into one table of PostgreSQL without an index, over one connection, and commits each batch.
\`${CLAIMS}\` are ids that the store claims, 100 a batch from 64 writers. The import is \`assay import\` of a CSV file of a million
rows into \`assay serve\`, of 100,000 with \`--quick\`, where time is multiplied by ten. Its memory is measured on Linux:
\`${PRIVATE}\` are those that belong to the process alone; the others are pages of mapped files, such as LMDB's, which the system
drops when it needs memory.`,
  chart: { axis: "microseconds of CPU a request", cases: [BATCH.name, EVENT.name] },
  targets: [
    {
      claim: `${BATCH.name}: speed, as a share of ${PARSE}`,
      bound: { kind: "atLeast", value: 0.5 },
      reached: ({ ratio }) => ratio(BATCH.name, PARSE, ASSAY),
      miss: storedOf(BATCH, PARSE),
    },
    {
      claim: `${EVENT.name}: speed, as a share of ${H3}`,
      bound: { kind: "atLeast", value: 0.5 },
      reached: ({ ratio }) => ratio(EVENT.name, H3, ASSAY),
      miss: storedOf(EVENT, H3),
    },
    ...[BATCH, EVENT].map((one) =>
      gain(one, { floor: PARSE, h3: H3, more: { server: DURABLE, does: "with the checks and LMDB" }, assay: ASSAY }),
    ),
    {
      claim: `${BATCH.name}: 99th percentile, compared with ${PARSE}`,
      bound: { kind: "atMost", value: 5 },
      reached: ({ ratio }) => ratio(slowestOf(BATCH.name), ASSAY, PARSE),
      miss: STORED,
    },
    {
      claim: `${CLAIMS}: a second`,
      bound: { kind: "atLeast", value: 200_000 },
      reached: ({ spread }) => spread(CLAIMS, "Assay on LMDB").median,
      miss: ABSOLUTE,
    },
    {
      claim: `${IMPORT}: seconds for a million rows`,
      bound: { kind: "atMost", value: 90 },
      reached: ({ spread }) =>
        (spread(`${IMPORT}: time`, "Assay").median * 1_000) / spread(`${IMPORT}: rows`, "Assay").median,
      miss: `A row becomes two events, each with an id that is claimed in the store. ${ABSOLUTE}`,
    },
    {
      claim: `${IMPORT}: MB of private memory of the server`,
      bound: { kind: "atMost", value: 400 },
      reached: ({ spread }) => spread(MEMORY, PRIVATE).median / 1e6,
      miss: "The analysis knows the number of every user while it writes events to columns, and V8 collects garbage late.",
    },
    {
      claim: `${IMPORT}: MB of memory of the server with the pages of mapped files`,
      bound: { kind: "atMost", value: 400 },
      reached: ({ spread }) => spread(MEMORY, "Assay").median / 1e6,
      miss({ spread }) {
        const [all, own] = [spread(MEMORY, "Assay").median, spread(MEMORY, PRIVATE).median];
        return (
          `${written((all - own) / 1e6)} MB are pages of files that the process has mapped, such as LMDB's, which the system drops ` +
          `when it needs memory. ${written(own / 1e6)} MB are private to the process.`
        );
      },
    },
  ],
  run,
};
