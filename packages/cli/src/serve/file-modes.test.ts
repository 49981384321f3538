import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Serving, serve, stopAll } from "../cli.fixture.ts";

let directory: string;
let mask: number;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "assay-modes-"));
  // The widest umask: modes must not depend on the user who starts the server.
  mask = process.umask(0);
});
afterEach(async () => {
  process.umask(mask);
  await stopAll();
  rmSync(directory, { recursive: true });
});

/** Returns a path and everything below it, with types and modes. */
function modesIn(path: string): Set<string> {
  const all = [path, ...readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => join(path, name))];
  return new Set(all.map((one) => describeMode(one)));
}

function describeMode(path: string): string {
  const stat = statSync(path);
  return `${stat.isDirectory() ? "directory" : "file"} ${(stat.mode & 0o777).toString(8)}`;
}

/** Makes the server write everything that it can: changes, events, an export. */
async function use({ admin }: Serving): Promise<void> {
  await admin.request("POST /feature-flags/", { body: { key: "f", name: "F" } });
  const job = { params: { job_name: "events-export" }, body: {} };
  const { run_id } = await admin.request("POST /etl/jobs/{job_name}/run", job);
  const run = () => admin.request("GET /etl/jobs/{run_id}", { params: { run_id } });
  await expect.poll(async () => (await run()).status).toBe("SUCCEEDED");
}

test.each(["lmdb", "fs"])("only the owner can access the files that serve creates with %s", async (kind) => {
  const data = join(directory, "made", "data");
  const server = await serve(["--data", data, "--storage", `${kind}:${join(data, "store")}`]);
  await use(server);
  expect(readdirSync(join(data, "exports"))).toHaveLength(1);
  expect(modesIn(join(directory, "made"))).toEqual(new Set(["directory 700", "file 600"]));
  server.child.kill("SIGTERM");
  expect(await server.exit).toBe(0);
  const again = await serve(["--data", data, "--storage", `${kind}:${join(data, "store")}`]);
  expect(again.output()).not.toContain("Other users");
});

test.each(["lmdb", "fs"])(
  "serve warns once at start of a directory of %s with a wider mode, and prints the command to fix it",
  async (kind) => {
    const store = join(directory, "store");
    const exports = join(directory, "exports");
    for (const path of [store, exports]) mkdirSync(path, { mode: 0o755 });
    const server = await serve(["--data", directory, "--storage", `${kind}:${store}`]);
    await use(server);
    const output = server.output();
    const warning = (path: string) =>
      `Other users of this machine may use the data in ${path} (mode 755). Run: chmod 700 ${path}`;
    expect(output.split(warning(store))).toHaveLength(2);
    expect(output.split(warning(exports))).toHaveLength(2);
    expect(output.split("Other users")).toHaveLength(3);
    expect([describeMode(store), describeMode(exports)]).toEqual(["directory 755", "directory 755"]);
  },
);
