import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "@assay/client";
import { ADMIN, RESULTS } from "../http/cases.ts";
import { storeEvents } from "../results/stored.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";
import { memoryOfServer } from "./served.ts";

const EXPERIMENTS = 50;
const MEGABYTE = 1_000_000;

/** Gets the results of one experiment, until they have every event. */
async function getResults(url: string, apiKey: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${url}${RESULTS.path}`, { headers: { "x-api-key": apiKey } });
    const answer = (await response.json()) as { analysis_warnings?: string[] };
    if (response.ok && !answer.analysis_warnings?.includes("EVENTS_DELAYED")) return;
    if (!response.ok && response.status !== 503) throw new Error(`The results were answered with ${response.status}`);
    await delay(1000);
  }
}

async function recomputeAll(url: string): Promise<void> {
  const admin = createClient({ baseUrl: url, ...ADMIN });
  const params = { job_name: "results-recompute" };
  let run = await admin.request("POST /etl/jobs/{job_name}/run", { params, body: {} });
  while (run.status === "QUEUED" || run.status === "RUNNING") {
    await delay(500);
    run = await admin.request("GET /etl/jobs/{run_id}", { params: { run_id: run.run_id } });
  }
  if (run.status !== "SUCCEEDED") throw new Error(`results-recompute: ${run.error}`);
}

export const memory: Growth = {
  name: "memory",
  title: "Memory",
  setting: `\`assay serve\` starts on LMDB with more and more events of ${EXPERIMENTS} experiments, a tenth of them the exposures of a user
each, and answers the results of one experiment: the most memory that the process had. Then another one runs the job
\`results-recompute\` for all ${EXPERIMENTS} experiments. Resident memory includes the pages of the database file, which the
system takes back when it needs them.`,
  x: "events",
  y: "megabytes",
  async run({ isQuick, say }): Promise<Curve[]> {
    const curves: Curve[] = [];
    for (const size of powersOfTen(10_000, isQuick ? 1_000_000 : 10_000_000)) {
      say(`${size} events`);
      const stored = await storeEvents(size, EXPERIMENTS);
      const results = await memoryOfServer(stored, [], (url) => getResults(url, stored.apiKey));
      const recompute = await memoryOfServer(stored, [], recomputeAll);
      const costs: [string, number][] = [
        ["Resident", results.resident / MEGABYTE],
        ["Private", results.own / MEGABYTE],
        ["Private, recomputing all", recompute.own / MEGABYTE],
      ];
      addPoints(curves, size, new Map(costs));
      await stored.remove();
    }
    return curves;
  },
};

export const clickhouse: Growth = {
  name: "clickhouse",
  title: "Memory with ClickHouse",
  setting: `The same, with \`--events\` and a ClickHouse that has no events yet: the server copies all of them, and answers the results
of one experiment from ClickHouse. The memory is that of the server while it copies and answers.`,
  x: "events",
  y: "megabytes",
  needs: "BENCH_CLICKHOUSE",
  async run({ isQuick, say }): Promise<Curve[]> {
    const address = process.env.BENCH_CLICKHOUSE!;
    const curves: Curve[] = [];
    for (const size of powersOfTen(10_000, isQuick ? 1_000_000 : 10_000_000)) {
      say(`${size} events`);
      const stored = await storeEvents(size, EXPERIMENTS);
      const started = performance.now();
      const { resident, own } = await memoryOfServer(stored, ["--events", address], (url) =>
        getResults(url, stored.apiKey),
      );
      say(`  copied and answered in ${Math.round((performance.now() - started) / 1000)} s`);
      const costs: [string, number][] = [
        ["Resident", resident / MEGABYTE],
        ["Private", own / MEGABYTE],
      ];
      addPoints(curves, size, new Map(costs));
      await stored.remove();
    }
    return curves;
  },
};
