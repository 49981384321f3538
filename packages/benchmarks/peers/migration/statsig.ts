/**
 * Records what Statsig's own SDK answers to the specs of the tests of `assay migrate statsig`. Run it in the folder
 * `packages/benchmarks` after a change of them:
 * `node --import tsx --conditions=@assay/source peers/migration/statsig.ts`
 */
import { writeFile } from "node:fs/promises";
import { Statsig, StatsigUser } from "@statsig/statsig-node-core";
import { asked, drawing, drawn, exact, type User, users } from "../../../cli/src/migrate/statsig/generated.fixture.ts";

type Specs = { [Key in keyof typeof exact]: { name: string }[] };

async function record(specs: Specs, all: readonly User[]): Promise<Record<string, string>> {
  const named = Object.fromEntries(
    Object.entries(specs).map(([kind, list]) => [kind, Object.fromEntries(list.map((one) => [one.name, one]))]),
  );
  const conditions: Record<string, unknown> = {};
  const share = (key: string, value: unknown) => {
    if (key !== "conditions") return value;
    return (value as unknown[]).map((one) => {
      conditions[JSON.stringify(one)] = one;
      return JSON.stringify(one);
    });
  };
  const shared = JSON.parse(JSON.stringify(named, share));
  const time = Date.now();
  const result = JSON.stringify({
    ...shared,
    experiment_to_layer: {},
    condition_map: conditions,
    has_updates: true,
    time,
  });
  const client = new Statsig("secret-of-tests", {
    disableNetwork: true,
    disableAllLogging: true,
    outputLogLevel: "none",
    dataStore: {
      initialize: async () => {},
      shutdown: async () => {},
      get: async () => ({ result, time }),
      set: async () => {},
      supportPollingUpdatesFor: async () => false,
    },
  });
  const { isSuccess, error } = await client.initialize();
  if (!isSuccess) throw new Error(`Statsig has no specs: ${error}`);
  const theirs = all.map(({ id, fields }) => new StatsigUser({ userID: id, custom: fields }));
  const letter = (key: string, isGate: boolean) => (user: StatsigUser) =>
    isGate ? (client.checkGate(user, key) ? "1" : "0") : client.getDynamicConfig(user, key).getValue("arm", "?")[0];
  const answers = Object.entries(specs).flatMap(([kind, list]) =>
    list.map(({ name }) => [name, theirs.map(letter(name, kind === "feature_gates")).join("")]),
  );
  await client.shutdown();
  return Object.fromEntries(answers);
}

const recorded = { asked, exact: await record(exact, users), drawing: await record(drawing, drawn) };
const file = new URL("../../../cli/src/migrate/statsig/recorded.json", import.meta.url);
await writeFile(file, `${JSON.stringify(recorded, null, 2)}\n`);
