import { createClient as createAssayClient, type ExperimentCreate } from "@assay/client";
import { lmdbStore } from "@assay/lmdb";
import { createAssay } from "@assay/server";
import { ClickHouseLogLevel, createClient } from "@clickhouse/client";
import { clickhouseEvents } from "./clickhouse-events.ts";

/**
 * Serves in-process on the store in argv[2] with the ClickHouse at argv[3]. Sends events numbered from argv[4] on, each
 * twice, prints each number once it is acknowledged, and copies them until it is killed.
 */
const [, , path, url, first] = process.argv;
const silent = { info() {}, warn() {}, error() {} };
const ADMIN = { username: "admin", password: "correct horse battery" };
const client = createClient({
  url: url!,
  username: "reader",
  password: "hunter2",
  log: { level: ClickHouseLogLevel.OFF },
});
const storage = lmdbStore({ path: path! });
const events = clickhouseEvents({ client });
const options = {
  storage,
  events,
  admin: ADMIN,
  passwordCost: 16,
  rateLimit: false as const,
  jobs: false,
  logger: silent,
};
const assay = createAssay(options);
await assay.ready;
const fetch: typeof globalThis.fetch = (input, init) => assay.fetch(new Request(input, init));
const admin = createAssayClient({ baseUrl: "http://assay.test", fetch, ...ADMIN });
const body: ExperimentCreate = {
  key: "crash",
  name: "Crash",
  status: "ACTIVE",
  variants: [{ key: "a" }, { key: "b" }],
};
await admin.request("POST /experiments/", { body }).catch(() => {});

for (let number = Number(first); ; number++) {
  const event = {
    event_id: `event-${number}`,
    event_type: "exposure",
    user_id: `user-${number}`,
    experiment_id: "crash",
    variant_id: number % 2 === 0 ? "a" : "b",
  };
  await Promise.all([assay.track(event), assay.track(event)]);
  process.stdout.write(`${number}\n`);
  // Ends when the engine has the event.
  if (number % 5 === 0) await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "crash" } });
}
