import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";
import { createNode } from "./node.fixture.ts";

const CHILD = fileURLToPath(new URL("./idempotency.child.ts", import.meta.url));
/** After how many counts each process is killed, before it answers the last one. */
const KILLS = process.env.CI === "true" ? [1, 20, 33, 47, 71] : [1, 33];
const MINUTE = 60_000;

/** Counts with keys from a number on until the process is killed. Returns the first key that was not sent. */
async function countAndDie(path: string, from: number, counts: number): Promise<number> {
  const args = [...RUN_TYPESCRIPT, CHILD, path, String(from), String(counts)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed += text));
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  const sent = printed.split("\n").slice(0, -1).map(Number);
  return Math.max(...sent) + 1;
}

test("counts each Idempotency-Key once if the process is killed while it counts", { timeout: 300_000 }, async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-once-"));
  const variants = [{ key: "a" }, { key: "b" }];
  const before = createNode({ storage: lmdbStore({ path }), jobs: false });
  await before.ask("POST", "/experiments/", { key: "x", name: "X", status: "ACTIVE", variants });
  await before.assay.close();
  let keys = 0;
  for (const counts of KILLS) keys = await countAndDie(path, keys, counts);

  // Some minutes later: the keys of the dead processes are free. Clients send all requests again.
  const after = createNode({ storage: lmdbStore({ path }), jobs: false, now: () => Date.now() + 5 * MINUTE });
  try {
    for (let key = 0; key < keys; key++) expect((await after.count(String(key))).status).toBe(200);
    const { body } = await after.ask("GET", "/counters/x");
    expect(body.totals.events).toBe(keys);
  } finally {
    await after.assay.close();
    await rm(path, { recursive: true });
  }
});
