import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, isAssayError } from "@assay/client";
import { afterEach, beforeEach, expect, test } from "vitest";
import { run, type Serving, serve, stopAll } from "../cli.fixture.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "assay-backup-"));
});
afterEach(async () => {
  await stopAll();
  await rm(directory, { recursive: true });
});

const place = (name: string) => join(directory, name);

async function stop(server: Serving): Promise<void> {
  server.child.kill("SIGTERM");
  expect(await server.exit).toBe(0);
}

/** Sends exposures of one new user at a time, in pairs of an exposure and a purchase, until it is stopped. */
function sendPairs(server: Serving, apiKey: string) {
  const client = createClient({ baseUrl: server.url, apiKey });
  let isStopped = false;
  let sent = 0;
  const sending = (async () => {
    while (!isStopped) {
      const common = { user_id: `u-${sent}`, experiment_id: "price", variant_id: sent % 2 ? "b" : "a" };
      const events = [
        { ...common, event_type: "exposure" },
        { ...common, event_type: "buy", value: 1 },
      ];
      try {
        await client.request("POST /tracking/events", { body: { events } });
      } catch (error) {
        if (!isAssayError(error)) throw error;
      }
      sent++;
    }
  })();
  return {
    sent: () => sent,
    async stop() {
      isStopped = true;
      await sending;
    },
  };
}

async function fill({ admin }: Serving): Promise<string> {
  await admin.request("POST /feature-flags/", { body: { key: "f", name: "F", status: "ACTIVE" } });
  const variants = [{ key: "a" }, { key: "b" }];
  const metrics = [{ name: "Bought", event_type: "buy", kind: "MEAN" as const }];
  const body = { key: "price", name: "Price", status: "ACTIVE" as const, variants, metrics };
  await admin.request("POST /experiments/", { body });
  return (await admin.request("POST /api-keys", { body: { name: "k", scopes: ["write"] } })).key!;
}

/** Returns the number of users in the results, and of their purchases: one each. */
async function totals({ admin }: Serving): Promise<[users: number, bought: number]> {
  const { sample_size, metrics } = await admin.request("GET /results/{experiment_id}", {
    params: { experiment_id: "price" },
  });
  const { control, treatment } = sample_size;
  const [bought] = metrics;
  const sum = control * (bought?.control_value ?? 0) + treatment * (bought?.treatment_value ?? 0);
  return [control + treatment, Math.round(sum)];
}

test("a backup of a running server is one moment of it, and a server starts on what it restores", async () => {
  const server = await serve(["--data", place("data")]);
  const key = await fill(server);
  const pairs = sendPairs(server, key);
  await expect.poll(pairs.sent, { timeout: 20_000 }).toBeGreaterThan(20);
  const before = pairs.sent();
  const made = await run(["backup", place("copy"), "--data", place("data")]);
  const after = pairs.sent();
  await pairs.stop();
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/^\d+ rows \(.*\d+ entries/) });
  expect((await stat(place("copy"))).mode & 0o777).toBe(0o600);
  await stop(server);

  const restored = await run(["restore", place("copy"), "--data", place("new")]);
  expect(restored.code).toBe(0);
  const checksum = /SHA-256.*/.exec(made.output)![0];
  expect(restored.output).toContain(checksum);
  const again = await serve(["--data", place("new")]);
  const [users, bought] = await totals(again);
  expect(bought).toBe(users);
  expect(users).toBeGreaterThanOrEqual(before);
  expect(users).toBeLessThanOrEqual(after + 1);
  expect(await again.admin.request("GET /feature-flags/")).toHaveLength(1);
}, 300_000);

test("backs up and restores a directory of files, while no server uses it", async () => {
  const storage = `fs:${place("files")}`;
  const server = await serve(["--storage", storage, "--data", place("data")]);
  await fill(server);
  const busy = await run(["backup", place("copy"), "--storage", storage]);
  expect(busy).toMatchObject({ code: 1, output: expect.stringContaining("in use by process") });
  await stop(server);
  expect((await run(["backup", place("copy"), "--storage", storage])).code).toBe(0);
  const target = `fs:${place("new")}`;
  expect((await run(["restore", place("copy"), "--storage", target])).code).toBe(0);
  const again = await serve(["--storage", target, "--data", place("data")]);
  expect(await again.admin.request("GET /feature-flags/")).toHaveLength(1);
}, 300_000);

test("restore refuses data that exists, damaged files and other kinds of stores, and writes nothing", async () => {
  const server = await serve(["--data", place("data")]);
  await stop(server);
  expect((await run(["backup", place("copy"), "--data", place("data")])).code).toBe(0);
  const onto = await run(["restore", place("copy"), "--data", place("data")]);
  expect(onto).toMatchObject({ code: 1, output: expect.stringContaining("There is data already") });

  const bytes = await readFile(place("copy"));
  await writeFile(place("damaged"), bytes.subarray(0, bytes.length - 200));
  const refused = await run(["restore", place("damaged"), "--data", place("new")]);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining("is damaged or cut short") });
  const kind = await run(["restore", place("copy"), "--storage", `fs:${place("files")}`]);
  expect(kind).toMatchObject({ code: 1, output: expect.stringContaining('is a backup of "lmdb"') });
  expect((await run(["restore", place("copy"), "--data", place("new")])).code).toBe(0);
  const nothing = await run(["backup", place("none"), "--data", place("missing")]);
  expect(nothing).toMatchObject({ code: 1, output: expect.stringContaining("There is no data") });
}, 300_000);
