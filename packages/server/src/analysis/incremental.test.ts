import { memoryStore, partsOf, type Store } from "@assay/store";
import { expect, test } from "vitest";
import { createTracking } from "../areas/tracking/tracking.fixture.ts";

type App = Awaited<ReturnType<typeof createTracking>>;

/** A store that notes which records and segments of events are read. */
function watched(store: Store) {
  const read = { records: [] as number[], segments: [] as string[] };
  const watching: Store = {
    ...store,
    async read(journal, after, limit) {
      const records = await store.read(journal, after, limit);
      if (journal === "events") read.records.push(...records.map(({ position }) => position));
      return records;
    },
    async list(prefix, options) {
      const entries = await store.list(prefix, options);
      for (const { key } of entries) if (partsOf(key)[0] === "event-segments") read.segments.push(partsOf(key)[1]!);
      return entries;
    },
  };
  return {
    store: watching,
    /** Returns what was read since the last call. */
    taken() {
      const taken = { ...read };
      Object.assign(read, { records: [], segments: [] });
      return taken;
    },
  };
}

/** Sends so many requests of one exposure each, every one a record of the journal. */
async function send(app: App, count: number, prefix: string): Promise<void> {
  for (let user = 0; user < count; user++) {
    const exposure = { event_type: "exposure", user_id: `${prefix}-${user}`, experiment_id: "checkout" };
    await app.tracking.events([{ ...exposure, variant_id: user % 2 ? "treatment" : "control" }]);
  }
}

/** Returns the number of users in the results of an experiment without metrics. */
async function usersOf(app: App): Promise<number> {
  const subject = { experimentId: "id-of-checkout", variants: ["control", "treatment"], metrics: [] };
  const history = [{ status: "ACTIVE" as const, at: 0 }];
  const { users } = await app.analysis.answer({ ...subject, history }, 1, { about: "statistics", options: null });
  return users.reduce((sum, n) => sum + n, 0);
}

test("new events are read alone: a recomputation reads no record again", async () => {
  const { store, taken } = watched(memoryStore());
  const app = await createTracking({ store });
  await app.addExperiment();
  await send(app, 8, "first");
  expect(await usersOf(app)).toBe(8);
  const before = taken();
  expect(before).toEqual({ records: [1, 2, 3, 4, 5, 6, 7, 8], segments: [] });
  await send(app, 3, "later");
  expect(await usersOf(app)).toBe(11);
  expect(taken()).toEqual({ records: [9, 10, 11], segments: [] });
  // A segment that the server wrote itself is read once, and its records no more.
  expect(await app.analysis.compact(11)).toBe(11);
  await send(app, 1, "last");
  expect(await usersOf(app)).toBe(12);
  const compacted = taken();
  expect([compacted.records, compacted.segments.length]).toEqual([[12], 1]);
  await send(app, 1, "end");
  expect(await usersOf(app)).toBe(13);
  expect(taken()).toEqual({ records: [13], segments: [] });
});

test("a segment that another server appends is read alone: no earlier one is read again", async () => {
  const store = memoryStore();
  const writer = await createTracking({ store });
  await writer.addExperiment();
  await send(writer, 5, "first");
  await writer.analysis.compact(5);
  const { store: watchedStore, taken } = watched(store);
  const reader = await createTracking({ store: watchedStore });
  expect(await usersOf(reader)).toBe(5);
  const first = taken();
  expect([first.records.length, first.segments.length]).toEqual([0, 1]);
  await send(writer, 4, "more");
  await writer.analysis.compact(4);
  expect(await usersOf(reader)).toBe(9);
  const second = taken();
  expect([second.records.length, second.segments.length]).toEqual([0, 1]);
  expect(second.segments).not.toEqual(first.segments);
});
