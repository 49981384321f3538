import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { computeCovariates } from "./covariates.ts";
import { callCrew, dismiss, employ } from "./crew.ts";
import { JOIN } from "./event-kind.ts";
import { type ChunkColumns, createEventLog, type EventLog } from "./event-log.ts";
import { computeLooks } from "./looks.ts";
import { borrow, reclaim } from "./memory.ts";
import { seededRandom } from "./random.fixture.ts";
import { metric } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import { computeStatistics } from "./sufficient-statistics.ts";
import { createTeamMemory, joinTeam } from "./team.ts";

const DAY = 86_400_000;
/** Enough for several parts of the users, and for several blocks of rows. */
const USERS = 40_000;
const ROWS = 150_000;
const RECORD = 1_000;
const SUBJECT: Subject = {
  experimentId: "x",
  variants: ["c", "t"],
  history: [{ status: "ACTIVE", at: 0 }],
  metrics: [
    metric({ id: "bought", kind: "CONVERSION", conversion_window_hours: 72 }),
    metric({ id: "revenue", winsorize_pct: 0.01 }),
    metric({ id: "largest", aggregation: "MAX" }),
    metric({ id: "share", kind: "RATIO", event_type: "purchase", denominator_event_type: "visit" }),
    metric({ id: "median", kind: "QUANTILE", quantile: 0.5 }),
  ],
};
/** Returns the answers that add up events, as text. */
function answersOf(log: EventLog): string[] {
  const answers = [
    computeStatistics(log, SUBJECT),
    computeLooks(log, SUBJECT, { metric: null, cohorts: true }),
    computeCovariates(log, SUBJECT, { lookbackMs: 3 * DAY, winsorize: null }),
  ];
  reclaim();
  return answers.map((answer) => JSON.stringify(answer));
}

function logOf(chunk: ChunkColumns): EventLog {
  const log = createEventLog();
  log.appendChunk(chunk);
  return log;
}

/** Returns random events of users in two arms, received over four days, with a person of two ids for every 1,000th user. */
function randomChunk(seed: number, joins = true): ChunkColumns {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const records = ROWS / RECORD;
  const [users, kinds] = [new Uint32Array(ROWS), new Uint32Array(ROWS)];
  const [times, values] = [new Float64Array(ROWS), new Float64Array(ROWS).fill(Number.NaN)];
  const receivedAt = Float64Array.from({ length: records }, (_, record) => Math.floor((record / records) * 4 * DAY));
  for (let row = 0; row < ROWS; row++) {
    const user = row < USERS ? row : below(USERS);
    const kind = row < USERS ? user % 2 : 2 + below(3);
    users[row] = user;
    kinds[row] = kind === 4 && !(joins && user % 1_000 === 0) ? 3 : kind;
    times[row] = receivedAt[Math.floor(row / RECORD)]! - below(DAY);
    if (kinds[row] === 3 && below(5) > 0) values[row] = below(100_000) / 100;
    if (kinds[row] === 4) values[row] = Math.max(0, user - 1);
  }
  const kind = (type: string, variantKey: string | null = null) => ({
    ...{ type, variantKey, flagKey: null, forced: false },
    experimentId: variantKey === null ? null : "x",
  });
  return {
    ...{ from: 1, through: records, userBase: 0, kindBase: 0, users, kinds, times, values, receivedAt, attributes: [] },
    newUsers: Array.from({ length: USERS }, (_, user) => `user-${user}`),
    newKinds: [kind("exposure", "c"), kind("exposure", "t"), kind("visit"), kind("purchase"), kind(JOIN)],
    positions: Float64Array.from({ length: records }, (_, record) => record + 1),
    counts: new Uint32Array(records).fill(RECORD),
  };
}

/** Waits until all helpers receive work. */
async function start(threads: number): Promise<void> {
  employ(threads, 1);
  await expect.poll(() => callCrew(1)?.size ?? 1, { timeout: 30_000 }).toBe(threads);
}

afterEach(async () => {
  employ(1);
  reclaim();
  await dismiss();
});

describe("threads that share a computation", () => {
  test("do not change a digit of an answer, however many they are", async () => {
    const seeds = fc.sample(fc.nat(), { numRuns: 2, seed: Number(process.env.FUZZ_SEED ?? 1) });
    const logs = seeds.map((seed) => logOf(randomChunk(seed)));
    const alone = logs.map(answersOf);
    for (const threads of [2, 4]) {
      await start(threads);
      for (const [index, log] of logs.entries()) expect(answersOf(log)).toEqual(alone[index]);
    }
  }, 60_000);

  test("find the events that a plain loop over all rows finds", async () => {
    await start(3);
    const chunk = randomChunk(7, false);
    const metrics = [metric({ id: "visits", kind: "COUNT", event_type: "visit" }), metric({ id: "revenue" })];
    const { metrics: found } = computeStatistics(logOf(chunk), { ...SUBJECT, metrics });
    const sums = [
      [0, 0],
      [0, 0],
    ];
    for (let row = USERS; row < ROWS; row++) {
      const user = chunk.users[row]!;
      if (chunk.times[row]! < chunk.times[user]!) continue;
      if (chunk.kinds[row] === 2) sums[0]![user % 2]! += 1;
      else if (!Number.isNaN(chunk.values[row]!)) sums[1]![user % 2]! += chunk.values[row]!;
    }
    for (const [index, one] of found.entries()) {
      if (one.form !== "MEAN") throw new Error("These metrics are means");
      for (const [arm, { n, mean }] of one.arms.entries()) expect(n * mean).toBeCloseTo(sums[index]![arm]!, 3);
    }
  }, 60_000);

  test("go on without those that have ended", async () => {
    const log = logOf(randomChunk(3));
    const alone = answersOf(log);
    await start(3);
    expect(answersOf(log)).toEqual(alone);
    await dismiss();
    expect(answersOf(log)).toEqual(alone);
  }, 60_000);

  test("use the memory of the last question again", async () => {
    await start(2);
    const before = borrow(Float64Array, 1_000);
    before.fill(7);
    reclaim();
    const after = borrow(Float64Array, 900);
    expect(after.buffer).toBe(before.buffer);
    expect(after).toEqual(new Float64Array(900));
  });
});

describe("a team", () => {
  test("claims each part once, and from the first again in the next phase", () => {
    const memory = createTeamMemory();
    const team = joinTeam(memory, 1);
    expect([team.claim(), team.claim(), team.claim()]).toEqual([0, 1, 2]);
    team.meet();
    expect(team.claim()).toBe(0);
  });

  test("ends with an error if a thread does not answer", () => {
    expect(() => joinTeam(createTeamMemory(), 2, 10).meet()).toThrow("A thread of the analysis failed");
  });

  test("ends with an error in every thread if one of them fails", () => {
    const memory = createTeamMemory();
    joinTeam(memory, 2).fail();
    expect(() => joinTeam(memory, 2).meet()).toThrow("A thread of the analysis failed");
  });
});
