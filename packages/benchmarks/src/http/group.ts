import { resolve } from "node:path";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import { versionOf } from "../peers/installed.ts";
import { createDatabase } from "../postgres/database.ts";
import { BULK, type Case, DEFINITIONS, EVALUATE, OFREP, OPENFEATURE, RESULTS, UNLEASH } from "./cases.ts";
import { compareServers, type Entrant, slowestOf } from "./compare.ts";
import type { Samples } from "./floor.child.ts";
import { gain } from "./gain.ts";
import { type ServerProcess, startAssay, startFloor, startUnleash } from "./server-process.ts";

const ASSAY = "Assay";
const FLOOR = "node:http";
const CHECKED = "h3, with the checks";
const FRAMEWORKS = [FLOOR, "h3", CHECKED, "Fastify", "Hono"];
const HTTP_CASES = [EVALUATE, OPENFEATURE, OFREP, BULK, DEFINITIONS, RESULTS];
const unleashOf = (flags: number) => `Unleash, ${flags} flags`;

/** Starts an Unleash server for each number of flags that a case asks for, on databases that `drop` removes. */
async function startUnleashServers(databaseUrl: string) {
  const servers: ServerProcess[] = [];
  const drops: (() => Promise<void>)[] = [];
  for (const flags of HTTP_CASES.flatMap(({ unleashFlags }) => unleashFlags ?? [])) {
    const { url, drop } = await createDatabase(databaseUrl);
    drops.push(drop);
    servers.push(await startUnleash(unleashOf(flags), flags, url));
  }
  return { servers, drop: () => Promise.all(drops.map((one) => one())) };
}

async function run(options: RunOptions): Promise<GroupRun> {
  const assay = await startAssay(ASSAY);
  const samples: Samples = {};
  for (const one of HTTP_CASES) samples[one.name] = await assay.sample(one);
  const floors = await Promise.all(FRAMEWORKS.map((name) => startFloor(name, name, samples)));
  const others = await Promise.all(
    options.beside.map((checkout) => startAssay(checkout, { checkout: resolve(checkout) })),
  );
  const databaseUrl = process.env.ASSAY_TEST_POSTGRES;
  if (databaseUrl === undefined) options.say("ASSAY_TEST_POSTGRES is not set, so Unleash is not measured");
  const unleash = databaseUrl === undefined ? undefined : await startUnleashServers(databaseUrl);
  const servers = [...floors, assay, ...others];
  const measurements = [];
  for (const one of HTTP_CASES) {
    options.say(one.name);
    const entrants: Entrant[] = servers.map((server) => ({ server, ask: one, requests: one.requests }));
    const rival = unleash?.servers.find(({ name }) => name === unleashOf(one.unleashFlags ?? 0));
    if (rival) entrants.push({ server: rival, ask: UNLEASH, requests: 100 });
    measurements.push(...(await compareServers(one.name, entrants, options)));
  }
  for (const server of [...servers, ...(unleash?.servers ?? [])]) await server.close();
  await unleash?.drop();
  const packages = ["h3", "fastify", "hono", ...(unleash ? ["unleash-server"] : [])];
  return { measurements, versions: Object.fromEntries(packages.map((one) => [one, versionOf(one)])) };
}

/** @param miss why less is reached; the shares of h3, which Assay runs on, are added */
const ofFloor = ({ name }: Case, value: number, miss: string): Target => ({
  claim: `${name}: speed, as a share of ${FLOOR}`,
  bound: { kind: "atLeast", value },
  reached: ({ ratio }) => ratio(name, FLOOR, ASSAY),
  miss({ ratio }) {
    const shares = `h3 alone reaches ${written(ratio(name, FLOOR, "h3"))} of ${FLOOR}, and Assay`;
    const checked = `With the checks, h3 reaches ${written(ratio(name, FLOOR, CHECKED))}.`;
    return `${miss} Assay runs on h3: in this run, ${shares} ${written(ratio(name, "h3", ASSAY))} of h3. ${checked}`;
  },
});
const ofUnleash = ({ name, unleashFlags }: Case, value: number, miss: string): Target => {
  const unleash = unleashOf(unleashFlags!);
  return {
    claim: `${name}: times as fast as ${unleash}`,
    bound: { kind: "atLeast", value },
    reached: ({ ratio }) => ratio(name, unleash, ASSAY),
    miss: ({ ratio }) =>
      `${miss} In this run, ${FLOOR} is ${written(ratio(name, unleash, FLOOR))} times as fast as Unleash, and h3 with the checks ` +
      `${written(ratio(name, unleash, CHECKED))} times.`,
  };
};
const tail = ({ name }: Case): Target => ({
  claim: `${name}: 99th percentile, compared with ${FLOOR}`,
  bound: { kind: "atMost", value: 10 },
  reached: ({ ratio }) => ratio(slowestOf(name), ASSAY, FLOOR),
});

const CHECKS =
  "Assay checks the key and its rights, records its use, evaluates, and checks its own answer; the floor parses, checks the body and answers.";
const FRAGMENTS = "The results of 100 flags become objects and then text, with a hash for the ETag.";
const CONDITIONAL =
  "Assay checks the key and its rights, records its use, and compares the ETag; the floor only writes the text.";
const MEMOISED =
  "Assay checks the key and its rights, records its use, asks the store whether an event has arrived since, and compares the ETag; the floor only writes the text.";

export const http: Group = {
  name: "http",
  title: "Over HTTP",
  setting: `CPU time of the server for one request. Every server is a separate process, asked over 32 kept connections, in turns,
after ten seconds of the same requests.
Floors parse the same JSON, check it by the same schema of the contract, and answer the same text with nothing around it, on
\`node:http\`, h3, Fastify and Hono. Assay checks the key, the rights, the body and its answer, and records the use of the key;
only the rate limit is off. "h3, with the checks" is the smallest server that does the same around an answer: it looks the key up,
counts its use, makes an id, sends the same headers, and checks its answer by the schema of the contract. Unleash answers all flags of a user from its front-end API, the same question as OFREP's bulk
evaluation; its PostgreSQL is not counted.`,
  chart: {
    axis: "microseconds of CPU a request",
    cases: [EVALUATE, OFREP, BULK, DEFINITIONS, RESULTS].map(({ name }) => name),
  },
  targets: [
    ofFloor(EVALUATE, 0.6, CHECKS),
    ofFloor(OPENFEATURE, 0.6, CHECKS),
    ofFloor(OFREP, 0.6, CHECKS),
    ofFloor(BULK, 0.2, FRAGMENTS),
    {
      claim: `${BULK.name}: microseconds of CPU`,
      bound: { kind: "atMost", value: 100 },
      reached: ({ spread }) => spread(BULK.name, ASSAY).median,
      miss: ({ spread }) =>
        `${FRAGMENTS} An absolute figure depends on the machine: in this run, ${FLOOR} takes ${written(spread(BULK.name, FLOOR).median)} us ` +
        "to parse the question and to send the same answer.",
    },
    ofFloor(DEFINITIONS, 0.6, CONDITIONAL),
    ofFloor(RESULTS, 0.6, MEMOISED),
    ...[EVALUATE, OPENFEATURE, OFREP, DEFINITIONS, RESULTS].map((one) =>
      gain(one, { floor: FLOOR, h3: "h3", more: { server: CHECKED, does: "with the checks" }, assay: ASSAY }),
    ),
    ofUnleash(EVALUATE, 10, CHECKS),
    ofUnleash(BULK, 20, FRAGMENTS),
    ...HTTP_CASES.map(tail),
  ],
  run,
};
