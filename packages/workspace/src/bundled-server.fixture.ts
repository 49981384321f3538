import { createClient, type TrackingEvent, type WarehouseConnectionTest } from "@assay/client";
import { createAssay } from "@assay/server";

// The entry that bundles.test.ts bundles into one file and runs: an application with enough events to start the
// analysis thread.

let threads = 0;
process.on("worker", () => threads++);

const administrator = { username: "admin", password: "a-password-of-tests" };
const assay = createAssay({
  admin: administrator,
  rateLimit: false,
  warehouse: { directories: [process.cwd()] },
});
const admin = createClient({ fetch: assay.fetch, ...administrator });
const { key: apiKey } = await admin.request("POST /api-keys", { body: { name: "shop", scopes: ["read", "write"] } });
const shop = createClient({ fetch: assay.fetch, apiKey });
const { id } = await admin.request("POST /experiments/", {
  body: {
    key: "e",
    name: "E",
    status: "ACTIVE",
    variants: [{ key: "a" }, { key: "b" }],
    metrics: [{ name: "Bought", event_type: "purchase", role: "PRIMARY" }],
  },
});
for (let user = 0; user < 10_002; ) {
  const events: TrackingEvent[] = [];
  for (const end = user + 2_000; user < end && user < 10_002; user++) {
    const user_id = `user-${user}`;
    events.push({ event_type: "exposure", user_id, experiment_id: id, variant_id: user % 2 ? "a" : "b" });
    events.push({ event_type: "purchase", user_id });
  }
  await shop.request("POST /tracking/events", { body: { events } });
}
const { sample_size } = await shop.request("GET /results/{experiment_id}", { params: { experiment_id: id } });

const connect = async (body: WarehouseConnectionTest) =>
  (await admin.request("POST /warehouse/connections/test", { body })).error;
const drivers = [
  await connect({ type: "POSTGRES", host: "127.0.0.1", port: 1, database: "d", username: "u", password: "p" }),
  await connect({ type: "DUCKDB", database: process.cwd() }),
];
const manifest = await assay.fetch(new Request("http://localhost/api/v1/mcp/manifest"));
const mcp = { status: manifest.status, body: await manifest.json() };
await assay.close();
console.log(JSON.stringify({ threads, sample_size, drivers, mcp }));
