import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { BATCH, RESULTS } from "../http/cases.ts";
import { load } from "../http/load.ts";
import { type ServerProcess, startServer } from "../http/server-process.ts";
import { quantileOf } from "../measure/statistics.ts";

const CHILD = new URL("stored.child.ts", import.meta.url);
const REQUESTS = 500;

/** A data directory with many events, whose server stopped cleanly. */
export interface StoredEvents {
  events: number;
  /** Bytes of the data directory for one event, journals, claims and free pages included. */
  bytesPerEvent: number;
  /** Where its LMDB is. */
  storage: string;
  /** The API key of its events. */
  apiKey: string;
  /** Starts the server again. `facts` are the milliseconds until it is ready, and until it has answered results. */
  start(): Promise<ServerProcess>;
  remove(): Promise<void>;
}

/** Stores so many events over the API of a server on LMDB, and stops it. Each user is in one of the experiments. */
export async function storeEvents(events: number, experiments = 1): Promise<StoredEvents> {
  const folder = await mkdtemp(join(tmpdir(), "assay-bench-"));
  const words = [fileURLToPath(CHILD), "fill", folder, `${events}`, `${experiments}`];
  await promisify(execFile)(process.execPath, ["--import", "tsx", ...words]);
  const names = await readdir(join(folder, "store"), { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, "store", name))).size));
  return {
    events,
    storage: join(folder, "store"),
    apiKey: await readFile(join(folder, "key"), "utf8"),
    bytesPerEvent: sizes.reduce((sum, size) => sum + size, 0) / events,
    start: () => startServer(`${events.toLocaleString("en-GB")} events`, CHILD, ["serve", folder]),
    remove: () => rm(folder, { recursive: true }),
  };
}

/** Returns the 99th percentile of the times of memoised results, in milliseconds. */
export async function slowestResults(server: ServerProcess): Promise<number> {
  return quantileOf(await load(server, RESULTS, REQUESTS), 0.99);
}

/** Returns for how many milliseconds at most the event loop was blocked while results were computed again. */
export async function blockedByResults(server: ServerProcess): Promise<number> {
  await server.watch();
  // New events make the results of before outdated.
  await load(server, BATCH, 1, 1);
  await load(server, RESULTS, 1, 1);
  return server.blocked();
}
