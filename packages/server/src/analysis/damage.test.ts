import { memoryStore, type Store } from "@assay/store";
import { expect, test } from "vitest";
import { ANALYST, createTracking, HOUR, NOON } from "../areas/tracking/tracking.fixture.ts";
import { timestampOf } from "../ground/runtime.ts";
import { findMissing } from "./missing.ts";
import { listChunks } from "./storage.ts";
import { readEvents } from "./stored-events.fixture.ts";

type App = Awaited<ReturnType<typeof createTracking>>;

/** Sends one user per arm in one record, an hour after the previous ones. */
async function send(app: App, round: number, experiment = "checkout"): Promise<void> {
  app.clock.now = NOON + round * HOUR;
  await app.tracking.events(
    ["control", "treatment"].map((variant_id) => ({
      event_type: "exposure",
      user_id: `${experiment}-${round}-${variant_id}`,
      experiment_id: experiment,
      variant_id,
    })),
  );
}

/**
 * Creates a store with damaged records of the event log, and damaged entries by the start of their key. Both read as
 * absent.
 */
function damagedStore() {
  const base = memoryStore();
  const records = new Set<number>();
  const keys = new Set<string>();
  const isLost = (key: string) => [...keys].some((start) => key.startsWith(start));
  const store: Store = {
    ...base,
    get: async (key) => (isLost(key) ? null : base.get(key)),
    list: async (prefix, { after, limit } = {}) => {
      const sound = (await base.list(prefix, after === undefined ? {} : { after })).filter(({ key }) => !isLost(key));
      return sound.slice(0, limit);
    },
    read: async (journal, after, limit) =>
      (await base.read(journal, after, limit)).filter(({ position }) => journal !== "events" || !records.has(position)),
  };
  return { store, records, keys };
}

async function resultsOf(app: App, experiment = "checkout") {
  const { sample_size, analysis_warnings } = await app.results.get(experiment, ANALYST);
  return [sample_size.control, sample_size.treatment, analysis_warnings];
}

const ran = (from: number, to: number | null) => ({
  started_at: timestampOf(NOON + from * HOUR),
  ended_at: to === null ? null : timestampOf(NOON + to * HOUR),
});

test.each([
  [0, "the first record", [2, 2, ["EVENTS_DAMAGED"]]],
  [1, "one between others", [2, 2, ["EVENTS_DAMAGED"]]],
  [2, "the last record", [2, 2, ["EVENTS_DAMAGED"]]],
  [9, "no record", [3, 3, []]],
])("results report damage to record %i of an experiment's events, %s", async (lost, _, expected) => {
  const { store, records } = damagedStore();
  const app = await createTracking({ store });
  await app.addExperiment(ran(-1, null));
  for (let round = 0; round < 3; round++) await send(app, round);
  records.add(lost + 1);
  expect(await resultsOf(app)).toEqual(expected);
});

test("an experiment that did not run while the damaged record was received is unchanged", async () => {
  const { store, records } = damagedStore();
  const app = await createTracking({ store });
  await app.addExperiment({ key: "before", ...ran(-1, 1.5), status: "COMPLETED" });
  await app.addExperiment({ key: "meanwhile", ...ran(-1, 4) });
  await app.addExperiment({ key: "after", ...ran(5.5, null) });
  for (let round = 0; round < 8; round++) await send(app, round, "meanwhile");
  // The record was received at 3, its neighbors at 2 and 4.
  records.add(4);
  expect((await resultsOf(app, "before"))[2]).toEqual([]);
  expect((await resultsOf(app, "meanwhile"))[2]).toEqual(["EVENTS_DAMAGED"]);
  expect((await resultsOf(app, "after"))[2]).toEqual([]);
});

test("lost events stay lost and reported after the records around them are compacted", async () => {
  const { store, records } = damagedStore();
  const app = await createTracking({ store });
  await app.addExperiment(ran(-1, null));
  for (let round = 0; round < 4; round++) await send(app, round);
  records.add(2);
  expect(await app.analysis.compact(1)).toBe(6);
  expect(await resultsOf(await createTracking({ store }))).toEqual([3, 3, ["EVENTS_DAMAGED"]]);
});

/** Writes three chunks of two records each, and a record in the journal. Returns the keys of the chunks. */
async function compacted(store: Store): Promise<string[]> {
  const app = await createTracking({ store });
  await app.addExperiment(ran(-1, null));
  for (let round = 0; round < 6; round++) {
    await send(app, round);
    if (round % 2 === 1) await app.analysis.compact(4);
  }
  await send(app, 6);
  const chunks = await listChunks(store, 0, 10);
  expect(chunks).toHaveLength(3);
  return chunks.map(({ key }) => key);
}

test.each([0, 1, 2])("damage to chunk %i of the log loses only its own events", async (lost) => {
  const { store, keys } = damagedStore();
  const chunks = await compacted(store);
  keys.add(chunks[lost]!);
  const app = await createTracking({ store });
  await app.addExperiment({ key: "after", ...ran(6.5, null) }).catch(() => {});
  expect(await resultsOf(app)).toEqual([5, 5, ["EVENTS_DAMAGED"]]);
  await send(app, 7);
  await send(app, 8, "after");
  expect(await resultsOf(app)).toEqual([6, 6, ["EVENTS_DAMAGED"]]);
  expect(await resultsOf(app, "after")).toEqual([1, 1, []]);
  // Later events are compacted and read again.
  expect(await app.analysis.compact(1)).toBeGreaterThan(0);
  expect(await resultsOf(await createTracking({ store }))).toEqual([6, 6, ["EVENTS_DAMAGED"]]);
});

test("an export contains the remaining events", async () => {
  const { store, keys } = damagedStore();
  const chunks = await compacted(store);
  keys.add(chunks[1]!);
  const users: (string | null)[] = [];
  for await (const events of readEvents(store)) {
    users.push(...events.map(({ user_id }) => user_id));
  }
  expect(users).toEqual(
    [0, 1, 4, 5, 6].flatMap((round) => [`checkout-${round}-control`, `checkout-${round}-treatment`]),
  );
});

test("finds the chunks again if the entry that counts them is damaged", async () => {
  const { store, keys } = damagedStore();
  await compacted(store);
  keys.add("events/state");
  expect(await resultsOf(await createTracking({ store }))).toEqual([7, 7, []]);
});

const span = ran(0, 2);
const at = (hour: number) => NOON + hour * HOUR;
test.each([
  [{ after: at(-2), before: at(0) }, ["EVENTS_DAMAGED"]],
  [{ after: at(-2), before: at(0) - 1 }, []],
  [{ after: at(2), before: at(3) }, ["EVENTS_DAMAGED"]],
  [{ after: at(2) + 1, before: at(3) }, []],
  [{ after: null, before: at(1) }, ["EVENTS_DAMAGED"]],
  [{ after: at(1), before: null }, ["EVENTS_DAMAGED"]],
  [{ after: at(3), before: null }, []],
])("events received between the neighbouring records may belong to experiments that ran then: %j", (gap, expected) => {
  expect(findMissing(span, null, [gap])).toEqual(expected);
  expect(findMissing({ started_at: null, ended_at: null }, at(5), [gap])).toEqual([]);
});

test("counts events received before the purge as removed by age", () => {
  expect(findMissing(span, at(0), [])).toEqual([]);
  expect(findMissing(span, at(0) + 1, [])).toEqual(["EVENTS_REMOVED"]);
});
