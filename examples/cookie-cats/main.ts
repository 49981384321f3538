import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { createClient, type TrackingEvent } from "@assay/client";
import { createAssay } from "@assay/server";

const administrator = { username: "admin", password: "change me soon" };
const assay = createAssay({ admin: administrator, rateLimit: false });
const admin = createClient({ fetch: assay.fetch, ...administrator });
const { key: apiKey } = await admin.request("POST /api-keys", { body: { name: "import", scopes: ["read", "write"] } });
const game = createClient({ fetch: assay.fetch, apiKey });

const experiment = await admin.request("POST /experiments/", {
  body: {
    key: "cookie-cats",
    name: "The first gate at level 40 instead of 30",
    status: "ACTIVE",
    variants: [{ key: "gate_30", is_control: true }, { key: "gate_40" }],
    metrics: [
      { name: "Back after a day", event_type: "retention_1" },
      { name: "Back after a week", event_type: "retention_7", role: "PRIMARY" },
      { name: "Rounds played", event_type: "rounds", kind: "MEAN" },
    ],
  },
});

let events: TrackingEvent[] = [];
async function flush() {
  await game.request("POST /tracking/events", { body: { events } });
  events = [];
}

const lines = createInterface({ input: createReadStream(new URL("cookie_cats.csv", import.meta.url)) });
for await (const line of lines) {
  const [user_id = "", variant_id, rounds, day, week] = line.split(",");
  if (user_id === "userid") continue;
  events.push({ event_type: "exposure", user_id, experiment_id: experiment.id, variant_id });
  events.push({ event_type: "rounds", user_id, value: Number(rounds) });
  if (day === "TRUE") events.push({ event_type: "retention_1", user_id });
  if (week === "TRUE") events.push({ event_type: "retention_7", user_id });
  if (events.length > 4_000) await flush();
}
await flush();

const results = await game.request("GET /results/{experiment_id}", { params: { experiment_id: experiment.id } });
console.log("users", results.sample_size, "sample ratio p", results.srm.p_value?.toFixed(4));
for (const { name, control_value, treatment_value, difference, p_value, confidence_interval } of results.metrics) {
  const interval = confidence_interval?.map((end) => end.toFixed(6)).join(" to ");
  console.log(`${name}: ${control_value.toFixed(6)} and ${treatment_value.toFixed(6)}`);
  console.log(`  difference ${difference.toFixed(6)} (95 %: ${interval}), p = ${p_value.toFixed(4)}`);
}
await assay.close();
