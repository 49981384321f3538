/**
 * Imports a CSV file into a new server on this machine, and prints the time and the server's memory: `pnpm --filter
 * @assay/cli bench:import [rows]`. Each row is a user with one outcome in two. Memory is sampled from
 * `/proc/PID/smaps_rollup`, so it needs Linux: `anonymous` is what the process itself holds; the rest are pages of
 * LMDB's file and of the program, which the kernel can drop at any time. Needs a build.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@assay/client";

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ASSAY = fileURLToPath(new URL("../bin/assay.mjs", import.meta.url));
const PASSWORD = "a-password-of-a-benchmark";
const SAMPLE_MS = 100;

/** Starts a command of the built CLI. */
function start(words: string[], environment: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [ASSAY, ...words], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Returns the address that a server prints. Its output is read on, so that it never waits. */
function addressOf(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    server.stdout!.on("data", (part) => {
      text += part;
      const found = /ready at (http:\S+)/.exec(text);
      if (found) resolve(found[1]!);
    });
    server.once("exit", () => reject(new Error(`The server did not start:\n${text}`)));
  });
}

async function writeRows(path: string): Promise<void> {
  const file = createWriteStream(path);
  file.write("user,arm,bought\n");
  for (let row = 0; row < ROWS; row++) {
    const user = row.toString(16).padStart(12, "0");
    const line = `0190b6f0-0000-7000-8000-${user},${row % 2 ? "b" : "a"},${row % 4 < 2 ? "TRUE" : "FALSE"}\n`;
    if (!file.write(line)) await once(file, "drain");
  }
  await new Promise((resolve) => file.end(resolve));
}

/** Returns the memory of a process in MB, by kind. */
async function memoryOf(pid: number): Promise<{ anonymous: number; resident: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
  const megabytes = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0) / 1024;
  return { anonymous: megabytes("Anonymous"), resident: megabytes("Rss") };
}

const directory = await mkdtemp(join(tmpdir(), "assay-import-"));
const csv = join(directory, "rows.csv");
await writeRows(csv);
const server = start(["serve", "--port", "0", "--data", join(directory, "data")], {
  ASSAY_ADMIN_PASSWORD: PASSWORD,
  ASSAY_RATE_LIMIT: "off",
});
const url = await addressOf(server);
const admin = createClient({ baseUrl: url, username: "admin", password: PASSWORD });
const variants = [{ key: "a" }, { key: "b" }];
await admin.request("POST /experiments/", { body: { key: "imported", name: "Imported", status: "ACTIVE", variants } });
const { key } = await admin.request("POST /api-keys", { body: { name: "import", scopes: ["read", "write"] } });

const peak = { anonymous: 0, resident: 0 };
const sample = setInterval(async () => {
  const now = await memoryOf(server.pid!).catch(() => peak);
  for (const name of ["anonymous", "resident"] as const) peak[name] = Math.max(peak[name], now[name]);
}, SAMPLE_MS);
const before = await memoryOf(server.pid!);
const started = performance.now();
const columns = ["--experiment", "imported", "--user", "user", "--arm", "arm", "--metric", "bought=bought"];
const importer = start(["import", csv, "--url", url, "--api-key", key!, ...columns]);
importer.stdout!.resume();
const [code] = await once(importer, "exit");
const seconds = (performance.now() - started) / 1000;
const after = await memoryOf(server.pid!);
const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "imported" } });
clearInterval(sample);

const print = (name: string, { anonymous, resident }: typeof peak) =>
  console.log(
    `${name.padEnd(24)} ${anonymous.toFixed(0).padStart(6)} MB anonymous ${resident.toFixed(0).padStart(6)} MB resident`,
  );
console.log(`${ROWS} rows in ${seconds.toFixed(1)} s, exit code ${code}`);
print("before", before);
print("at most", peak);
print("after", after);
const data = await stat(join(directory, "data", "data.mdb"));
console.log(`${(data.size / 2 ** 20).toFixed(0)} MB in the file of LMDB`);
console.log(`users in the results: ${results.sample_size.control + results.sample_size.treatment}`);
server.kill("SIGTERM");
await once(server, "exit");
await rm(directory, { recursive: true });
