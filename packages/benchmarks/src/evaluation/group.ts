import { createEngine } from "@assay/core";
import { cpuOf } from "../measure/cpu.ts";
import type { Group, GroupRun, RunOptions } from "../measure/group.ts";
import { interleave, type Subject } from "../measure/interleave.ts";
import { type Measurement, toMeasurements } from "../measure/measurement.ts";
import { written } from "../measure/number.ts";
import type { Target } from "../measure/target.ts";
import { importPeer, versionOf } from "../peers/installed.ts";
import { measureAllocation } from "./allocation.ts";
import { checkAnswers } from "./check.ts";
import type { Contestant } from "./contestant.ts";
import { closeClients, DEFAULTS, type SdkClient, serverClients, webClients } from "./openfeature.ts";
import { assay, assayBare, floor, toContext, toDefinitions } from "./ours.ts";
import { bulk, HALF, HUNDRED, RULED, SCENARIOS, type Scenario, THOUSAND } from "./scenario.ts";
import { timeEngine } from "./time-engine.ts";

const UPDATE = "update of one flag among 10,000";
const OURS = [assay.name, assayBare.name, floor.name];
const allocationOf = ({ name }: Scenario) => `bytes allocated: ${name}`;
const throughSdk = (sdk: "server" | "web", { name }: Scenario) => `OpenFeature's ${sdk} SDK: ${name}`;

async function compareEngines(scenario: Scenario, contestants: readonly Contestant[], options: RunOptions) {
  const subjects: Subject[] = [];
  const closings: (() => unknown)[] = [];
  for (const { name, load } of contestants) {
    const engine = await load(scenario.flags);
    closings.push(() => engine.close?.());
    await checkAnswers(name, engine, scenario);
    subjects.push({ name, ...(await timeEngine(engine, scenario, options.isQuick ? 20 : 60)) });
  }
  const figures = await interleave(subjects, options.isQuick ? 7 : 21);
  for (const close of closings) await close();
  return toMeasurements(scenario.name, "ns", figures);
}

async function compareClients(name: string, clients: readonly SdkClient[], scenario: Scenario, options: RunOptions) {
  const subjects: Subject[] = [];
  for (const client of clients) {
    const engine = { toContext, one: client.evaluate, all: () => undefined, readAll: () => false };
    subjects.push({
      name: client.name,
      ...(await timeEngine(engine, scenario, options.isQuick ? 100 : 200)),
    });
  }
  return toMeasurements(name, "ns", await interleave(subjects, options.isQuick ? 7 : 21));
}

async function measureUpdate({ isQuick }: RunOptions): Promise<Measurement> {
  const { flags } = bulk(10_000);
  const definitions = toDefinitions(flags);
  const [changed] = toDefinitions(flags.slice(0, 1), 60).flags;
  const others = { ...definitions, flags: [changed!, ...definitions.flags.slice(1)] };
  const engine = createEngine(definitions);
  let turn = 0;
  const measure = () => cpuOf(() => engine.update(turn++ % 2 ? definitions : others));
  for (let warm = 0; warm < 20; warm++) await measure();
  const figures = await interleave([{ name: assay.name, measure }], isQuick ? 15 : 101);
  return { ...toMeasurements(UPDATE, "ms", figures)[0]! };
}

async function run(options: RunOptions): Promise<GroupRun> {
  const { peers } = (await importPeer("evaluation/peers.ts")) as { peers: readonly Contestant[] };
  const measurements: Measurement[] = [];
  for (const scenario of SCENARIOS) {
    options.say(scenario.name);
    measurements.push(...(await compareEngines(scenario, [floor, assay, assayBare, ...peers], options)));
  }
  for (const scenario of [HALF, RULED]) {
    options.say(`${scenario.name}, through OpenFeature`);
    const [server, web] = [await serverClients(scenario.flags), await webClients(scenario.flags)];
    measurements.push(...(await compareClients(throughSdk("server", scenario), server, scenario, options)));
    measurements.push(...(await compareClients(throughSdk("web", scenario), web, scenario, options)));
    await closeClients();
  }
  options.say("updates and allocations");
  measurements.push(await measureUpdate(options));
  for (const scenario of [HALF, RULED]) {
    for (const subject of [assay.name, assayBare.name]) {
      const rounds = [];
      for (let round = 0; round < (options.isQuick ? 3 : 7); round++) {
        rounds.push(await measureAllocation(subject, scenario.name));
      }
      measurements.push({ case: allocationOf(scenario), subject, unit: "bytes", rounds });
    }
  }
  const packages = peers.map(({ packageName }) => packageName!);
  const sdks = ["@openfeature/server-sdk", "@openfeature/web-sdk"];
  return { measurements, versions: Object.fromEntries([...packages, ...sdks].map((one) => [one, versionOf(one)])) };
}

const timesPeer = (scenario: Scenario, value: number): Target => ({
  claim: `${scenario.name}: times as fast as the fastest peer`,
  bound: { kind: "atLeast", value },
  reached: ({ ratio, least }) => ratio(scenario.name, least(scenario.name, OURS), assay.name),
  miss({ ratio, least }) {
    const peer = least(scenario.name, OURS);
    const times = (subject: string) => `${written(ratio(scenario.name, peer, subject))} times as fast`;
    return `With \`bucket: false\`, Assay is ${times(assayBare.name)} as ${peer}, and the floor, a function with the same MD5, ${times(floor.name)}.`;
  },
});
const ofFloor = (scenario: Scenario, value: number, why: string): Target => ({
  claim: `${scenario.name}: time with \`bucket: false\`, compared with the floor`,
  bound: { kind: "atMost", value },
  reached: ({ ratio }) => ratio(scenario.name, assayBare.name, floor.name),
  miss({ spread }) {
    const [ours, least] = [assayBare, floor].map(({ name }) => spread(scenario.name, name).median);
    return `Assay takes ${written(ours! - least!)} ns more. ${why}`;
  },
});
const ofSdk = (sdk: "server" | "web", scenario: Scenario): Target => ({
  claim: `${throughSdk(sdk, scenario)}: time, compared with a provider that answers the default`,
  bound: { kind: "atMost", value: 1.15 },
  reached: ({ ratio }) => ratio(throughSdk(sdk, scenario), assay.name, DEFAULTS),
  miss({ spread }) {
    const evaluation = spread(scenario.name, assayBare.name).median;
    const share = evaluation / spread(throughSdk(sdk, scenario), DEFAULTS).median;
    return `The evaluation alone takes ${written(evaluation)} ns, which is ${written(share)} of the time of that provider. The rest finds the metadata.`;
  },
});
const allocated = (scenario: Scenario): Target => ({
  claim: `${scenario.name}: bytes allocated by an evaluation`,
  bound: { kind: "atMost", value: 64 },
  reached: ({ spread }) => spread(allocationOf(scenario), assay.name).median,
  miss: ({ spread }) =>
    `A result with a bucket is a new object with seven fields, which takes 96 bytes in V8 with its bucket. With \`bucket: false\`, results are shared: ${written(spread(allocationOf(scenario), assayBare.name).median)} bytes.`,
});

const LOOK_UP = "An engine looks the flag up by its key and checks the context, which the floor does not.";
const CONDITIONS =
  "Each condition is a function that reads its attribute by name and checks that it is the context's own; the floor reads three known fields in one expression.";
const OBJECTS = "Results go into an object by key, in both; the rest is the check of the context for each flag.";

export const evaluation: Group = {
  name: "evaluation",
  title: "Local evaluation",
  setting: `Every engine gets the same flags and the same users, in one process and in turns. \`${HALF.name}\` is a boolean flag.
\`${RULED.name}\`: the country is in a list, the age is above a number, the plan is not a word; users who meet this get
one of four variants. The scenarios of all flags use the engine's own call for all flags of a user, if it has one that answers locally;
GrowthBook, unleash-client, ConfigCat and Statsig evaluate one flag after the other. Before it is measured, an engine answers 4,000 users (400 with
1,000 flags): targeting must be
exact, and shares must be within five standard errors. Contexts are prepared beforehand. No engine uses a network:
GrowthBook gets a payload, flagd-core a configuration, unleash-client a bootstrap, LaunchDarkly its own source of test data with
whole flags, ConfigCat config JSON in its cache, Statsig specs in its data store, Flagsmith an environment document, PostHog
the answer of its endpoint of definitions by a stub of \`fetch\`. Exposures and events are switched off everywhere.
The figures are of CPU. The floor is a function written by hand with our hash, whose results are shared objects without the bucket, as
ours are with \`bucket: false\`. Through OpenFeature, the floor is a provider that answers the default.`,
  chart: { axis: "nanoseconds of CPU a call", cases: SCENARIOS.map(({ name }) => name) },
  targets: [
    timesPeer(HALF, 3),
    timesPeer(RULED, 3),
    timesPeer(HUNDRED, 3),
    timesPeer(THOUSAND, 4),
    ofFloor(HALF, 1.1, LOOK_UP),
    ofFloor(RULED, 1.1, CONDITIONS),
    ofFloor(HUNDRED, 1.3, OBJECTS),
    ofFloor(THOUSAND, 1.3, OBJECTS),
    ofSdk("server", HALF),
    ofSdk("server", RULED),
    ofSdk("web", HALF),
    ofSdk("web", RULED),
    allocated(HALF),
    allocated(RULED),
    {
      claim: `${UPDATE}: milliseconds`,
      bound: { kind: "atMost", value: 1 },
      reached: ({ spread }) => spread(UPDATE, assay.name).median,
      miss: "An update compares the list of flags with the one before, and looks for what requires a changed flag.",
    },
  ],
  run,
};
