import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { toStore } from "@assay/store";
import { createStorage, prefixStorage } from "unstorage";
import redisDriver from "unstorage/drivers/redis";
import { afterEach, beforeEach, expect, test } from "vitest";
import { RUN_TYPESCRIPT } from "../../../workspace/src/typescript.fixture.ts";
import { createTestServer, refusal } from "../testing.fixture.ts";

const { ASSAY_TEST_REDIS: REDIS_URL, CI } = process.env;
const hasRedis = REDIS_URL !== undefined || CI === "true";
if (!hasRedis) console.log("Skipped: tests with Redis (set ASSAY_TEST_REDIS, such as redis://127.0.0.1:6379)");

const PATIENCE_MS = 30_000;
let base: string;

const open = () => createStorage({ driver: redisDriver({ url: REDIS_URL!, base, maxRetriesPerRequest: 1 }) });

beforeEach(() => {
  base = `assay-test-${randomUUID()}`;
});

afterEach(async () => {
  if (!REDIS_URL) return;
  const storage = open();
  await storage.clear();
  await storage.dispose();
});

/** Runs the script to its end. Returns its output and its exit code, which is null if the script does not end. */
async function run() {
  const words = [...RUN_TYPESCRIPT, "redis-script.fixture.ts"];
  const env = { ...process.env, REDIS_URL, BASE: base };
  const child = spawn(process.execPath, words, { cwd: import.meta.dirname, env, stdio: ["ignore", "pipe", "inherit"] });
  let timer: NodeJS.Timeout | undefined;
  child.stdout.once("data", () => {
    timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
  });
  const exit = once(child, "close");
  const output = await text(child.stdout);
  const [code] = await exit;
  clearTimeout(timer);
  return { output, code };
}

test.runIf(hasRedis)(
  "a script over a Redis ends once its server is closed, and its data is there for the next",
  async () => {
    expect(REDIS_URL, "CI needs ASSAY_TEST_REDIS").toBeDefined();
    expect(await run()).toEqual({ output: "0 flags; closed\n", code: 0 });
    expect(await run()).toEqual({ output: "1 flags; closed\n", code: 0 });
  },
  240_000,
);

/** Starts a Redis for this test only, which it can freeze. */
async function startRedis() {
  const port = 20_000 + Math.floor(Math.random() * 20_000);
  const words = ["--port", String(port), "--save", "", "--appendonly", "no"];
  const child = spawn("redis-server", words, { stdio: ["ignore", "pipe", "inherit"] });
  for await (const chunk of child.stdout) if (String(chunk).includes("Ready to accept connections")) break;
  return { child, url: `redis://127.0.0.1:${port}` };
}

test.runIf(hasRedis)(
  "a frozen Redis is a 503 with its reason, until it answers again",
  async () => {
    const { child, url } = await startRedis();
    const storage = createStorage({ driver: redisDriver({ url, base }) });
    const server = await createTestServer({ storage, storeDeadlineMs: 500 });
    const create = (key: string) => server.admin.request("POST /feature-flags/", { body: { key, name: key } });
    const readyz = async () => {
      const response = await server.assay.fetch(new Request("http://assay.test/readyz"));
      return { status: response.status, body: await response.json() };
    };
    await create("before");
    child.kill("SIGSTOP");
    expect(await refusal(create("during"))).toMatchObject({ status: 503 });
    expect(await readyz()).toMatchObject({
      status: 503,
      body: { reason: "The store did not answer within 0.5 seconds" },
    });
    expect(await server.admin.request("GET /feature-flags/")).toHaveLength(1);
    child.kill("SIGCONT");
    await expect.poll(async () => (await readyz()).status, { timeout: 20_000 }).toBe(200);
    await create("after");
    // The write that the server answered with 503 has reached the store.
    await expect.poll(() => server.admin.request("GET /feature-flags/")).toHaveLength(3);
    await server.assay.close();
    child.kill("SIGKILL");
  },
  120_000,
);

test.runIf(hasRedis)("a Redis that the host still uses stays open if the server has a prefix of it", async () => {
  const storage = open();
  const store = toStore(prefixStorage(storage, "flags"));
  await store.increment("n", 1);
  await store.close();
  await storage.setItem("mine", "kept");
  expect(await storage.getItem("mine")).toBe("kept");
  await storage.dispose();
});
