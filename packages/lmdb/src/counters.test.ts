import { type ChildProcess, fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createAssay } from "@assay/server";
import { expect, test } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";

const ROUNDS = 40;
const script = fileURLToPath(new URL("./counters.child.ts", import.meta.url));
const admin = { username: "admin", password: "correct horse battery" };
const logger = { info() {}, warn() {}, error() {} };

function start(path: string): ChildProcess {
  const execArgv = [...RUN_TYPESCRIPT];
  return fork(script, [path, String(ROUNDS)], { execArgv, cwd: dirname(script) });
}

function heard<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once("message", (message) => resolve(message as T));
    child.once("exit", () => reject(new Error("The child process is gone")));
  });
}

test("three server processes lose no count, single or in bulk", { timeout: 60_000 }, async () => {
  const path = await mkdtemp(join(tmpdir(), "assay-counters-"));
  const assay = createAssay({ storage: lmdbStore({ path }), admin, passwordCost: 16, rateLimit: false, logger });
  const ask = async (method: string, target: string, body?: object, token = "") => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) };
    return (await assay.fetch(new Request(`http://assay.test/api/v1${target}`, init))).json();
  };
  const { access_token } = await ask("POST", "/auth/login", admin);
  const variants = [{ key: "a" }, { key: "b" }];
  await ask("POST", "/experiments/", { key: "x", name: "X", status: "ACTIVE", variants }, access_token);

  const children = [start(path), start(path), start(path)];
  try {
    await Promise.all(children.map((child) => heard(child)));
    const counted = children.map((child) => heard<{ statuses: number[] }>(child));
    for (const child of children) child.send("count");
    const statuses = (await Promise.all(counted)).map((answer) => answer.statuses);
    expect(statuses).toEqual(children.map(() => new Array(ROUNDS).fill(200)));
    const { variants: counts } = await ask("GET", "/counters/x", undefined, access_token);
    expect(counts).toMatchObject([
      { variant_key: "a", events: children.length * ROUNDS },
      { variant_key: "b", events: 2 * children.length * (ROUNDS / 5) },
    ]);
  } finally {
    for (const child of children) child.kill();
    await assay.close();
    await rm(path, { recursive: true });
  }
});
