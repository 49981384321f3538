import type { JointMoments } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAnalystMethods } from "./analyst.ts";
import type { CarryOverStatistics } from "./carry-over.ts";
import { type EventRecord, encodeRecord, type Join, type StoredEvent } from "./event-record.ts";
import type { Look } from "./looks.ts";
import { event, exposure, HOUR, metric, SUBJECT } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import type { SufficientStatistics } from "./sufficient-statistics.ts";

const MINUTE = 60_000;
const METRICS = [metric({ id: "sum" }), metric({ id: "converted", kind: "CONVERSION" })];
const SWITCHBACK: Subject = {
  ...SUBJECT,
  metrics: METRICS,
  clusters: "REQUIRED",
  switchback: { periodMs: HOUR, washoutMs: 0 },
};

/** An exposure at some minutes, and its cluster; null where it does not say. */
interface Seen {
  userId: string;
  arm: "c" | "t";
  minutes: number;
  cluster: string | null;
}

function recordOf(seen: readonly Seen[], events: StoredEvent[] = []): EventRecord {
  const joins = seen.flatMap(({ userId, minutes, cluster }): Join[] =>
    cluster === null ? [] : [{ userId, unitId: `hour=${cluster}`, experimentId: "x", time: minutes * MINUTE }],
  );
  const exposures = seen.map(({ userId, arm, minutes }) => exposure(userId, arm, minutes * MINUTE));
  return { at: 50 * HOUR, events: [...exposures, ...events], joins };
}

function analystOf(...records: EventRecord[]) {
  const methods = createAnalystMethods();
  methods.load(
    [],
    records.map((record, index) => ({ position: index + 1, record: encodeRecord(record) })),
  );
  return methods;
}

function statisticsOf(record: EventRecord, subject: Subject = SWITCHBACK): SufficientStatistics {
  return analystOf(record).answer(subject, { about: "statistics", options: null }) as SufficientStatistics;
}

const spent = (userId: string, minutes: number, value: number) => event({ userId, time: minutes * MINUTE, value });

/** Per arm: [clusters, mean sum of a cluster, mean stays of a cluster]. */
function sumsOf({ metrics }: SufficientStatistics): number[][] {
  return (metrics[0]!.arms as JointMoments[]).map(({ n, means }) => [n, ...means]);
}

const seen = (userId: string, arm: "c" | "t", minutes: number, cluster: string | null): Seen => {
  return { userId, arm, minutes, cluster };
};

describe("a switchback", () => {
  it("counts a user in each period, with the events until the next one", () => {
    const both = [seen("a", "c", 5, "0"), seen("a", "t", 65, "1"), seen("b", "t", 70, "1")];
    const events = [spent("a", 4, 100), spent("a", 10, 1), spent("a", 64, 2), spent("a", 65, 4), spent("b", 200, 8)];
    const answer = statisticsOf(recordOf(both, events));
    expect(answer).toMatchObject({ users: [1, 2], crossover: 0, clusters: { clusters: [1, 1], unknown: 0 } });
    // Control: one stay with 1 + 2. Treatment: two stays of one cluster with 4 + 8.
    expect(sumsOf(answer)).toEqual([
      [1, 3, 1],
      [1, 12, 2],
    ]);
    expect(answer.stays).toEqual({ exposures: 3, astray: 0 });
  });

  it("leaves out exposures in the washout, and the events that follow them", () => {
    const subject = { ...SWITCHBACK, switchback: { periodMs: HOUR, washoutMs: 10 * MINUTE } };
    const all = [seen("a", "c", 10, "0"), seen("a", "t", 69, "1"), seen("a", "t", 90, "1"), seen("b", "t", 64, "1")];
    const events = [spent("a", 68, 1), spent("a", 70, 2), spent("a", 91, 4), spent("b", 110, 8)];
    const answer = statisticsOf(recordOf(all, events), subject);
    expect(answer.users).toEqual([1, 1]);
    expect(sumsOf(answer)).toEqual([
      [1, 1, 1],
      [1, 4, 1],
    ]);
  });

  it("continues a stay when its cluster comes again", () => {
    const all = [seen("a", "t", 1, "north"), seen("a", "c", 2, "south"), seen("a", "t", 3, "north")];
    const answer = statisticsOf(recordOf(all, [spent("a", 1, 1), spent("a", 2, 2), spent("a", 4, 4)]));
    expect(sumsOf(answer)).toEqual([
      [1, 2, 1],
      [1, 5, 1],
    ]);
  });

  it("leaves out what follows an exposure without a cluster, and a stay in two arms", () => {
    const all = [seen("a", "t", 1, "0"), seen("a", "c", 61, null), seen("b", "c", 1, "0"), seen("b", "t", 2, "0")];
    const answer = statisticsOf(recordOf(all, [spent("a", 2, 1), spent("a", 62, 2), spent("b", 3, 4)]));
    expect(answer).toMatchObject({ users: [0, 1], crossover: 1, clusters: { clusters: [0, 1], unknown: 1 } });
    expect(sumsOf(answer)[1]).toEqual([1, 1, 1]);
  });

  it("follows a person over their ids", () => {
    const record = recordOf([seen("device", "c", 1, "0"), seen("ada", "t", 61, "1")], [spent("device", 62, 3)]);
    record.joins.push({ userId: "device", unitId: "ada", experimentId: null });
    expect(sumsOf(statisticsOf(record))).toEqual([
      [1, 0, 1],
      [1, 3, 1],
    ]);
  });

  it("is the same from a chunk", () => {
    const both = [seen("a", "c", 5, "0"), seen("a", "t", 65, "1"), seen("b", "t", 70, "1")];
    const record = recordOf(both, [spent("a", 10, 1), spent("a", 65, 4)]);
    const { chunk } = analystOf(record).cut(0, 1)!;
    const restored = createAnalystMethods();
    restored.load([chunk], []);
    expect(restored.answer(SWITCHBACK, { about: "statistics", options: null })).toEqual(statisticsOf(record));
  });

  it("counts exposures outside of their cluster's period", () => {
    const all = [1, 2, 61, 62, 63].map((minutes) => seen(`u${minutes}`, "c", minutes, "north"));
    expect(statisticsOf(recordOf(all)).stays).toEqual({ exposures: 5, astray: 2 });
  });

  it("compares stays by the arm of the stay before", () => {
    const all = [seen("a", "t", 1, "0"), seen("a", "t", 61, "1"), seen("b", "c", 1, "00"), seen("b", "t", 61, "1")];
    const events = [spent("a", 2, 1), spent("a", 62, 2), spent("b", 2, 4), spent("b", 62, 8)];
    const question = { about: "carryOver", options: null } as const;
    const { same, other } = analystOf(recordOf(all, events)).answer(SWITCHBACK, question) as CarryOverStatistics;
    expect([same.users, other.users]).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect([same, other].map(({ metrics }) => (metrics[0]!.arms[1] as JointMoments).means[0])).toEqual([2, 8]);
    const { switchback: _, ...without } = SWITCHBACK;
    expect(analystOf(recordOf(all)).answer(without, question)).toBeNull();
  });
});

describe("any switchback", () => {
  const someone = fc.nat(4).map((index) => `u${index}`);
  const minutes = fc.nat(600);
  const seens = fc.uniqueArray(
    fc.record({
      userId: someone,
      minutes,
      arm: fc.constantFrom("c" as const, "t" as const),
      cluster: fc.option(fc.nat(6).map(String), { freq: 6 }),
    }),
    // What a user sees at one time has one order only in the journal.
    { selector: ({ userId, minutes: at }) => `${userId} ${at}`, maxLength: 30 },
  );
  const outcomes = fc.array(fc.record({ userId: someone, minutes, value: fc.integer({ min: 1, max: 9 }) }));

  it("has the sums that following each user through time gives", () => {
    fc.assert(
      fc.property(seens, outcomes, fc.nat(30), (all, events, washout) => {
        const subject = { ...SWITCHBACK, switchback: { periodMs: HOUR, washoutMs: washout * MINUTE } };
        const record = recordOf(
          all,
          events.map(({ userId, minutes: at, value }) => spent(userId, at, value)),
        );
        const answer = statisticsOf(record, subject);
        const counting = all.filter((one) => one.minutes % 60 >= washout);
        const stays = new Map<string, { arms: Set<string>; cluster: string; sum: number }>();
        for (const { userId, cluster, arm } of counting) {
          const name = `${userId} ${cluster}`;
          const stay = stays.get(name) ?? { arms: new Set(), cluster: cluster ?? "", sum: 0 };
          stay.arms.add(arm);
          if (cluster !== null) stays.set(name, stay);
        }
        for (const { userId, minutes: at, value } of events) {
          const before = all.filter((one) => one.userId === userId && one.minutes <= at);
          const latest = before.sort((a, b) => a.minutes - b.minutes).at(-1);
          if (!latest || !counting.includes(latest)) continue;
          const stay = stays.get(`${userId} ${latest.cluster}`);
          if (stay) stay.sum += value;
        }
        const one = [...stays.values()].filter(({ arms }) => arms.size === 1);
        for (const [index, arm] of ["c", "t"].entries()) {
          const own = one.filter(({ arms }) => arms.has(arm));
          const [clusters, sum, size] = sumsOf(answer)[index]!;
          expect(answer.users[index]).toBe(own.length);
          expect(clusters).toBe(new Set(own.map(({ cluster }) => cluster)).size);
          expect(clusters! * size!).toBeCloseTo(own.length, 9);
          expect(clusters! * sum!).toBeCloseTo(
            own.reduce((total, stay) => total + stay.sum, 0),
            9,
          );
        }
      }),
    );
  });

  it("has a last look that equals the results", () => {
    fc.assert(
      fc.property(seens, outcomes, (all, events) => {
        const record = recordOf(
          all,
          events.map(({ userId, minutes: at, value }) => spent(userId, at, value)),
        );
        const options = { metric: null, cohorts: false };
        const looks = analystOf(record).answer(SWITCHBACK, { about: "looks", options }) as Look[];
        const answer = statisticsOf(record);
        if (looks.length === 0) return;
        expect(looks.at(-1)!.users).toEqual(answer.users);
        expect(looks.at(-1)!.metrics.map(({ clusters }) => clusters)).toEqual(
          answer.metrics.map((one) => one.clusters),
        );
      }),
    );
  });
});
