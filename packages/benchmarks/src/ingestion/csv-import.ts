import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EXPERIMENT } from "../http/cases.ts";
import { type Memory, watchMemory } from "./memory.ts";
import { runAssay, serveAssay } from "./serve.ts";

const ROWS_AT_ONCE = 10_000;

/** An import: its time, and the most memory of the server. */
interface Imported {
  ms: number;
  /** Undefined on other systems than Linux. */
  memory: Memory | undefined;
}

/** Imports a CSV file of so many users by `assay import` into `assay serve`. */
export async function importCsv(rows: number): Promise<Imported> {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const path = join(folder, "users.csv");
  await writeUsers(path, rows);
  const server = await serveAssay(join(folder, "data"));
  const columns = ["--experiment", EXPERIMENT, "--user", "user", "--arm", "arm", "--metric", "purchase=bought"];
  const memory = watchMemory(server.pid);
  const start = performance.now();
  await runAssay(["import", path, ...columns, "--url", server.url, "--api-key", server.apiKey]);
  const ms = performance.now() - start;
  const most = memory();
  await server.close();
  await rm(folder, { recursive: true });
  return { ms, memory: most };
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
