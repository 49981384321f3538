import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode } from "./node.fixture.ts";

const CHILD = fileURLToPath(new URL("./hang.child.ts", import.meta.url));

test("while a stopped process holds LMDB's lock, writes answer 503, reads work, and /readyz gives the reason", {
  timeout: 120_000,
}, async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-hang-"));
  const node = createNode({ storage: lmdbStore({ path }), jobs: false, storeDeadlineMs: 3_000 });
  const ask = await node.signIn();
  expect((await ask("POST", "/feature-flags/", { key: "before", name: "F", status: "ACTIVE" })).status).toBe(201);
  const child = spawn(process.execPath, ["--import", "tsx", CHILD, path], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    await once(child.stdout, "data");
    const readyz = async () => {
      const response = await node.assay.fetch(new Request("http://assay.test/readyz"));
      return { status: response.status, body: await response.json() };
    };
    expect((await ask("POST", "/feature-flags/", { key: "during", name: "F" })).status).toBe(503);
    expect(await readyz()).toMatchObject({
      status: 503,
      body: { status: "unavailable", reason: "The store did not answer within 3 seconds" },
    });
    expect((await ask("GET", "/feature-flags/before")).status).toBe(200);
    expect(node.assay.engine.evaluate("before", { targetingKey: "u" }, false).enabled).toBe(true);

    child.kill("SIGCONT");
    await expect.poll(async () => (await readyz()).status, { timeout: 20_000 }).toBe(200);
    // The write waited in the queue of the database: the 503 says that it may happen.
    await expect.poll(async () => (await ask("GET", "/feature-flags/during")).status, { timeout: 20_000 }).toBe(200);
    expect((await ask("POST", "/feature-flags/", { key: "after", name: "F" })).status).toBe(201);
  } finally {
    child.kill("SIGKILL");
    await node.assay.close();
    await rm(path, { recursive: true });
  }
});
