import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeRecord } from "@assay/analysis";
import { memoryStore, type Operation, type Store, StoreUnavailable } from "@assay/store";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createRuntime, silentLogger } from "../ground/runtime.ts";
import { readAssignment } from "./assignment.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { EVENTS_JOURNAL } from "./journal.ts";
import { type IncomingEvent, type Parts, submissionOf } from "./submission.ts";

const NOW = Date.UTC(2026, 0, 9, 12);
const DAY = 86_400_000;

function incoming(id: string, changes: Partial<IncomingEvent> = {}): IncomingEvent {
  const empty = { experimentId: null, variantKey: null, flagKey: null, value: null, forced: false, metadata: null };
  return { id, claimed: true, type: "t", userId: "u", time: NOW, assignment: null, ...empty, ...changes };
}

/** Submits events with these ids, and returns those that were stored. */
async function submitIds(commit: GroupCommit, ...ids: string[]): Promise<string[]> {
  const { duplicates } = await commit.submit(submissionOf({ at: NOW, events: ids.map((id) => incoming(id)) }));
  return ids.filter((_, index) => !duplicates.has(index));
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await nextTurn();
}

function setUp(store: Store = memoryStore()) {
  const batches: Operation[][] = [];
  const clock = { now: NOW };
  const watched: Store = {
    ...store,
    batch(operations) {
      batches.push(operations);
      return store.batch(operations);
    },
  };
  const commit = createGroupCommit(watched, createRuntime({ now: () => clock.now, logger: silentLogger }), () => {});
  const stored = async () =>
    (await store.read(EVENTS_JOURNAL, 0, 1e6)).map(({ record }) => decodeRecord(record).events.map(({ id }) => id));
  return { commit, batches, clock, stored, store: watched };
}

describe("the memory of ids", () => {
  const DAYS = 7;

  /** Whether an id counts again after the clock showed other times; `steady` is the monotonic clock. */
  async function countsAgain(times: { now: number; steady: number }[], id = "a"): Promise<boolean> {
    const clock = { now: NOW, steady: NOW };
    const runtime = { ...createRuntime({ logger: silentLogger }), now: () => clock.now, steady: () => clock.steady };
    const commit = createGroupCommit(memoryStore(), runtime, () => {});
    await commit.submit(submissionOf({ at: NOW, events: [incoming(id)] }));
    for (const [index, time] of times.entries()) {
      Object.assign(clock, time);
      await commit.submit(submissionOf({ at: NOW, events: [incoming(`other-${index}`)] }));
    }
    return (await submitIds(commit, id)).length > 0;
  }

  it("covers seven days, today included", async () => {
    const after = (days: number) => [{ now: NOW + days * DAY, steady: NOW + days * DAY }];
    expect(await countsAgain(after(DAYS - 1))).toBe(false);
    expect(await countsAgain(after(DAYS))).toBe(true);
  });

  it("follows a clock that is a day ahead", async () => {
    const ahead = (days: number) => [{ now: NOW + days * DAY, steady: NOW + (days - 1) * DAY }];
    expect(await countsAgain(ahead(DAYS - 1))).toBe(false);
    expect(await countsAgain(ahead(DAYS))).toBe(true);
  });

  it("does not shrink if the clock is set nine days forward and back, or back", async () => {
    const second = NOW + 1000;
    expect(await countsAgain([{ now: NOW + 9 * DAY, steady: second }])).toBe(false);
    expect(
      await countsAgain([
        { now: NOW + 9 * DAY, steady: second },
        { now: NOW, steady: second },
      ]),
    ).toBe(false);
    expect(await countsAgain([{ now: NOW - 9 * DAY, steady: second }])).toBe(false);
  });
});

describe("a commit after one that answered three clients", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function answerThree(durable = true) {
    const memory = memoryStore();
    const { commit, batches } = setUp({
      ...memory,
      capabilities: { ...memory.capabilities, durable },
      async batch(operations) {
        await turns(3);
        return memory.batch(operations);
      },
    });
    await Promise.all(["a", "b", "c"].map((id) => submitIds(commit, id)));
    expect(batches).toHaveLength(1);
    return { commit, batches };
  }

  it("waits until they have sent their next request, and starts then", async () => {
    const { commit, batches } = await answerThree();
    const next = ["d", "e", "f"].map(async (id, index) => {
      await turns(5 * index);
      return submitIds(commit, id);
    });
    await turns(8);
    expect(batches).toHaveLength(1);
    expect(await Promise.all(next)).toEqual([["d"], ["e"], ["f"]]);
    expect(batches).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("expects those as well that sent a request during the commit", async () => {
    const { commit, batches } = await answerThree();
    const later = ["d", "e", "f"].map((id) => submitIds(commit, id));
    await turns(2);
    expect(batches).toHaveLength(2);
    const next = [submitIds(commit, "g")];
    await Promise.all(later);
    next.push(submitIds(commit, "h"), submitIds(commit, "i"));
    await turns(8);
    expect(batches).toHaveLength(2);
    next.push(submitIds(commit, "j"));
    await Promise.all(next);
    expect(batches).toHaveLength(3);
  });

  it("waits two milliseconds at most, and expects fewer then", async () => {
    const { commit, batches } = await answerThree();
    const alone = submitIds(commit, "d");
    await turns(8);
    await vi.advanceTimersByTimeAsync(1);
    expect(batches).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await alone).toEqual(["d"]);
    expect(await submitIds(commit, "e")).toEqual(["e"]);
    expect(batches).toHaveLength(3);
  });

  it("does not wait with a batch of 100 events", async () => {
    const { commit, batches } = await answerThree();
    const ids = Array.from({ length: 100 }, (_, index) => `batch-${index}`);
    expect(await submitIds(commit, ...ids)).toEqual(ids);
    expect(batches).toHaveLength(2);
  });

  it("waits with 99 events", async () => {
    const { commit, batches } = await answerThree();
    const ids = Array.from({ length: 99 }, (_, index) => `batch-${index}`);
    const waiting = submitIds(commit, ...ids);
    await turns(8);
    expect(batches).toHaveLength(1);
    expect(await submitIds(commit, "one more")).toEqual(["one more"]);
    expect(await waiting).toEqual(ids);
  });

  it("does not wait with a store in memory", async () => {
    const { commit } = await answerThree(false);
    expect(await submitIds(commit, "d")).toEqual(["d"]);
  });
});

describe("a record", () => {
  /** Submits requests with events of these ids at once, and returns the ids of each record. */
  async function recordsOf(...requests: (Partial<Parts> & { ids: string[] })[]): Promise<string[][]> {
    const { commit, batches, stored } = setUp();
    const submit = ({ ids, ...changes }: (typeof requests)[number]) =>
      commit.submit(submissionOf({ at: NOW, events: ids.map((id) => incoming(id)), ...changes }));
    await Promise.all(requests.map(submit));
    expect(batches).toHaveLength(1);
    return stored();
  }
  const many = (name: string, count: number) => Array.from({ length: count }, (_, index) => `${name}${index}`);

  it("contains the small requests of one millisecond", async () => {
    const requests = [{ ids: ["a"] }, { ids: ["b", "c"] }, { ids: ["d"], at: NOW + 1 }, { ids: ["e"], at: NOW + 1 }];
    expect(await recordsOf(...requests)).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
    expect(await recordsOf({ ids: ["a"] }, { ids: ["b"], at: NOW - 1 }, { ids: ["c"] })).toEqual([["a"], ["b"], ["c"]]);
  });

  it("keeps the time of receipt and the fields of each event", async () => {
    const { commit, store } = setUp();
    const sent = [incoming("a", { userId: "ada", value: 1 }), incoming("b", { experimentId: "x", variantKey: "y" })];
    await Promise.all(sent.map((event) => commit.submit(submissionOf({ at: NOW, events: [event] }))));
    const [only, ...others] = await store.read(EVENTS_JOURNAL, 0, 10);
    const events = sent.map(({ claimed: _, assignment: __, ...event }) => event);
    expect([decodeRecord(only!.record), others]).toEqual([{ at: NOW, events, joins: [] }, []]);
  });

  it("of more than ten events is that of one request, in the order of the requests", async () => {
    const [ten, eleven] = [many("ten", 10), many("eleven", 11)];
    expect(await recordsOf({ ids: ["a"] }, { ids: eleven }, { ids: ["b"] }, { ids: ten })).toEqual([
      ["a"],
      eleven,
      ["b", ...ten],
    ]);
  });

  it("with a join is that of one request", async () => {
    const joins = [{ userId: "ada", unitId: "cart", experimentId: null }];
    expect(await recordsOf({ ids: ["a"] }, { ids: ["b"], joins }, { ids: ["c"] })).toEqual([["a"], ["b"], ["c"]]);
  });

  it("takes no further request once it has 100 events", async () => {
    const requests = Array.from({ length: 22 }, (_, index) => ({ ids: many(`${index}-`, index === 9 ? 9 : 10) }));
    const records = await recordsOf(...requests);
    expect(records.map(({ length }) => length)).toEqual([109, 100, 10]);
    expect(records.flat()).toEqual(requests.flatMap(({ ids }) => ids));
  });

  it("contains no duplicates", async () => {
    expect(await recordsOf({ ids: ["a", "a", "b"] }, { ids: ["b"] }, { ids: ["b", "c"] })).toEqual([["a", "b", "c"]]);
    const eleven = many("eleven", 11);
    expect(await recordsOf({ ids: ["a"] }, { ids: [...eleven, "a"] })).toEqual([["a"], eleven]);
  });

  it.each([
    [["a", "a"]],
    [["a", "b", "b", "c"]],
    [["c", "b", "a", "b"]],
    [
      ["a", "b"],
      ["b", "c"],
    ],
    [
      ["b", "c"],
      ["a", "b"],
    ],
    [
      ["a", "d"],
      ["b", "c", "d"],
    ],
    [
      ["a", "c", "e"],
      ["b", "c", "d"],
    ],
    [["b"], ["a"], ["b"]],
    [["a"], [], ["a", "b"]],
  ])("contains the first of the events with equal ids in requests with %j, %j and %j", async (...requests) => {
    const [first, ...others] = await recordsOf(...requests.map((ids = []) => ({ ids })));
    expect(first).toEqual([...new Set(requests.flat())]);
    expect(others).toEqual([]);
  });

  it("contains all events whose ids differ, and those that are not claimed", async () => {
    expect(await recordsOf({ ids: ["c", "d"] }, { ids: ["a", "b"] }, { ids: ["e"] })).toEqual([
      ["c", "d", "a", "b", "e"],
    ]);
    const { commit, stored } = setUp();
    const events = ["a", "a", "b"].map((id) => incoming(id, { claimed: false }));
    await commit.submit(submissionOf({ at: NOW, events }));
    await commit.submit(submissionOf({ at: NOW, events: [events[0]!, incoming("c"), incoming("c")] }));
    expect(await stored()).toEqual([
      ["a", "a", "b"],
      ["a", "c"],
    ]);
  });
});

describe("group commit", () => {
  it("writes simultaneous requests in one batch", async () => {
    const { commit, batches, stored } = setUp();
    expect(await Promise.all(["a", "b", "c"].map((id) => submitIds(commit, id)))).toEqual([["a"], ["b"], ["c"]]);
    expect(batches).toHaveLength(1);
    expect((await stored()).flat()).toEqual(["a", "b", "c"]);
  });

  it("writes requests of several connections that arrive in one turn of the event loop in one batch", async () => {
    const { commit, batches } = setUp();
    const arriving = ["a", "b", "c"].map(async (id) => {
      await nextTurn();
      return submitIds(commit, id);
    });
    expect(await Promise.all(arriving)).toEqual([["a"], ["b"], ["c"]]);
    expect(batches).toHaveLength(1);
  });

  it("collects requests during a commit for the next one", async () => {
    const { commit, batches } = setUp();
    const first = commit.submit(submissionOf({ at: NOW, events: [incoming("a")] }));
    await Promise.resolve();
    await Promise.resolve();
    const rest = Array.from({ length: 50 }, (_, index) =>
      commit.submit(submissionOf({ at: NOW, events: [incoming(`b${index}`)] })),
    );
    await Promise.all([first, ...rest]);
    expect(batches.length).toBeLessThanOrEqual(3);
  });

  it("commits at most 10,000 events at once, in the trace of the first request", async () => {
    const batches: Operation[][] = [];
    const traces: string[] = [];
    let request = "";
    let within = "";
    const store = memoryStore();
    const watched: Store = {
      ...store,
      batch(operations) {
        batches.push(operations);
        traces.push(within);
        return store.batch(operations);
      },
    };
    const runtime = createRuntime({ logger: silentLogger });
    const capture = () => {
      const captured = request;
      return <T>(work: () => T): T => {
        within = captured;
        return work();
      };
    };
    const tracing = { ...runtime.tracing, capture };
    const commit = createGroupCommit(watched, { ...runtime, tracing }, () => {});
    const submit = (name: string, count: number) => {
      request = name;
      const events = Array.from({ length: count }, (_, index) => incoming(`${name}${index}`));
      return commit.submit(submissionOf({ at: NOW, events }));
    };
    await Promise.all([submit("a", 9_000), submit("b", 1_000), submit("c", 1), submit("d", 10_000)]);
    const records = batches
      .flat()
      .flatMap((operation) => (operation.type === "append" ? [operation.records.length] : []));
    expect(records).toEqual([2, 1, 1]);
    expect(traces).toEqual(["a", "c", "d"]);
  });

  it("stores an id once: in one request, in one group, across groups", async () => {
    const { commit, stored } = setUp();
    const events = ["a", "a", "b"].map((id) => incoming(id));
    const [first] = await Promise.all([commit.submit(submissionOf({ at: NOW, events })), submitIds(commit, "b")]);
    expect(first.duplicates).toEqual(new Set([1]));
    expect(await submitIds(commit, "b", "c")).toEqual(["c"]);
    expect(await stored()).toEqual([["a", "b"], ["c"]]);
  });

  it("writes nothing for a request with only duplicates", async () => {
    const { commit, batches, stored } = setUp();
    await submitIds(commit, "a");
    expect(await submitIds(commit, "a")).toEqual([]);
    // The claim of the second batch was refused.
    expect(batches).toHaveLength(2);
    expect(await stored()).toEqual([["a"]]);
  });

  it("fails if the store refuses a batch without naming an id", async () => {
    const refusing = { ...memoryStore(), batch: async () => ({ ok: false as const, failed: [], claimed: new Map() }) };
    const { commit } = setUp(refusing);
    await expect(submitIds(commit, "a")).rejects.toThrow("A batch of events failed, although it has no condition");
  });

  it("remembers ids for seven days, across midnight and restarts", async () => {
    const { commit, clock, store } = setUp();
    await commit.submit(submissionOf({ at: NOW, events: [incoming("a")] }));
    clock.now += 6 * DAY;
    const again = setUp(store);
    again.clock.now = clock.now;
    expect(await submitIds(again.commit, "a")).toEqual([]);
    again.clock.now += DAY;
    expect(await submitIds(again.commit, "a")).toEqual(["a"]);
  });

  it("does not claim ids that the server generated", async () => {
    const { commit, batches } = setUp();
    await commit.submit(submissionOf({ at: NOW, events: [incoming("a", { claimed: false })] }));
    expect(batches[0]!.map(({ type }) => type)).toEqual(["append"]);
  });

  it("keeps an existing assignment", async () => {
    const { commit, store } = setUp();
    const submit = (id: string, variant_key: string, replace?: boolean) => {
      const assignment = { user_id: "u", experiment_id: "x", variant_key, forced: false, at: NOW };
      return commit.submit(
        submissionOf({ at: NOW, events: [incoming(id, { assignment: { ...assignment, replace } })] }),
      );
    };
    const first = { user_id: "u", experiment_id: "x", variant_key: "first", forced: false, at: NOW };
    expect((await submit("a", "first")).assigned).toEqual([first]);
    await submit("b", "second");
    expect(await readAssignment(store, "u", "x")).toEqual(first);
    await submit("c", "third", true);
    expect(await readAssignment(store, "u", "x")).toEqual({ ...first, variant_key: "third" });
    // What comes with a duplicate is not stored.
    expect((await submit("c", "fourth", true)).assigned).toEqual([]);
    expect(await readAssignment(store, "u", "x")).toEqual({ ...first, variant_key: "third" });
  });

  it("rejects every request of the group if the store is unavailable, and continues afterwards", async () => {
    const base = memoryStore();
    let away = true;
    const { commit, stored } = setUp({
      ...base,
      batch: (operations) => (away ? Promise.reject(new StoreUnavailable("away")) : base.batch(operations)),
    });
    const failed = await Promise.allSettled(
      ["a", "b"].map((id) => commit.submit(submissionOf({ at: NOW, events: [incoming(id)] }))),
    );
    expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    away = false;
    // The same id again: it was not acknowledged, so it is not a duplicate.
    expect(await submitIds(commit, "a")).toEqual(["a"]);
    expect(await stored()).toEqual([["a"]]);
  });

  it("answers 503 if too much is waiting, and becomes idle", async () => {
    const { commit } = setUp();
    const many = Array.from({ length: 5000 }, () => incoming("x", { claimed: false }));
    const all = await Promise.allSettled(
      Array.from({ length: 50 }, () => commit.submit(submissionOf({ at: NOW, events: many }))),
    );
    const refused = all.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(10);
    expect(refused[0]).toMatchObject({ reason: { status: 503, headers: { "Retry-After": "1" } } });
    await commit.idle();
    const unclaimed = (count: number) => Array.from({ length: count }, () => incoming("x", { claimed: false }));
    const rest = [199_999, 1, 1].map((count) => commit.submit(submissionOf({ at: NOW, events: unclaimed(count) })));
    const statuses = (await Promise.allSettled(rest)).map((result) => result.status);
    expect(statuses).toEqual(["fulfilled", "fulfilled", "rejected"]);
  });
});
