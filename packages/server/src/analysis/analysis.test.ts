import { memoryStore, type Store } from "@assay/store";
import { describe, expect, it } from "vitest";
import { ANALYST, BY, createTracking } from "../areas/tracking/tracking.fixture.ts";
import { silentLogger } from "../ground/runtime.ts";
import { listChunks, readLogState } from "./storage.ts";

/** Sends the events of `count` users, ten users per request. One in four users buys. */
async function send(app: Awaited<ReturnType<typeof createTracking>>, count: number, prefix = "user") {
  for (let from = 0; from < count; from += 10) {
    const users = Array.from({ length: Math.min(10, count - from) }, (_, index) => `${prefix}-${from + index}`);
    await app.tracking.events(
      users.flatMap((user_id, index) => [
        { event_type: "exposure", user_id, experiment_id: "checkout", variant_id: index % 2 ? "treatment" : "control" },
        ...(index % 4 === 0 ? [{ event_type: "purchase", user_id, value: from + index }] : []),
      ]),
    );
  }
}

/** Returns the results without the time of their computation. */
async function resultsOf(app: Awaited<ReturnType<typeof createTracking>>) {
  // Another version, so that no cached answer applies.
  await app.experiments.update(
    "id-of-checkout",
    (record) => ({ ...record, description: `${record.description}.` }),
    BY,
  );
  const { computed_at: _, ...results } = await app.results.get("checkout", ANALYST);
  return results;
}

describe("the analysis", () => {
  it("gives the same answer from the journal, from chunks, from both, and after a restart", async () => {
    const store = memoryStore();
    const app = await createTracking({ store });
    await app.addExperiment();
    await send(app, 200);
    const fresh = await resultsOf(app);
    expect(await app.analysis.compact(100)).toBeGreaterThan(0);
    expect(await resultsOf(app)).toEqual(fresh);
    expect((await store.read("events", 0, 1000)).length).toBeLessThan(10);
    const restarted = await createTracking({ store });
    expect(await resultsOf(restarted)).toEqual(fresh);
    await send(restarted, 20, "late");
    const later = await resultsOf(restarted);
    expect(later.sample_size).toEqual({ control: 110, treatment: 110 });
    expect(await resultsOf(app)).toEqual(later);
  });

  it("gives the same answer from a worker thread", async () => {
    const store = memoryStore();
    const app = await createTracking({ store });
    await app.addExperiment();
    await send(app, 100);
    const inline = await resultsOf(app);
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (text: string) => warnings.push(text) };
    const threaded = await createTracking({ store, logger, thread: "WORKER", workerFrom: 1 });
    expect(await resultsOf(threaded)).toEqual(inline);
    expect(await resultsOf(threaded)).toEqual(inline);
    expect(await threaded.analysis.compact(30)).toBeGreaterThan(0);
    expect(await resultsOf(threaded)).toEqual(inline);
    expect(await threaded.tracking.eraseUser("user-0", BY)).toEqual({
      erased_events: 2,
      erased_assignments: 1,
      removed_from: [],
      remaining: [],
      remaining_total: 0,
    });
    expect((await resultsOf(threaded)).sample_size).toEqual({ control: 49, treatment: 50 });
    expect(warnings).toEqual([]);
    await threaded.close();
  });

  it("gives the same answer to every other question from a worker thread", async () => {
    const store = memoryStore();
    const app = await createTracking({ store });
    await app.addExperiment();
    await send(app, 100);
    const threaded = await createTracking({ store, thread: "WORKER", workerFrom: 1 });
    const breakdown = { dimension: "plan", base_alpha: 0.05 };
    const cuped = { winsorize: true, lower_pct: 0.01, upper_pct: 0.99, lookback_days: 14 };
    const looks = {
      ...({ method: "msprt", alpha: 0.05, spending_function: "pocock" } as const),
      ...{ num_looks: 2, expected_lift: 0.1 },
    };
    const holdout = {
      subject: {
        experimentId: "h",
        variants: ["held_out", "not_held_out"],
        metrics: null,
        everyOutcome: true as const,
      },
      options: { percentage: 30, from: 0, eventType: null },
    };
    const answersOf = ({ results, analysis }: typeof app) =>
      Promise.all([
        analysis.answer({ ...holdout.subject, history: [{ status: "ACTIVE", at: 0 }] }, 1, {
          about: "holdout",
          options: holdout.options,
        }),
        results.breakdown("checkout", breakdown, ANALYST),
        results.cuped("checkout", cuped, ANALYST),
        results.sequential("checkout", looks, ANALYST),
        results.timeseries("checkout", {}, ANALYST),
      ]);
    const answers = await answersOf(app);
    expect(answers[0].users.every((users) => users > 10)).toBe(true);
    expect(await answersOf(threaded)).toEqual(answers);
    // The result is the same from the journal and from chunks.
    await app.analysis.compact(1);
    const compacted = await createTracking({ store });
    expect(await answersOf(compacted)).toEqual(answers);
    await threaded.close();
  });

  it("compacts once a chunk is full", async () => {
    const app = await createTracking({ chunkRows: 100 });
    await app.addExperiment();
    await send(app, 200);
    await app.close();
    const again = await createTracking({ store: app.store });
    expect((await readLogState(again.store)).through).toBeGreaterThan(0);
  });

  it("compacts what earlier processes left in the journal when results are requested", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await send(app, 100);
    const later = await createTracking({ store: app.store, chunkRows: 100 });
    const before = await resultsOf(later);
    await later.close();
    expect((await readLogState(app.store)).through).toBeGreaterThan(0);
    expect(await resultsOf(app)).toEqual(before);
  });

  it("compacts a journal that has grown long while it reads it", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await send(app, 400);
    const before = await resultsOf(app);
    const later = await createTracking({ store: app.store, chunkRows: 50 });
    expect(await resultsOf(later)).toEqual(before);
    expect((await listChunks(app.store, 0, 100)).length).toBeGreaterThan(3);
    expect(await resultsOf(app)).toEqual(before);
    await later.close();
  });

  it("describes chunks of earlier versions, which have no index, when it reads them first", async () => {
    const app = await createTracking();
    await app.addExperiment();
    await send(app, 200);
    await app.analysis.compact(100);
    const before = await resultsOf(app);
    const indexOf = async () =>
      (await app.store.list("event-index/")).map(({ key, value }) => [key, Buffer.from(value)]);
    const index = await indexOf();
    expect(index.length).toBeGreaterThan(1);
    await app.store.batch(index.map(([key]) => ({ type: "delete", key: key as string })));
    expect(await resultsOf(await createTracking({ store: app.store }))).toEqual(before);
    expect(await indexOf()).toEqual(index);
    expect(await resultsOf(await createTracking({ store: app.store }))).toEqual(before);
  });

  it("follows a node that compacts past its own position", async () => {
    const store = memoryStore();
    const [one, two] = [await createTracking({ store }), await createTracking({ store })];
    await one.addExperiment();
    await two.collections.catchUp();
    await two.experiments.load();
    await send(one, 30);
    await resultsOf(two);
    await send(one, 30, "more");
    await one.analysis.compact(60);
    expect(await listChunks(store, 0, 10)).toHaveLength(1);
    await send(one, 10, "last");
    await two.experiments.load();
    expect((await resultsOf(two)).sample_size).toEqual({ control: 35, treatment: 35 });
  });

  it("does not restore by compaction what another node erases", async () => {
    const store = memoryStore();
    const [one, two] = [await createTracking({ store }), await createTracking({ store })];
    await one.addExperiment();
    await two.experiments.load();
    await send(one, 30);
    await resultsOf(two);
    await one.tracking.eraseUser("user-0", BY);
    await two.analysis.compact(1);
    expect(await two.tracking.exportUser("user-0", BY)).toMatchObject({ events: [] });
    await one.experiments.load();
    expect((await resultsOf(one)).sample_size).toEqual({ control: 14, treatment: 15 });
  });

  it("continues after records that were damaged and set aside", async () => {
    const base = memoryStore();
    const lost = new Set([2, 3, 6]);
    const store: Store = {
      ...base,
      read: async (journal, after, limit) => {
        const records = await base.read(journal, after, limit);
        return journal === "events" ? records.filter(({ position }) => !lost.has(position)) : records;
      },
    };
    const app = await createTracking({ store });
    await app.addExperiment();
    await send(app, 60);
    expect((await resultsOf(app)).sample_size).toEqual({ control: 15, treatment: 15 });
    await send(app, 10, "more");
    expect((await resultsOf(app)).sample_size).toEqual({ control: 20, treatment: 20 });
  });

  it("starts again from the store after a failure", async () => {
    const base = memoryStore();
    let failing = false;
    const store: Store = {
      ...base,
      read: (...parameters) => (failing ? Promise.reject(new Error("lost")) : base.read(...parameters)),
    };
    const app = await createTracking({ store });
    await app.addExperiment();
    await send(app, 20);
    failing = true;
    await expect(resultsOf(app)).rejects.toThrow("lost");
    failing = false;
    expect((await resultsOf(app)).sample_size).toEqual({ control: 10, treatment: 10 });
  });

  it("keeps chunks under 20 bytes an event", async () => {
    const app = await createTracking();
    await app.addExperiment();
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let batch = 0; batch < 20; batch++) {
      app.clock.now += 60_000 * random();
      await app.tracking.events(
        Array.from({ length: 2500 }, () => ({
          event_type: ["exposure", "visit", "purchase"][Math.floor(3 * random())],
          user_id: `0190b6f0-0000-7000-8000-${Math.floor(5000 * random())
            .toString()
            .padStart(12, "0")}`,
          experiment_id: "checkout",
          variant_id: random() < 0.5 ? "control" : "treatment",
          value: Math.round(1e4 * random()) / 100,
          timestamp: new Date(app.clock.now - Math.floor(1e6 * random())).toISOString(),
        })),
      );
    }
    expect(await app.analysis.compact(50_000)).toBe(50_000);
    const bytes = (await listChunks(app.store, 0, 100)).reduce((sum, chunk) => sum + chunk.bytes.length, 0);
    expect(bytes / 50_000).toBeLessThan(20);
  });
});
