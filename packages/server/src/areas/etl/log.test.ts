import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { decodeRecord, encodeRecord, type KeptEvent } from "@assay/analysis";
import { DuckDBInstance } from "@duckdb/node-api";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { afterEach, describe, expect, test } from "vitest";
import { purgeEvents } from "../../analysis/retention.ts";
import { readEvents } from "../../analysis/stored-events.fixture.ts";
import { EVENTS_JOURNAL } from "../../events/journal.ts";
import { ANALYST, BY, createTracking, HOUR, NOON } from "../tracking/tracking.fixture.ts";
import { createFolder, runTask } from "./etl.fixture.ts";
import { createEventsExport } from "./tasks/events-export.ts";
import { createResultsRecompute } from "./tasks/results-recompute.ts";

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

type App = Awaited<ReturnType<typeof createPlayed>>;

/** A log of `requests` requests of four events each, most of it in chunks of 40 events. */
async function createPlayed(requests = 50, options: { trimJournal?: boolean } = {}) {
  const app = await createTracking(options);
  cleanUps.push(app.close);
  await app.addExperiment();
  for (let number = 0; number < requests; number++) {
    app.clock.now = NOON + number * HOUR;
    const user_id = `user "${number}" ü`;
    const variant_id = number % 2 ? "control" : "treatment";
    await app.tracking.events([
      { event_type: "exposure", user_id, experiment_id: "checkout", variant_id, event_metadata: { n: number, a: [1] } },
      { event_type: "purchase", user_id, value: number / 3, event_id: `purchase-${number}` },
      { event_type: "visit", user_id: `user "${number >> 1}" ü`, timestamp: new Date(app.clock.now - 5).toISOString() },
      { event_type: "shown", user_id, feature_flag_key: "none", experiment_id: "nothing" },
    ]);
    if (number === requests - 8) await app.analysis.compact(40);
  }
  return app;
}

async function readAll(app: App): Promise<KeptEvent[]> {
  const all: KeptEvent[] = [];
  for await (const events of readEvents(app.store)) all.push(...events);
  return all;
}

describe("reading every event", () => {
  test("returns the sent events in order, wherever they are stored", async () => {
    const app = await createPlayed();
    const before = await readAll(app);
    expect(before).toHaveLength(200);
    expect(before[4]).toEqual({
      event_id: null,
      event_type: "exposure",
      user_id: 'user "1" ü',
      timestamp: NOON + HOUR,
      received_at: NOON + HOUR,
      experiment_id: "id-of-checkout",
      variant_id: "control",
      feature_flag_key: null,
      value: null,
      forced: false,
      event_metadata: { n: 1, a: [1] },
    });
    expect(before.at(-3)).toMatchObject({ event_id: "purchase-49", event_type: "purchase", value: 49 / 3 });
    expect(before.at(-2)).toMatchObject({ timestamp: app.clock.now - 5, received_at: app.clock.now });
    expect(before.at(-1)).toMatchObject({ experiment_id: "nothing", feature_flag_key: "none" });
    await app.analysis.compact(1);
    const after = await readAll(app);
    expect(after).toEqual(before.map((event) => ({ ...event, event_id: null })));
  });

  test("is correct during a compaction and new events", async () => {
    const app = await createPlayed();
    const before = await readAll(app);
    const seen: KeptEvent[] = [];
    for await (const events of readEvents(app.store)) {
      seen.push(...events);
      await app.tracking.track({ event_type: "late", user_id: "late" });
      await app.analysis.compact(1);
    }
    expect(seen.map(({ user_id, timestamp }) => [user_id, timestamp])).toEqual(
      before.map(({ user_id, timestamp }) => [user_id, timestamp]),
    );
  });
});

describe("an export", () => {
  test.each(["NDJSON", "PARQUET"] as const)("as %s contains every event, row for row", async (format) => {
    const app = await createPlayed();
    const folder = await createFolder();
    cleanUps.push(folder.remove);
    const { files } = await runTask(createEventsExport(app.store, folder), { format });
    const kept = await readAll(app);
    const path = join(folder.directory, files[0]!.name);
    expect(await readdir(folder.directory)).toEqual([files[0]!.name]);
    expect(files).toMatchObject([{ rows: 200, bytes: (await readFile(path)).length }]);
    const expected = kept.map((event) => ({
      ...event,
      timestamp: new Date(event.timestamp).toISOString(),
      received_at: new Date(event.received_at).toISOString(),
    }));
    if (format === "NDJSON") {
      const lines = (await readFile(path, "utf8")).trim().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(expected);
      return;
    }
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path) });
    const readable = (row: Record<string, unknown>) => ({
      ...row,
      timestamp: (row.timestamp as Date).toISOString(),
      received_at: (row.received_at as Date).toISOString(),
      event_metadata: row.event_metadata === null ? null : JSON.parse(String(row.event_metadata)),
    });
    expect(rows.map(readable)).toEqual(expected);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const read = await connection.runAndReadAll(`SELECT * FROM read_parquet('${path}')`);
    expect(read.getRowObjectsJS().map(readable)).toEqual(expected);
    connection.closeSync();
  });

  test("contains only the requested events, and leaves no file if it is stopped", async () => {
    const app = await createPlayed();
    const folder = await createFolder();
    cleanUps.push(folder.remove);
    const task = createEventsExport(app.store, folder);
    const start_date = new Date(NOON + 10 * HOUR).toISOString();
    const end_date = new Date(NOON + 20 * HOUR).toISOString();
    const part = await runTask(task, { start_date, end_date, experiment_id: "id-of-checkout" });
    expect(part.files).toMatchObject([{ rows: 10 }]);
    const abort = new AbortController();
    const stopped = runTask(
      task,
      { format: "PARQUET" },
      {
        runId: "018f0000-0000-7000-8000-000000000002",
        signal: abort.signal,
        report: () => abort.abort(new Error("stop")),
      },
    );
    await expect(stopped).rejects.toThrow("stop");
    expect(await readdir(folder.directory)).toHaveLength(1);
  });

  test("fails if a user is erased during the export", async () => {
    const app = await createPlayed();
    const folder = await createFolder();
    cleanUps.push(folder.remove);
    let erasing: Promise<unknown> | undefined;
    const erase = () => (erasing ??= app.tracking.eraseUser('user "1" ü', BY));
    const slow = runTask(createEventsExport(app.store, folder), {}, { report: erase });
    await expect(slow).rejects.toThrow("Events were erased while the job ran; run it again");
    await erasing;
    expect(await readdir(folder.directory)).toEqual([]);
  });
});

describe("a recomputation", () => {
  const taskOf = (app: App) => createResultsRecompute(app);

  test("from a kept journal gives exactly equal results, also after an erasure", async () => {
    const app = await createPlayed(50, { trimJournal: false });
    await app.results.get("checkout", ANALYST);
    await app.tracking.eraseUser('user "3" ü', BY);
    await app.analysis.compact(1);
    const { lines } = await runTask(taskOf(app));
    expect(lines).toEqual(["INFO Read 195 of 195 events from the raw journal", 'INFO Experiment "checkout": equal']);
  });

  test("reports what it could not check if the journal was trimmed", async () => {
    const app = await createPlayed();
    const { lines } = await runTask(taskOf(app), { experiment_id: "checkout" });
    expect(lines).toEqual([
      "INFO Read 40 of 200 events from the raw journal",
      "WARN The raw records of 160 events were trimmed, so chunks are used instead; set keepRawEvents to keep them",
      'INFO Experiment "checkout": equal',
    ]);
  });

  test("reports how many events it has read, which is most of the work, and each experiment", async () => {
    const app = await createPlayed();
    await app.addExperiment({ id: "id-of-other", key: "other" });
    const reports: [processed: number, progress: number][] = [];
    await runTask(taskOf(app), {}, { report: (...report) => reports.push(report) });
    // Of the 50 records, the first 40 are in four chunks.
    expect(reports.map(([processed]) => processed)).toEqual([40, 80, 120, 160, 200, 200, 200]);
    const shares = [10, 20, 30, 40, 50].map((records) => (records / 50) * 0.9);
    for (const [index, share] of [...shares, 0.95, 1].entries()) expect(reports[index]![1]).toBeCloseTo(share, 10);
  });

  test("finds a segment that differs from the journal", async () => {
    const app = await createPlayed(50, { trimJournal: false });
    await app.results.get("checkout", ANALYST);
    const [first] = await app.store.read(EVENTS_JOURNAL, 0, 1);
    const record = decodeRecord(first!.record);
    const events = record.events.map((event) => ({ ...event, value: event.value === null ? null : event.value + 1 }));
    const { position } = first!;
    const changed = encodeRecord({ ...record, events });
    await app.store.batch([{ type: "rewrite", journal: EVENTS_JOURNAL, position, record: changed }]);
    await expect(runTask(taskOf(app))).rejects.toThrow("Results differ from the raw journal: checkout");
  });
});

describe("a purge", () => {
  const purge = (app: App, before: number) =>
    purgeEvents(app.store, app.analysis, { before, holder: "test", signal: new AbortController().signal });

  test.each([true, false])(
    "removes old events, with the names of users without events (trimmed: %s)",
    async (trimJournal) => {
      const app = await createPlayed(50, { trimJournal });
      await app.results.get("checkout", ANALYST);
      const all = await readAll(app);
      for (const hours of [20, 45]) {
        const before = NOON + hours * HOUR;
        const old = (await readAll(app)).filter(({ received_at }) => received_at < before).length;
        expect(await purge(app, before)).toBe(old);
        expect(await readAll(app)).toEqual(all.filter(({ received_at }) => received_at >= before));
        expect((await runTask(createResultsRecompute(app))).lines.at(-1)).toBe('INFO Experiment "checkout": equal');
      }
      const { sample_size } = await app.results.get("checkout", ANALYST);
      expect(sample_size.control + sample_size.treatment).toBe(5);
      const entries = await app.store.list("event-segments/");
      expect(entries.length).toBeGreaterThan(2);
      // A returning user counts as a new one.
      await app.tracking.track({
        event_type: "purchase",
        user_id: 'user "1" ü',
        experiment_id: "checkout",
        variant_id: "control",
      });
      expect((await app.results.get("checkout", ANALYST)).sample_size).toEqual({
        ...sample_size,
        control: sample_size.control + 1,
      });
      await app.analysis.compact(1);
      expect((await readAll(app)).at(-1)).toMatchObject({ user_id: 'user "1" ü' });
    },
  );

  test("keeps two ids as one person as long as either has an event", async () => {
    const app = await createPlayed(50);
    await app.tracking.identify({ anonymous_id: 'user "49" ü', user_id: "ada" }, BY.actor);
    await purge(app, NOON + 49 * HOUR);
    await app.tracking.track({ event_type: "visit", user_id: "ada" });
    await app.analysis.compact(1);
    const found = await app.tracking.exportUser("ada", BY);
    expect(found.aliases).toEqual(['user "49" ü']);
    expect((await app.results.get("checkout", ANALYST)).metrics[1]).toMatchObject({ name: "purchase_value" });
  });
});
