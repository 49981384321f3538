import { execFile } from "node:child_process";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { EXPERIMENT } from "../http/cases.ts";
import { ROOT, startAssay } from "../http/server-process.ts";
import { watchPrivateMemory } from "./private-memory.ts";

const ROWS_AT_ONCE = 10_000;

/** An import: its time, and the most memory of the server. */
interface Imported {
  ms: number;
  bytes: number;
  /** Undefined on other systems than Linux. */
  privateBytes: number | undefined;
}

/** Imports a CSV file of so many users by `assay import`. */
export async function importCsv(rows: number): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const path = join(folder, "users.csv");
  await writeUsers(path, rows);
  const server = await startAssay("import", { store: "lmdb" });
  const columns = ["--experiment", EXPERIMENT, "--user", "user", "--arm", "arm", "--metric", "purchase=bought"];
  const address = ["--url", `http://127.0.0.1:${server.port}`, "--api-key", server.headers["x-api-key"]!];
  const privateMemory = watchPrivateMemory(server.pid);
  const start = performance.now();
  await promisify(execFile)(process.execPath, [
    join(ROOT, "packages/cli/bin/assay.mjs"),
    "import",
    path,
    ...columns,
    ...address,
  ]);
  const ms = performance.now() - start;
  const privateBytes = privateMemory();
  const bytes = await server.memory();
  await server.close();
  await rm(folder, { recursive: true });
  return { ms, bytes, privateBytes };
}

async function writeUsers(path: string, rows: number): Promise<void> {
  const file = await open(path, "w");
  await file.write("user,arm,bought\n");
  for (let from = 0; from < rows; from += ROWS_AT_ONCE) {
    const lines = Array.from({ length: Math.min(ROWS_AT_ONCE, rows - from) }, (_, index) => {
      const user = from + index;
      return `user-${user},${user % 2 ? "treatment" : "control"},TRUE\n`;
    });
    await file.write(lines.join(""));
  }
  await file.close();
}
