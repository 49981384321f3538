import { statSync } from "node:fs";
import { chmod, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { memoryStore, type Store } from "@assay/store";
import { afterEach, describe, expect, test, vi } from "vitest";
import { SYSTEM } from "../../storage/change.ts";
import { createTestServer, refusal } from "../../testing.fixture.ts";
import { createTestSchema, hasPostgres } from "../warehouse/postgres.fixture.ts";
import { playEvents, simulateEvents } from "../warehouse/simulated-events.fixture.ts";
import { createFolder, ended, perform } from "./etl.fixture.ts";
import { createRuns, nodeLease, type StoredRun } from "./runs.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function createServer(options: Parameters<typeof createTestServer>[0] = {}) {
  const folder = await createFolder();
  const server = await createTestServer({ exports: { directory: join(folder.directory, "exports") }, ...options });
  cleanUps.push(folder.remove, () => server.assay.close());
  return { ...server, directory: join(folder.directory, "exports") };
}

/** A store that a closing server leaves open, for the next one. */
const keptOpen = (store: Store): Store => ({ ...store, close: async () => {} });

/** A run that its node has not ended. */
const plantedRun = (run_id: string, node: string): StoredRun => ({
  run_id,
  job_name: "events-export",
  status: "RUNNING",
  progress: 0.5,
  processed: 10,
  parameters: {},
  files: [],
  created_by: null,
  created_at: "2026-03-01T11:00:00.000Z",
  started_at: "2026-03-01T11:00:00.000Z",
  finished_at: null,
  error: null,
  node,
  actor: SYSTEM,
});

describe("data jobs", () => {
  test("are listed with their parameters and last runs, newest first", async () => {
    const { admin, as } = await createServer();
    const viewer = await as("VIEWER");
    const { items, total } = await viewer.request("GET /etl/jobs");
    const names = ["events-export", "results-recompute", "warehouse-sync", "retention-purge"];
    expect([items.map(({ name }) => name), total]).toEqual([names, 4]);
    expect(items[0]!.parameters).toMatchObject({ properties: { format: { enum: ["NDJSON", "PARQUET"] } } });
    const runs = [];
    for (let index = 0; index < 6; index++) runs.push((await perform(admin, "results-recompute")).run_id);
    const [, recompute] = (await viewer.request("GET /etl/jobs")).items;
    expect(recompute!.latest_runs.map(({ run_id }) => run_id)).toEqual(runs.reverse().slice(0, 5));
  });

  test("accept parameters in either case, and suggest the nearest key for an unknown one", async () => {
    const { admin } = await createServer();
    const exported = await perform(admin, "events-export", { format: "ndjson" });
    expect(exported).toMatchObject({ status: "SUCCEEDED", parameters: { format: "NDJSON" } });
    const body = { parameters: { formt: "PARQUET" } };
    const refused = admin.request("POST /etl/jobs/{job_name}/run", { params: { job_name: "events-export" }, body });
    expect(await refusal(refused)).toMatchObject({
      status: 422,
      issues: [{ loc: ["body", "parameters", "formt"], msg: 'Unknown key "formt"; did you mean "format"?' }],
    });
  });

  test("reject invalid parameters, and jobs that the server is not set up for", async () => {
    const { admin } = await createTestServer();
    const run = (job_name: string, parameters: object) =>
      refusal(
        admin.request("POST /etl/jobs/{job_name}/run", {
          params: { job_name },
          body: { parameters: parameters as Record<string, never> },
        }),
      );
    expect(await run("no-such-job", {})).toMatchObject({ status: 404 });
    for (const [job, parameters, last] of [
      ["events-export", { format: "CSV" }, "format"],
      ["events-export", { directory: "/etc" }, "directory"],
      ["events-export", { start_date: "yesterday" }, "start_date"],
      ["events-export", {}, "body"],
      ["results-recompute", { experiment_id: "nothing" }, "experiment_id"],
      ["warehouse-sync", { experiment_id: "nothing" }, "experiment_id"],
      ["retention-purge", {}, "body"],
    ] as const) {
      const { status, issues, detail } = await run(job, parameters);
      expect([status, ((issues ?? detail) as { loc: string[] }[])[0]!.loc.at(-1)]).toEqual([422, last]);
    }
  });

  test("answer 202 at once, report their progress and add an audit entry", async () => {
    const { admin, send } = await createServer();
    const params = { job_name: "results-recompute" };
    const begun = await send("POST", "/etl/jobs/results-recompute/run", {
      headers: await bearer(send),
      body: { parameters: {} },
    });
    expect(begun.status).toBe(202);
    expect(begun.json).toMatchObject({
      job_name: params.job_name,
      status: "QUEUED",
      progress: 0,
      error: null,
      files: [],
    });
    const run = await ended(admin, begun.json.run_id);
    expect(run).toMatchObject({ status: "SUCCEEDED", progress: 1, error: null });
    expect(run.finished_at! >= run.started_at!).toBe(true);
    const { items } = await admin.request("GET /etl/jobs/{run_id}/logs", { params: { run_id: run.run_id } });
    expect(items).toMatchObject([{ level: "INFO", message: "Read 0 of 0 events from the raw journal" }]);
    const trail = await send("GET", "/audit-logs/?action=etl.run", { headers: await bearer(send) });
    expect(trail.json.items).toMatchObject([{ resource_type: "etl_run", resource_id: run.run_id }]);
  });

  test("do not show the text of an unexpected error", async () => {
    const { admin, directory } = await createServer();
    await writeFile(directory, "a file in place of the directory");
    const { status, error } = await perform(admin, "events-export");
    expect({ status, error }).toEqual({
      status: "FAILED",
      error: "Internal error; see the server's log for this run's id",
    });
  });

  test("keep their runs over a restart", async () => {
    const store = memoryStore();
    const first = await createTestServer({ storage: keptOpen(store) });
    const run = await perform(first.admin, "results-recompute");
    await first.assay.close();
    const second = await createTestServer({ storage: store });
    expect(await second.admin.request("GET /etl/jobs/{run_id}", { params: { run_id: run.run_id } })).toEqual(run);
    await second.assay.close();
  });
});

describe("an export", () => {
  test("omits users who were erased before it, and results compute the same from the raw journal", async () => {
    const { admin, withKey, directory, ...server } = await createServer({ keepRawEvents: true });
    await playEvents({ admin, withKey, directory, ...server } as never, simulateEvents(60));
    await admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "user-7" } });
    const { status, files } = await perform(admin, "events-export");
    expect(status).toBe("SUCCEEDED");
    expect(await readdir(directory)).toEqual([files[0]!.name]);
    const text = await readFile(join(directory, files[0]!.name), "utf8");
    expect(text).toContain('"user-8"');
    expect(text).not.toContain('"user-7"');
    expect(text.trim().split("\n")).toHaveLength(files[0]!.rows);
    expect(Buffer.byteLength(text)).toBe(files[0]!.bytes);
    const recomputed = await perform(admin, "results-recompute", { experiment_id: "checkout" });
    expect(recomputed).toMatchObject({ status: "SUCCEEDED", processed: files[0]!.rows });
  });

  test("whose process died leaves no file after the next start, export or question about it", async () => {
    const { directory, remove } = await createFolder();
    cleanUps.push(remove);
    const store = memoryStore();
    const id = (number: number) => `018f0000-0000-7000-8000-00000000000${number}`;
    const nodes = ["dead", "first", "second"];
    const runs = createRuns(store);
    for (const [number, node] of nodes.entries()) {
      await runs.save(plantedRun(id(number), node), [], null);
      await store.lease(nodeLease(node), node, 3_600_000);
    }
    const kept = ["events-of-mine.ndjson.part", `events-${id(0)}.ndjson`, "notes.part"];
    const partial = (number: number) => `events-${id(number)}.${number === 1 ? "parquet" : "ndjson"}.part`;
    const names = [...kept, ...nodes.map((_, number) => partial(number))];
    for (const name of names) await writeFile(join(directory, name), "half");
    await store.release(nodeLease("dead"), "dead");
    const server = await createTestServer({ storage: store, exports: { directory } });
    cleanUps.push(() => server.assay.close());
    const left = async () => (await readdir(directory)).filter((name) => names.includes(name)).sort();
    expect(await left()).toEqual([...kept, partial(1), partial(2)].sort());
    await store.release(nodeLease("first"), "first");
    await server.admin.request("GET /etl/jobs/{run_id}", { params: { run_id: id(1) } });
    expect(await left()).toEqual([...kept, partial(2)].sort());
    await store.release(nodeLease("second"), "second");
    await perform(server.admin, "events-export");
    expect(await left()).toEqual([...kept].sort());
  });

  test.each(["NDJSON", "PARQUET"])(
    "creates files as %s and a directory that only their owner can access",
    async (format) => {
      const mask = process.umask(0);
      try {
        const { admin, directory } = await createServer();
        const { files } = await perform(admin, "events-export", { format });
        const modes = [directory, join(directory, files[0]!.name)].map((path) => statSync(path).mode & 0o777);
        expect(modes).toEqual([0o700, 0o600]);
      } finally {
        process.umask(mask);
      }
    },
  );

  test("warns once at start of an export directory that others may read", async () => {
    const folder = await createFolder();
    cleanUps.push(folder.remove);
    await chmod(folder.directory, 0o750);
    const warnings: string[] = [];
    const logger = { info() {}, warn: (message: string) => void warnings.push(message), error() {} };
    await createServer({ exports: { directory: folder.directory }, logger });
    const wide = `Other users of this machine may use the data in ${folder.directory} (mode 750)`;
    expect(warnings).toEqual([`${wide}. Run: chmod 700 ${folder.directory}`]);
  });

  test("as Parquet gives the same results as a warehouse", async () => {
    const folder = await createFolder();
    cleanUps.push(folder.remove);
    const exports = { directory: folder.directory };
    const server = await createServer({ exports, warehouse: { directories: [folder.directory] } });
    const { admin } = server;
    await playEvents(server, simulateEvents(120));
    const { files } = await perform(admin, "events-export", { format: "PARQUET" });
    const connection = { name: "Exports", type: "DUCKDB" as const, database: folder.directory };
    const { id } = await admin.request("POST /warehouse/connections", { body: connection });
    const params = { experiment_id: "checkout" };
    const own = await admin.request("GET /results/{experiment_id}", { params });
    const from = `"${files[0]!.name.replace(".parquet", "")}"`;
    const columns = { assignments: { forced: "forced" }, events: { experiment: "experiment_id" } };
    const synced = await admin.request("POST /warehouse/sync/{experiment_id}", {
      params,
      body: {
        connection_id: id,
        assignments_sql: `SELECT user_id, variant_id AS variant, timestamp, forced FROM ${from} WHERE event_type = 'exposure' AND experiment_id = '${own.experiment_id}'`,
        events_sql: `SELECT user_id, event_type, timestamp, value, experiment_id FROM ${from}`,
        columns,
      },
    });
    expect(synced).toMatchObject({ error: null, status: "SUCCEEDED" });
    const theirs = await admin.request("GET /results/{experiment_id}", { params });
    expect(theirs.source).toBe("WAREHOUSE");
    expect(theirs.sample_size).toEqual(own.sample_size);
    for (const [index, row] of own.metrics.entries()) {
      expect(theirs.metrics[index]!.p_value, row.name).toBeCloseTo(row.p_value, 9);
      expect(theirs.metrics[index]!.treatment_value, row.name).toBeCloseTo(row.treatment_value, 9);
    }
    // The job repeats the last sync, and reports when it cannot.
    expect(await perform(admin, "warehouse-sync")).toMatchObject({ status: "SUCCEEDED", processed: 1 });
    await rm(join(folder.directory, files[0]!.name));
    const { run_id, ...failed } = await perform(admin, "warehouse-sync");
    expect(failed).toMatchObject({ status: "FAILED", error: "Not synced: checkout", processed: 1 });
    const logs = await admin.request("GET /etl/jobs/{run_id}/logs", { params: { run_id } });
    expect(logs.items[0]).toMatchObject({
      level: "ERROR",
      message: expect.stringMatching(/^Experiment "checkout": \S/),
    });
    await admin.request("DELETE /warehouse/connections/{id}", { params: { id } });
    const again = await perform(admin, "warehouse-sync");
    expect(again).toMatchObject({ status: "FAILED" });
  });
});

describe("a run", () => {
  test.runIf(hasPostgres)("stops if it is cancelled while a query runs, and waiting runs continue", async () => {
    const schema = await createTestSchema();
    cleanUps.push(schema.remove);
    const server = await createServer({ outbound: { allowPrivateNetworks: true } });
    const { admin } = server;
    await schema.load(simulateEvents(20));
    await playEvents(server, simulateEvents(20));
    const { id } = await admin.request("POST /warehouse/connections", { body: schema.connection });
    await schema.client.query("CREATE TABLE slowness (seconds float8)");
    const columns = { assignments: { timestamp: "seen_at" }, events: { timestamp: "happened_at", value: "amount" } };
    await admin.request("POST /warehouse/sync/{experiment_id}", {
      params: { experiment_id: "checkout" },
      body: {
        connection_id: id,
        assignments_sql: "SELECT exposures.* FROM exposures LEFT JOIN slowness ON pg_sleep(seconds) IS NULL",
        events_table: "happenings",
        columns,
      },
    });
    // Longer than a test may take.
    await schema.client.query("INSERT INTO slowness VALUES (600)");
    const begin = (job_name: string) => admin.request("POST /etl/jobs/{job_name}/run", { params: { job_name } });
    const cancel = (run_id: string) => admin.request("POST /etl/jobs/{run_id}/cancel", { params: { run_id } });
    const slow = await begin("warehouse-sync");
    const waiting = await begin("results-recompute");
    const last = await begin("results-recompute");
    await vi.waitFor(async () => {
      const { rowCount } = await schema.client.query(
        "SELECT 1 FROM pg_stat_activity WHERE application_name = 'assay' AND query LIKE '%slowness%' AND state = 'active'",
      );
      expect(rowCount).toBeGreaterThan(0);
    });
    expect(await cancel(waiting.run_id)).toMatchObject({ status: "CANCELLED", started_at: null });
    expect(await admin.request("GET /etl/jobs/{run_id}", { params: { run_id: slow.run_id } })).toMatchObject({
      status: "RUNNING",
      finished_at: null,
    });
    expect(await cancel(slow.run_id)).toMatchObject({ status: "CANCELLED", error: null });
    expect(await refusal(cancel(slow.run_id))).toMatchObject({ status: 400, detail: "The run is already CANCELLED" });
    expect(await ended(admin, last.run_id)).toMatchObject({ status: "SUCCEEDED" });
    expect(await ended(admin, waiting.run_id)).toMatchObject({ status: "CANCELLED", started_at: null });
  });

  test("becomes FAILED if its node is gone, and continues if its node is alive", async () => {
    const store = memoryStore();
    const runs = createRuns(store);
    const [dead, alive] = ["018f0000-0000-7000-8000-000000000001", "018f0000-0000-7000-8000-000000000002"];
    await runs.save(plantedRun(dead, "dead"), [], null);
    await runs.save(plantedRun(alive, "alive"), [], null);
    await store.lease(nodeLease("alive"), "alive", 60_000);
    const { admin, assay } = await createTestServer({ storage: store });
    const get = (run_id: string) => admin.request("GET /etl/jobs/{run_id}", { params: { run_id } });
    expect(await get(dead)).toMatchObject({ status: "FAILED", error: "interrupted" });
    expect(await get(alive)).toMatchObject({ status: "RUNNING", error: null });
    const logs = await admin.request("GET /etl/jobs/{run_id}/logs", { params: { run_id: dead } });
    expect(logs.items).toMatchObject([{ level: "ERROR", message: "Interrupted: the node that ran it is gone" }]);
    // The other node receives the request to cancel.
    await admin.request("POST /etl/jobs/{run_id}/cancel", { params: { run_id: alive } });
    expect(await runs.isCancelled(alive)).toBe(true);
    await store.release(nodeLease("alive"), "alive");
    expect(await get(alive)).toMatchObject({ status: "FAILED", error: "interrupted" });
    await assay.close();
  });
});

describe("retention", () => {
  test("deletes the events that were received before the last days, to the millisecond", async () => {
    const server = await createServer({ retention: { eventsDays: 1 } });
    const { request } = await server.withKey(["write"]);
    await request("POST /tracking/track", { body: { event_type: "visit", user_id: "ada" } });
    server.advance(86_400_000);
    expect(await perform(server.admin, "retention-purge")).toMatchObject({ processed: 0 });
    server.advance(1);
    expect(await perform(server.admin, "retention-purge")).toMatchObject({ processed: 1 });
  });

  test("deletes old events manually or by the nightly job, and ids of users without events", async () => {
    const DAY = 86_400_000;
    const lines: unknown[] = [];
    const logger = { info: (...line: unknown[]) => void lines.push(line), warn() {}, error() {} };
    const server = await createServer({ retention: { eventsDays: 30 }, keepRawEvents: true, logger });
    const { admin, advance, send } = server;
    const early = simulateEvents(20);
    await playEvents(server, early);
    advance(20 * DAY);
    const { request } = await server.withKey(["write"]);
    const kept = { event_type: "visit", user_id: "user-3" };
    await request("POST /tracking/track", { body: kept });
    expect(await perform(admin, "retention-purge")).toMatchObject({ status: "SUCCEEDED", processed: 0 });
    advance(11 * DAY);
    const count = early.exposures.length + early.events.length;
    expect(await perform(admin, "retention-purge")).toMatchObject({ status: "SUCCEEDED", processed: count });
    const exported = await perform(admin, "events-export");
    expect(exported).toMatchObject({ files: [{ rows: 1 }] });
    expect(await readFile(join(server.directory, exported.files[0]!.name), "utf8")).toContain("user-3");
    expect(await perform(admin, "results-recompute")).toMatchObject({ status: "SUCCEEDED", processed: 1 });
    const results = await admin.request("GET /results/{experiment_id}", { params: { experiment_id: "checkout" } });
    expect(results.sample_size).toEqual({ control: 0, treatment: 0 });
    expect(results.analysis_warnings).toContain("EVENTS_REMOVED");
    const params = { experiment_id: "checkout" };
    const { caveats } = await admin.request("POST /ai/interpret/{experiment_id}", { params });
    expect(caveats.map(({ code }) => code)).toEqual(["NO_DATA", "EVENTS_REMOVED"]);

    advance(20 * DAY);
    const trigger = await send("POST", "/scheduler/jobs/retention/trigger", { headers: await bearer(send) });
    expect(trigger.status).toBe(202);
    await vi.waitFor(async () => {
      const { files } = await perform(admin, "events-export");
      expect(files).toMatchObject([{ rows: 0 }]);
    });
    await expect.poll(() => lines).toContainEqual(["Old events were deleted", { removed: 1 }]);
  });
});

async function bearer(send: Awaited<ReturnType<typeof createTestServer>>["send"]) {
  const { json } = await send("POST", "/auth/login", {
    body: { username: "admin", password: "correct horse battery" },
  });
  return { authorization: `Bearer ${json.access_token}` };
}
