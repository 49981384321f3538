import { EngineRefused, type EventEngine, type EventRecord, encodeRecord } from "@assay/analysis";
import { memoryStore, type Store } from "@assay/store";
import { describe, expect, test, vi } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { createTestServer, refusal, type TestServer } from "../testing.fixture.ts";
import { createAnalysis } from "./analysis.ts";
import { createCopiedAnalysis } from "./copied-analysis.ts";
import { eraseEvents } from "./erasure.ts";
import { memoryEngine } from "./memory-engine.fixture.ts";
import { createShipments } from "./shipments.ts";
import { COMPACTION_LEASE, readLogState } from "./storage.ts";

const params = { experiment_id: "checkout" };
const PATIENCE = { timeout: 10_000, interval: 20 };

async function create(server: TestServer) {
  const variants = [{ key: "a" }, { key: "b" }];
  return server.admin.request("POST /experiments/", {
    body: { key: "checkout", name: "Checkout", status: "ACTIVE", variants },
  });
}

async function expose(server: TestServer, ...users: string[]) {
  const { request } = await server.withKey(["write"]);
  const exposure = { event_type: "exposure", experiment_id: "checkout", variant_id: "a" };
  return request("POST /tracking/events", { body: { events: users.map((user_id) => ({ ...exposure, user_id })) } });
}

const resultsOf = ({ admin }: TestServer) => admin.request("GET /results/{experiment_id}", { params });
const usersOf = async (server: TestServer) => (await resultsOf(server)).sample_size.control;

async function readyz({ assay }: TestServer) {
  const response = await assay.fetch(new Request("http://assay.test/readyz"));
  expect(response.status).toBe(200);
  return (await response.json()) as { status: string; events?: object };
}

describe("a server with an event engine", () => {
  test("answers from the engine every event acknowledged before, and the same results until the next", async () => {
    const { engine, state } = memoryEngine();
    const server = await createTestServer({ events: engine });
    await create(server);
    await expose(server, "ada", "bob");
    const first = await resultsOf(server);
    expect(first.sample_size.control).toBe(2);
    expect(first).not.toHaveProperty("complete_until");
    const { asked } = state;
    expect(await resultsOf(server)).toEqual(first);
    expect(state.asked).toBe(asked);
    await expose(server, "cy");
    expect(await usersOf(server)).toBe(3);
    await server.assay.close();
  });

  test("takes events while the engine is away, answers what it knows, says so, and catches up", async () => {
    const { engine, state } = memoryEngine();
    const server = await createTestServer({ events: engine });
    await create(server);
    await expose(server, "ada");
    expect(await usersOf(server)).toBe(1);
    state.isAway = true;
    await expose(server, "bob");
    const late = await resultsOf(server);
    expect(late).toMatchObject({ sample_size: { control: 1 }, complete_until: "2026-03-01T12:00:00.000Z" });
    expect(late.analysis_warnings).toContain("EVENTS_DELAYED");
    const question = server.admin.request("GET /results/{experiment_id}/sequential", { params });
    expect(await refusal(question)).toMatchObject({ status: 503, detail: "The engine is away; try again" });
    const events = {
      engine: "Memory",
      behind: 1,
      complete_until: "2026-03-01T12:00:00.000Z",
      reason: "The engine is away",
    };
    expect(await readyz(server)).toMatchObject({ status: "ready", events });
    state.isAway = false;
    await vi.waitFor(
      async () => expect(await readyz(server)).toMatchObject({ events: { behind: 0, reason: null } }),
      PATIENCE,
    );
    const now = await resultsOf(server);
    expect(now.sample_size.control).toBe(2);
    expect(now).not.toHaveProperty("complete_until");
    expect(now.analysis_warnings).not.toContain("EVENTS_DELAYED");
    await server.assay.close();
  });

  test("refuses an answer of an earlier version of the experiment", async () => {
    const { engine, state } = memoryEngine();
    const server = await createTestServer({ events: engine });
    const { id } = await create(server);
    expect(await usersOf(server)).toBe(0);
    await server.admin.request("PUT /experiments/{experiment_id}", {
      params: { experiment_id: id },
      body: { name: "New" },
    });
    state.isAway = true;
    expect(await refusal(resultsOf(server))).toMatchObject({ status: 503 });
    await server.assay.close();
  });

  test("starts while the engine is away, and opens it later", async () => {
    const { engine, state } = memoryEngine();
    state.isAway = true;
    const server = await createTestServer({ events: engine });
    await create(server);
    await expose(server, "ada");
    expect(await refusal(resultsOf(server))).toMatchObject({ status: 503 });
    expect(await readyz(server)).toMatchObject({ status: "ready", events: { behind: null, complete_until: null } });
    state.isAway = false;
    expect(await usersOf(server)).toBe(1);
    await server.assay.close();
  });

  test("does not start if the engine refuses", async () => {
    const { engine, state } = memoryEngine();
    state.refusal = new EngineRefused("The engine is too old");
    await expect(createTestServer({ events: engine })).rejects.toThrow("The engine is too old");
  });

  test("erases people from store and engine, or from neither", async () => {
    const { engine, state, logs } = memoryEngine();
    const server = await createTestServer({ events: engine });
    await create(server);
    await expose(server, "ada", "bob");
    expect(await usersOf(server)).toBe(2);
    state.isAway = true;
    const erase = () => server.admin.request("DELETE /tracking/users/{user_id}", { params: { user_id: "ada" } });
    expect(await refusal(erase())).toMatchObject({ status: 503, detail: "The engine is away; try again" });
    const exported = () => server.admin.request("GET /tracking/users/{user_id}", { params: { user_id: "ada" } });
    expect((await exported()).events).toHaveLength(1);
    state.isAway = false;
    expect(await erase()).toMatchObject({ erased_events: 1 });
    expect(await usersOf(server)).toBe(1);
    expect(JSON.stringify([...logs.values()].map(({ records }) => [...records]))).not.toContain('"userId":"ada"');
    await server.assay.close();
  });

  test("fills an empty engine again, also with compacted events", async () => {
    const store = memoryStore();
    const keeper = { ...store, close: async () => {} };
    const server = await createTestServer({ storage: keeper });
    await create(server);
    await expose(server, "ada", "bob");
    await server.assay.close();
    const analysis = open(keeper, memoryEngine().engine);
    await analysis.answer(SUBJECT, 1, QUESTION);
    await analysis.compact(1);
    await vi.waitFor(async () => expect(await store.read("events", 0, 10)).toEqual([]), PATIENCE);
    await analysis.close();
    const restarted = await createTestServer({ storage: keeper, events: memoryEngine().engine });
    expect(await usersOf(restarted)).toBe(2);
    await expose(restarted, "cy");
    expect(await usersOf(restarted)).toBe(3);
    await restarted.assay.close();
  });
});

const SUBJECT = { experimentId: "x", variants: ["a"], history: [], metrics: [] };
const QUESTION = { about: "statistics", options: null } as const;

/** Opens the analysis of a store, in chunks of at least two events. */
function open(store: Store, engine: EventEngine, options: { compacts?: boolean; trimJournal?: boolean } = {}) {
  const runtime = createRuntime({ logger: silentLogger });
  return createCopiedAnalysis(store, runtime, engine, { thread: "INLINE", chunkRows: 2, patienceMs: 200, ...options });
}

describe("compaction of copied events", () => {
  /** A store with a record of one event for each user. */
  async function filled(...users: string[]) {
    const store = memoryStore();
    await add(store, ...users);
    return store;
  }

  async function add(store: Store, ...users: string[]) {
    for (const userId of users) {
      await store.batch([{ type: "append", journal: "events", records: [encodeRecord(recordOf(userId))] }]);
    }
  }

  /** A record of one exposure for each user. */
  function recordOf(...users: string[]): EventRecord {
    const rest = { flagKey: null, value: null, forced: false, metadata: null };
    const events = users.map((userId) => ({
      ...{ id: userId, type: "exposure", userId, time: 5, experimentId: "x", variantKey: "a" },
      ...rest,
    }));
    return { at: 5, events, joins: [] };
  }

  const positionsOf = async (store: Store) => (await store.read("events", 0, 100)).map(({ position }) => position);
  const throughOf = async (store: Store) => (await readLogState(store)).through;

  test("moves records to chunks once they are copied, and copies each once", async () => {
    const store = await filled("ada", "bob", "cy");
    const { engine, logs } = memoryEngine();
    const analysis = open(store, engine);
    await analysis.open();
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(2), PATIENCE);
    expect(await positionsOf(store)).toEqual([3]);
    await add(store, "dan", "eve");
    await analysis.answer(SUBJECT, 1, QUESTION);
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(4), PATIENCE);
    await analysis.close();
    const [log] = logs.values();
    expect([...log!.records.keys()]).toEqual([1, 2, 3, 4, 5]);
    // Chunks have no ids of events: every record was copied from the journal.
    expect([...log!.records.values()].flatMap(({ events }) => events.map(({ id }) => id))).toEqual([
      "ada",
      "bob",
      "cy",
      "dan",
      "eve",
    ]);
  });

  test("leaves records in the journal until they are copied", async () => {
    const store = await filled("ada", "bob");
    const { engine, state } = memoryEngine();
    const analysis = open(store, engine);
    await analysis.answer(SUBJECT, 1, QUESTION);
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(2), PATIENCE);
    state.isAway = true;
    await add(store, "cy", "dan");
    expect(await analysis.compact()).toBe(0);
    expect(await positionsOf(store)).toEqual([3, 4]);
    state.isAway = false;
    await analysis.answer(SUBJECT, 1, QUESTION);
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(4), PATIENCE);
    await analysis.close();
  });

  test("compacts what a server copied that died before it compacted", async () => {
    const store = await filled("ada", "bob");
    const { engine, logs } = memoryEngine();
    const died = open(store, engine, { compacts: false });
    await died.open();
    await died.answer(SUBJECT, 1, QUESTION);
    await died.close();
    expect(await throughOf(store)).toBe(0);
    const analysis = open(store, engine);
    await analysis.open();
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(2), PATIENCE);
    await analysis.close();
    expect([...logs.values()].map(({ records }) => records.size)).toEqual([2]);
  });

  test("waits for another server that copies", async () => {
    const store = await filled("ada", "bob");
    const { engine } = memoryEngine();
    const analysis = open(store, engine, { compacts: false });
    await analysis.answer(SUBJECT, 1, QUESTION);
    await store.lease(COMPACTION_LEASE, "another server", 60_000);
    const compacted = analysis.compact();
    await store.release(COMPACTION_LEASE, "another server");
    expect(await compacted).toBe(2);
    await analysis.close();
  });

  test("copies a large chunk in batches, and all of it again if the copy is emptied meanwhile", async () => {
    const store = memoryStore();
    for (let number = 0; number < 9; number++) {
      const users = Array.from({ length: 5000 }, (_, index) => `user-${number * 5000 + index}`);
      await store.batch([{ type: "append", journal: "events", records: [encodeRecord(recordOf(...users))] }]);
    }
    const compacting = createAnalysis(store, createRuntime({ logger: silentLogger }), { thread: "INLINE" });
    expect(await compacting.compact(22_000)).toBe(25_000);
    await compacting.close();
    const { engine } = memoryEngine();
    const shipments = createShipments(store);
    const log = engine.log("copy");
    const sizes: [events: number, position: number][] = [];
    for (let next = 0; ; next++) {
      const batch = await shipments.next(await log.progress());
      if (!batch) break;
      sizes.push([batch.records.reduce((sum, { record }) => sum + record.events.length, 0), batch.reached.position]);
      // The engine does not take the second batch the first time.
      if (next !== 1) await log.append(batch);
      if (next === 0) expect(batch.reached.gaps).toEqual([]);
    }
    expect(sizes.slice(0, 3)).toEqual([
      [20_000, 4],
      [5000, 5],
      [5000, 5],
    ]);
    expect(sizes.slice(3).reduce((sum, [events]) => sum + events, 0)).toBe(20_000);
    await log.drop();
    const again = createShipments(store);
    const first = { position: 0, receivedAt: null, gaps: [] };
    expect((await again.next({ ...first, position: 4 }))!.records.map(({ position }) => position)).toEqual([5]);
    expect((await again.next(first))!.records.map(({ position }) => position)).toEqual([1, 2, 3, 4]);
  });

  /** An engine whose first append of events stops until it is let go, as that of a frozen server does. */
  function frozenEngine() {
    const { engine, logs } = memoryEngine();
    const frozen = { isWaiting: false, thaw: () => {} };
    let isFirst = true;
    const freezing: EventEngine = {
      ...engine,
      log: (id) => ({
        ...engine.log(id),
        async append(batch) {
          if (isFirst) {
            isFirst = false;
            frozen.isWaiting = true;
            await new Promise<void>((resolve) => {
              frozen.thaw = resolve;
            });
          }
          return engine.log(id).append(batch);
        },
        progress: () => engine.log(id).progress(),
      }),
    };
    const users = () =>
      [...logs.values()].flatMap(({ records }) =>
        [...records.values()].flatMap(({ events }) => events.map(({ userId }) => userId)),
      );
    return { engine, freezing, frozen, users };
  }

  test("copies again if a person was erased while an append outlasted its lease", async () => {
    const clock = { now: 0 };
    const store = memoryStore({ now: () => clock.now });
    await add(store, "ada", "bob");
    const { engine, freezing, frozen, users } = frozenEngine();
    const slow = open(store, freezing, { compacts: false });
    await slow.open();
    await vi.waitFor(() => expect(frozen.isWaiting).toBe(true), PATIENCE);
    clock.now += 11_000;
    const other = open(store, engine, { compacts: false });
    await eraseEvents(store, other, "other", ["ada"], []);
    await other.close();
    frozen.thaw();
    await vi.waitFor(() => expect(users()).toEqual(["bob"]), PATIENCE);
    await vi.waitFor(async () => expect(await slow.status()).toMatchObject({ behind: 0, reason: null }), PATIENCE);
    expect(users()).toEqual(["bob"]);
    await slow.close();
  });

  test("keeps the copy if an append outlasted its lease and nobody was erased", async () => {
    const clock = { now: 0 };
    const store = memoryStore({ now: () => clock.now });
    await add(store, "ada", "bob");
    const { freezing, frozen, users } = frozenEngine();
    const slow = open(store, freezing, { compacts: false });
    await slow.open();
    await vi.waitFor(() => expect(frozen.isWaiting).toBe(true), PATIENCE);
    clock.now += 11_000;
    frozen.thaw();
    await vi.waitFor(async () => expect(await slow.status()).toMatchObject({ behind: 0 }), PATIENCE);
    expect(users()).toEqual(["ada", "bob"]);
    await slow.close();
  });

  test("keeps records besides chunks if raw events are kept", async () => {
    const store = await filled("ada", "bob");
    const analysis = open(store, memoryEngine().engine, { trimJournal: false });
    await analysis.open();
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(2), PATIENCE);
    expect(await positionsOf(store)).toEqual([1, 2]);
    await analysis.close();
  });

  test("refuses an erasure while the engine is away, before it reads the log", async () => {
    const store = await filled("ada", "bob");
    let reads = 0;
    const counted: Store = {
      ...store,
      read(...parameters) {
        reads++;
        return store.read(...parameters);
      },
    };
    const { engine, state } = memoryEngine();
    const analysis = open(counted, engine, { compacts: false });
    state.isAway = true;
    const erased = eraseEvents(counted, analysis, "me", ["ada"], []);
    await expect(erased).rejects.toMatchObject({ status: 503, message: "The engine is away; try again" });
    expect(reads).toBe(0);
    await analysis.close();
  });

  test("erases a person from chunks, journal and engine", async () => {
    const store = await filled("ada", "bob", "ada");
    const { engine, logs } = memoryEngine();
    const analysis = open(store, engine);
    await analysis.open();
    await vi.waitFor(async () => expect(await throughOf(store)).toBe(2), PATIENCE);
    expect(await eraseEvents(store, analysis, "eraser", ["ada"], [])).toBe(2);
    const left = () =>
      [...logs.values()].flatMap(({ records }) => [...records.values()].flatMap(({ events }) => events));
    expect(left().map(({ userId }) => userId)).toEqual(["bob"]);
    await analysis.close();
    // An empty engine gets from the store what is left.
    logs.clear();
    const refilled = open(store, engine);
    await refilled.answer(SUBJECT, 1, QUESTION);
    expect(left().map(({ userId }) => userId)).toEqual(["bob"]);
    await refilled.close();
  });
});

test("an answer waits for another server that copies, and then says until when it is complete", async () => {
  const store = memoryStore();
  const { engine } = memoryEngine();
  const server = await createTestServer({ storage: { ...store, close: async () => {} } });
  await create(server);
  await expose(server, "ada");
  await server.assay.close();
  const runtime = createRuntime({ logger: silentLogger });
  const analysis = createCopiedAnalysis(store, runtime, engine, { patienceMs: 200 });
  await store.lease(COMPACTION_LEASE, "another server", 60_000);
  const subject = { experimentId: "x", variants: ["a"], history: [], metrics: [] };
  const question = { about: "statistics", options: null } as const;
  const early = await analysis.answer(subject, 1, question);
  expect(analysis.completeUntil(early)).toBeNull();
  expect(await analysis.missing({ started_at: "2026-01-01T00:00:00Z", ended_at: null })).toEqual(["EVENTS_DELAYED"]);
  await store.release(COMPACTION_LEASE, "another server");
  const late = await analysis.answer(subject, 1, question);
  expect(analysis.completeUntil(late)).toBeUndefined();
  expect(await analysis.missing({ started_at: "2026-01-01T00:00:00Z", ended_at: null })).toEqual([]);
  await analysis.close();
});
