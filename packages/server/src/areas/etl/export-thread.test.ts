import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { asyncBufferFromFile, parquetMetadataAsync } from "hyparquet";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createTestServer } from "../../testing.fixture.ts";
import { createFolder, perform } from "./etl.fixture.ts";

const { threads, encoding } = vi.hoisted(() => ({ threads: { areAvailable: true }, encoding: { isAllowed: false } }));
// What is mocked in this thread is not mocked in others.
vi.mock("node:worker_threads", async (load) => {
  const { Worker, ...rest } = await load<typeof import("node:worker_threads")>();
  return {
    ...rest,
    Worker: class extends Worker {
      constructor(...parameters: ConstructorParameters<typeof Worker>) {
        if (!threads.areAvailable) throw new Error("no threads");
        super(...parameters);
      }
    },
  };
});
vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  const openSync: typeof fs.openSync = (path, ...rest) => {
    if (String(path).endsWith(".part") && !encoding.isAllowed) throw new Error("This thread must not encode");
    return fs.openSync(path, ...rest);
  };
  return { ...fs, openSync, default: { ...fs, openSync } };
});

let folder: Awaited<ReturnType<typeof createFolder>>;
let server: Awaited<ReturnType<typeof createTestServer>>;
beforeEach(async () => {
  Object.assign(threads, { areAvailable: true });
  Object.assign(encoding, { isAllowed: false });
  folder = await createFolder();
  server = await createTestServer({ exports: folder });
  const { request } = await server.withKey(["write"]);
  const events = Array.from({ length: 100 }, (_, index) => ({ event_type: "visit", user_id: `user-${index}` }));
  await request("POST /tracking/events", { body: { events } });
});
afterEach(async () => {
  await server.assay.close();
  await folder.remove();
});

async function rowsOf(format: "NDJSON" | "PARQUET"): Promise<number> {
  const run = await perform(server.admin, "events-export", { format });
  expect(run).toMatchObject({ status: "SUCCEEDED", error: null, processed: 100, files: [{ rows: 100 }] });
  const [{ name, bytes } = { name: "", bytes: 0 }] = run.files;
  const path = join(folder.directory, name);
  expect((await stat(path)).size).toBe(bytes);
  if (format === "NDJSON") return (await readFile(path, "utf8")).trim().split("\n").length;
  return Number((await parquetMetadataAsync(await asyncBufferFromFile(path))).num_rows);
}

test.each(["NDJSON", "PARQUET"] as const)("encodes %s in another thread", async (format) => {
  expect(await rowsOf(format)).toBe(100);
});

test.each(["NDJSON", "PARQUET"] as const)("encodes %s in this thread if there are no others", async (format) => {
  threads.areAvailable = false;
  encoding.isAllowed = true;
  expect(await rowsOf(format)).toBe(100);
});

test("fails if the file cannot be written", async () => {
  const { directory } = folder;
  await folder.remove();
  await writeFile(directory, "no directory");
  expect(await perform(server.admin, "events-export")).toMatchObject({
    status: "FAILED",
    error: "Internal error; see the server's log for this run's id",
  });
});
