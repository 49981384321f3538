import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave } from "../measure/interleave.ts";
import { type Measurement, toMeasurements } from "../measure/measurement.ts";
import { blockedByResults, slowestResults, storeEvents } from "./stored.ts";

const START_UP = "start after a clean stop";
const ANSWERED = "start after a clean stop, until results are answered";
const MEMOISED = "memoised results: 99th percentile";
const BLOCKED = "event loop blocked by a recomputation";
const MANY = "many events";
const FEW = "10,000 events";

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
  options.say(`${START_UP}, ${events.toLocaleString("en-GB")} events`);
  return { measurements: await measureStored(events, options), versions: {} };
}

export const results: Group = {
  name: "results",
  title: "Results",
  setting: `A server on LMDB in a separate process, with ten million events of a million users; with \`--quick\`, one million
events: its start, the slowest of a hundred answers with memoised results, and for how long new results keep other requests waiting.`,
  chart: { axis: "milliseconds", cases: [START_UP, MEMOISED] },
  targets: [
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
