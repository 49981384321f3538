import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient, isAssayError } from "@assay/client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { freePort, type Serving, serve, stopAll } from "../cli.fixture.ts";

const ROUNDS = process.env.TORTURE ? 20 : 3;
const USERS_PER_BATCH = 200;
const SENDERS = 3;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-crash-"));
});
afterEach(stopAll);
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Users by the number of their batch; everyone is exposed and spends 1 once, in one batch. */
function batchOf(number: number) {
  return Array.from({ length: USERS_PER_BATCH }, (_, index) => {
    const user_id = `${number}-${index}`;
    const common = { user_id, experiment_id: "crash" };
    return [
      { ...common, event_type: "exposure", variant_id: index % 2 ? "b" : "a", event_id: `${user_id}-exposure` },
      { ...common, event_type: "spend", value: 1, event_id: `${user_id}-spend` },
    ];
  }).flat();
}

/** Sends batches until the server is gone; returns the numbers of acknowledged batches and of those in doubt. */
async function sendUntilGone(client: Client, next: () => number) {
  const acknowledged: number[] = [];
  const inDoubt: number[] = [];
  const sender = async () => {
    for (;;) {
      const number = next();
      try {
        await client.request("POST /tracking/events", { body: { events: batchOf(number) }, retries: 0 });
        acknowledged.push(number);
      } catch (error) {
        if (!isAssayError(error) || error.code !== "NETWORK") throw error;
        return void inDoubt.push(number);
      }
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return { acknowledged, inDoubt };
}

/** Returns how many users the results contain, and their total spending. */
async function totals({ admin }: Serving): Promise<[users: number, spent: number]> {
  const { sample_size, metrics } = await admin.request("GET /results/{experiment_id}", {
    params: { experiment_id: "crash" },
  });
  const [spent] = metrics;
  const { control, treatment } = sample_size;
  const sum = control * (spent?.control_value ?? 0) + treatment * (spent?.treatment_value ?? 0);
  return [control + treatment, Math.round(sum * 1e6) / 1e6];
}

test(`kill -9 in the middle of events, ${ROUNDS} times: nothing acknowledged is lost or counted twice`, async () => {
  const place = ["--data", join(directory, "data"), "--port", String(await freePort())];
  let server = await serve(place);
  const { key } = await server.admin.request("POST /api-keys", { body: { name: "crash", scopes: ["write"] } });
  await server.admin.request("POST /experiments/", {
    body: {
      key: "crash",
      name: "Crash",
      status: "ACTIVE",
      variants: [{ key: "a" }, { key: "b" }],
      metrics: [{ name: "Spent", event_type: "spend", kind: "MEAN" }],
    },
  });
  let batches = 0;
  let acknowledged = 0;
  const starts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const client = createClient({ baseUrl: server.url, apiKey: key });
    const sending = sendUntilGone(client, () => batches++);
    await new Promise((resolve) => setTimeout(resolve, 100 + ((round * 173) % 500)));
    server.child.kill("SIGKILL");
    const sent = await sending;
    await server.exit;
    acknowledged += sent.acknowledged.length;

    server = await serve(place);
    starts.push(server.ms);
    const [users, spent] = await totals(server);
    expect(users).toBeGreaterThanOrEqual(acknowledged * USERS_PER_BATCH);
    expect(users).toBeLessThanOrEqual((acknowledged + sent.inDoubt.length) * USERS_PER_BATCH);
    expect(spent).toBe(users);

    const again = createClient({ baseUrl: server.url, apiKey: key });
    for (const number of sent.inDoubt) {
      await again.request("POST /tracking/events", { body: { events: batchOf(number) } });
    }
    acknowledged += sent.inDoubt.length;
    expect(await totals(server)).toEqual([acknowledged * USERS_PER_BATCH, acknowledged * USERS_PER_BATCH]);
  }
  const worst = Math.max(...starts);
  const median = starts.sort((left, right) => left - right)[starts.length >> 1] ?? 0;
  console.log(
    `${ROUNDS} kills, ${acknowledged * USERS_PER_BATCH * 2} events; ready again after ${median.toFixed(0)} ms (median), ${worst.toFixed(0)} ms (worst), from sources`,
  );
}, 600_000);
