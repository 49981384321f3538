import { fileURLToPath } from "node:url";
import { AssayServerProvider } from "@assay/openfeature-server";
import { OpenFeature } from "@openfeature/server-sdk";
import { type CommandDef, defineCommand } from "citty";
import { readFlags } from "../flags.ts";
import { importFile } from "../import/importing.ts";
import { stopSignal } from "../serve/stop-signal.ts";
import { toReport } from "./report.ts";
import { startTemporaryServer, type TemporaryServer } from "./server.ts";

/** The nearest `data` directory above `src/demo`, or above the bundle in `dist`. */
const DATA = new URL(import.meta.url.endsWith(".ts") ? "../../data/" : "../data/", import.meta.url);
const USERS = ["ada", "grace", "edsger"];

/** `assay demo`: a flag and a real experiment from start to finish, on a temporary server. */
export const demo: CommandDef = defineCommand({
  meta: { name: "demo", description: "Run a flag and a real experiment on a temporary server" },
  async run({ rawArgs }) {
    readFlags(rawArgs, {});
    const server = await startTemporaryServer();
    const stopped = stopSignal().then(() => true);
    try {
      console.log(`Assay runs at ${server.url} for this demo, on a temporary LMDB store.\n`);
      await Promise.race([show(server), stopped]);
    } finally {
      await OpenFeature.close();
      await server.close();
    }
    console.log("\nThe server is stopped and its data removed. Start your own: assay serve");
  },
});

async function show(server: TemporaryServer): Promise<void> {
  const key = await server.admin.request("POST /api-keys", { body: { name: "demo", scopes: ["read", "write"] } });
  const apiKey = key.key ?? "";
  await showFlag(server, apiKey);
  await showExperiment(server, apiKey);
}

async function showFlag({ url, admin }: TemporaryServer, apiKey: string): Promise<void> {
  await admin.request("POST /feature-flags/", {
    body: { key: "late-gate", name: "Gate at level 40", status: "ACTIVE", rollout_percentage: 50 },
  });
  console.log("A flag, late-gate, on for 50 % of users, evaluated in this process by the OpenFeature SDK:");
  await OpenFeature.setProviderAndWait(new AssayServerProvider({ apiKey, baseUrl: url }));
  for (const targetingKey of USERS) {
    const { value, variant } = await OpenFeature.getClient().getBooleanDetails("late-gate", false, { targetingKey });
    console.log(`  ${targetingKey.padEnd(8)}${value} (variant ${variant})`);
  }
}

async function showExperiment({ url, admin }: TemporaryServer, apiKey: string): Promise<void> {
  const experiment = await admin.request("POST /experiments/", {
    body: {
      key: "cookie-cats",
      name: "Cookie Cats: the first gate at level 40 instead of 30",
      status: "ACTIVE",
      variants: [{ key: "gate_30", is_control: true }, { key: "gate_40" }],
      metrics: [
        { name: "retention_1", event_type: "retention_1" },
        { name: "retention_7", event_type: "retention_7", role: "PRIMARY" },
        { name: "rounds", event_type: "rounds", kind: "MEAN" },
      ],
    },
  });
  console.log("\nAn experiment, cookie-cats: a mobile game moved its first gate; 90,189 real players, imported now.");
  const { accepted, seconds } = await importFile({
    file: fileURLToPath(new URL("cookie_cats.csv", DATA)),
    experiment: experiment.key,
    user: "userid",
    arm: "version",
    metrics: [
      { name: "retention_1", column: "retention_1" },
      { name: "retention_7", column: "retention_7" },
      { name: "rounds", column: "sum_gamerounds" },
    ],
    arms: new Map(),
    url,
    apiKey,
    concurrency: 4,
    delimiter: ",",
  });
  console.log(`${accepted.toLocaleString("en")} events in ${seconds.toFixed(1)} s. Its results:\n`);
  const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: experiment.id } });
  console.log(toReport(results, experiment.metrics));
}
