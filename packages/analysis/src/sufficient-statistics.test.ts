import { addToMoments, emptyMoments, type Moments, type Proportion } from "@assay/core/stats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bruteForce, type ReferenceStatistics } from "./brute-force.fixture.ts";
import { cutChunk, decodeChunk, encodeChunk } from "./chunk.ts";
import { createEventLog } from "./event-log.ts";
import type { EventRecord, Join, StoredEvent } from "./event-record.ts";
import type { Metric } from "./metric-definition.ts";
import { toColumns } from "./record-columns.ts";
import { event, exposure, HOUR, journals, metric, SUBJECT } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import { computeStatistics, type SufficientStatistics } from "./sufficient-statistics.ts";

function logOf(records: readonly EventRecord[]) {
  const log = createEventLog();
  for (const [index, record] of records.entries()) log.append(index + 1, toColumns(record));
  return log;
}

/** Statistics of events that were received one per hour from the start on. */
function statisticsOf(events: StoredEvent[], subject: Subject = SUBJECT, joins: Join[] = []): SufficientStatistics {
  const records = events.map((event, index) => ({ at: index, events: [event], joins: index === 0 ? joins : [] }));
  return computeStatistics(logOf(records), subject);
}

/** Returns the conversions of metric `id`, control and treatment. */
function successes(statistics: SufficientStatistics, id = "converted"): number[] {
  const found = statistics.metrics.find(({ metric }) => metric.id === id);
  return found?.form === "PROPORTION" ? found.arms.map((arm) => arm.successes) : [];
}

function close(actual: number, expected: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(expected)));
}

function expectSame(actual: SufficientStatistics, reference: ReferenceStatistics): void {
  const { users, crossover, forced, inferred } = actual;
  expect({ users, crossover, forced, inferred }).toEqual({
    users: reference.users,
    crossover: reference.crossover,
    forced: reference.forced,
    inferred: reference.inferred,
  });
  for (const { metric, arms } of actual.metrics) {
    for (const [arm, statistics] of arms.entries()) {
      const values = reference.values[metric.id]![arm]!;
      if (metric.kind === "CONVERSION") {
        expect(statistics as Proportion).toEqual({ n: values.length, successes: values.filter(Boolean).length });
        continue;
      }
      const expected = emptyMoments();
      for (const value of values) addToMoments(expected, value);
      const moments = statistics as Moments;
      expect(moments.n).toBe(expected.n);
      close(moments.mean, expected.mean);
      close(moments.m2, expected.m2);
    }
  }
}

describe("attribution", () => {
  it("counts outcomes from the first exposure on, in any order of arrival", () => {
    const before = event({ time: 9 });
    const after = event({ time: 10 });
    expect(successes(statisticsOf([before, exposure("u", "t", 10)]))).toEqual([0, 0]);
    expect(successes(statisticsOf([after, exposure("u", "t", 10)]))).toEqual([0, 1]);
    expect(successes(statisticsOf([after, exposure("u", "t", 12), exposure("u", "t", 8)]))).toEqual([0, 1]);
  });

  it("leaves out users seen in two arms and counts them", () => {
    const statistics = statisticsOf([
      exposure("u", "t", 10),
      exposure("u", "c", 5),
      exposure("v", "c"),
      event({ time: 20 }),
    ]);
    expect(statistics).toMatchObject({ users: [1, 0], crossover: 1 });
    expect(successes(statistics)).toEqual([0, 0]);
  });

  it("leaves out users whose arm was given, also where their own events look like a draw later", () => {
    const statistics = statisticsOf([
      exposure("u", "t", 5, { forced: true }),
      event({ experimentId: "x", variantKey: "t", time: 9 }),
      exposure("v", "t"),
    ]);
    expect(statistics).toMatchObject({ users: [0, 1], forced: 1, crossover: 0, inferred: 0 });
  });

  it("takes an outcome that names experiment and variant as the exposure where there is none, and says so", () => {
    const statistics = statisticsOf([event({ experimentId: "x", variantKey: "t" })]);
    expect(statistics).toMatchObject({ users: [0, 1], inferred: 1 });
    expect(successes(statistics)).toEqual([0, 1]);
  });

  it("gives an event that names an experiment to that one only", () => {
    const events = [exposure("u", "t"), event({ experimentId: "y", time: 5 })];
    expect(successes(statisticsOf(events))).toEqual([0, 0]);
    expect(successes(statisticsOf([...events, event({ time: 5 })]))).toEqual([0, 1]);
  });

  it("judges the status by receipt: exposures while ACTIVE, outcomes also while PAUSED", () => {
    const at = (hour: number, one: StoredEvent): EventRecord => ({ at: hour * HOUR, events: [one], joins: [] });
    const run = (...records: EventRecord[]) => computeStatistics(logOf(records), SUBJECT);
    expect(run(at(-1, exposure("u", "t"))).users).toEqual([0, 0]);
    expect(run(at(150, exposure("u", "t"))).users).toEqual([0, 0]);
    expect(run(at(250, exposure("u", "t"))).users).toEqual([0, 1]);
    // History that is imported while ACTIVE counts by its own times.
    expect(run(at(50, exposure("u", "t", -900 * HOUR))).users).toEqual([0, 1]);
    expect(successes(run(at(1, exposure("u", "t")), at(150, event({ time: 1 }))))).toEqual([0, 1]);
    expect(successes(run(at(1, exposure("u", "t")), at(301, event({ time: 1 }))))).toEqual([0, 0]);
  });

  it("counts within the conversion window, its end included", () => {
    const run = (time: number) => successes(statisticsOf([exposure("u", "c"), event({ time })]), "soon");
    expect(run(20 * HOUR)).toEqual([1, 0]);
    expect(run(20 * HOUR + 1)).toEqual([0, 0]);
  });

  it("joins ids: the first exposure of either wins, chains and circles do no harm", () => {
    const join = (userId: string, unitId: string) => ({ userId, unitId, experimentId: null });
    const events = [exposure("anonymous", "t", 5), exposure("u", "c", 9), event({ userId: "phone", time: 7 })];
    const joins = [
      join("anonymous", "u"),
      join("u", "phone"),
      join("phone", "anonymous"),
      join("anonymous", "stranger"),
    ];
    const statistics = statisticsOf([...events, exposure("stranger", "c", 1)], SUBJECT, joins);
    expect(statistics).toMatchObject({ users: [1, 1], crossover: 0 });
    expect(successes(statistics)).toEqual([0, 1]);
  });

  it("goes by the order in the journal where joined ids were exposed at the same time", () => {
    const joins = [{ userId: "a", unitId: "u", experimentId: null }];
    const statistics = statisticsOf(
      [exposure("a", "t", 5), exposure("u", "c", 5), exposure("a", "t", 5)],
      SUBJECT,
      joins,
    );
    expect(statistics.users).toEqual([0, 1]);
  });

  it("analyses the bucketing unit where an experiment has one", () => {
    const joins = ["u", "v"].map((userId) => ({ userId, unitId: "team=1", experimentId: "x" }));
    const statistics = statisticsOf(
      [exposure("u", "t"), exposure("v", "t"), event({ userId: "v", time: 5 })],
      SUBJECT,
      joins,
    );
    expect(statistics.users).toEqual([0, 1]);
    expect(successes(statistics)).toEqual([0, 1]);
  });

  it("makes metrics of what was seen after exposure where the experiment names none", () => {
    const events = [
      exposure("u", "t", 5),
      event({ time: 6, type: "visit" }),
      event({ time: 6, type: "order", value: 3 }),
      event({ time: 4, type: "early" }),
      event({ time: 9, type: "foreign", userId: "nobody" }),
      event({ time: 9, type: "other", experimentId: "y" }),
    ];
    const { metrics } = statisticsOf(events, { ...SUBJECT, metrics: null });
    expect(metrics.map(({ metric }) => [metric.id, metric.kind])).toEqual([
      ["order", "CONVERSION"],
      ["order_value", "MEAN"],
      ["visit", "CONVERSION"],
    ]);
  });

  it("moves outliers to the quantile of all arms together", () => {
    const users = Array.from({ length: 101 }, (_, index) => `u${index}`);
    const events = users.flatMap((userId, index) => [
      exposure(userId, index % 2 ? "t" : "c"),
      event({ userId, value: index === 100 ? 1e6 : index, time: 1 }),
    ]);
    const metrics = [metric({ id: "sum", winsorize_pct: 0.05 })];
    const [sum] = statisticsOf(events, { ...SUBJECT, metrics }).metrics;
    const control = Array.from({ length: 51 }, (_, half) => Math.min(95, Math.max(5, 2 * half)));
    close((sum!.arms[0] as Moments).mean, control.reduce((total, value) => total + value, 0) / 51);
  });

  // Users 0 to 100 are worth 0, 0, ..., 0 (half of them), then 1, 2, ...; the greatest is worth a million.
  const skewed = Array.from({ length: 101 }, (_, index) => `u${index}`).flatMap((userId, index) => [
    exposure(userId, index % 2 ? "t" : "c"),
    ...(index > 50 ? [event({ userId, value: index === 100 ? 1e6 : index - 50, time: 1 })] : []),
  ]);
  const totalOf = (own: Partial<Metric>) => {
    const [statistics] = statisticsOf(skewed, { ...SUBJECT, metrics: [metric({ id: "sum", ...own })] }).metrics;
    return (statistics!.arms as Moments[]).reduce((total, { n, mean }) => total + n * mean, 0);
  };
  const worth = Array.from({ length: 50 }, (_, index) => (index === 49 ? 1e6 : index + 1));
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);

  it("counts no more than a cap of each user's value", () => {
    close(totalOf({ cap: 30 }), sum(worth.map((value) => Math.min(30, value))));
    close(totalOf({ kind: "COUNT", cap: 0.5 }), 25);
    close(totalOf({ cap: 2e6 }), sum(worth));
  });

  it("takes the quantiles of values that are not 0, and leaves a 0 as it is", () => {
    // numpy.quantile(numpy.append(numpy.arange(1, 50), 1e6), [0.1, 0.9]) is [5.9, 45.1].
    const own = { winsorize_pct: 0.1, winsorize_of: "NON_ZERO" } as const;
    close(totalOf(own), sum(worth.map((value) => Math.min(45.1, Math.max(5.9, value)))));
    // Those of all values are 0 and 40.
    close(totalOf({ winsorize_pct: 0.1 }), sum(worth.map((value) => Math.min(40, value))));
    close(totalOf({ kind: "COUNT", winsorize_pct: 0.1, winsorize_of: "NON_ZERO" }), 50);
  });

  it("caps before it takes quantiles", () => {
    // numpy.quantile(numpy.minimum(numpy.append(numpy.arange(1, 50), 1e6), 20), [0.4, 0.6]) is [20, 20].
    const own = { cap: 20, winsorize_pct: 0.4, winsorize_of: "NON_ZERO" } as const;
    close(totalOf(own), 50 * 20);
  });

  it("caps the numerator of a ratio, not its denominator", () => {
    const events = ["a", "b"].flatMap((userId) => [
      exposure(userId, "t"),
      event({ userId, value: 9, time: 1 }),
      ...[1, 2, 3].map((time) => event({ userId, type: "visit", time })),
    ]);
    const metrics = [metric({ id: "ratio", kind: "RATIO", denominator_event_type: "visit", cap: 2 })];
    expect(statisticsOf(events, { ...SUBJECT, metrics }).metrics[0]).toMatchObject({
      arms: [{ n: 0 }, { n: 2, means: [2, 3] }],
    });
  });

  it("sums ratios up as two numbers a user, and quantiles over values with users as clusters", () => {
    const metrics = [
      metric({ id: "ratio", kind: "RATIO", denominator_event_type: "visit" }),
      metric({ id: "median", kind: "QUANTILE", quantile: 0.5 }),
    ];
    const events = ["a", "b"].flatMap((userId, index) => [
      exposure(userId, "t"),
      event({ userId, value: 4 + index, time: 1 }),
      event({ userId, value: 6 + index, time: 2 }),
      event({ userId, type: "visit", time: 1 }),
    ]);
    const [ratio, median] = statisticsOf(events, { ...SUBJECT, metrics }).metrics;
    expect(ratio).toMatchObject({ form: "RATIO", arms: [{ n: 0 }, { n: 2, means: [11, 1] }] });
    expect(median).toMatchObject({
      form: "QUANTILE",
      arms: [
        { n: 0, value: null },
        { n: 4, users: 2, value: 5.5 },
      ],
    });
  });

  it("agrees with the rules written down plainly", () => {
    fc.assert(
      fc.property(journals, (records) => {
        expectSame(computeStatistics(logOf(records), SUBJECT), bruteForce(records, SUBJECT));
      }),
      { numRuns: 300 },
    );
  });

  it("does not depend on the order of arrival", () => {
    const shuffled = journals.chain((records) =>
      fc.tuple(fc.constant(records), fc.shuffledSubarray(records, { minLength: records.length })),
    );
    fc.assert(
      fc.property(shuffled, ([records, others]) => {
        // Joins and equal times follow the order in the journal, so these keep theirs.
        const strip = (list: EventRecord[]) =>
          list.map((record) => ({
            ...record,
            joins: [],
            events: record.events.map((one, index) => ({
              ...one,
              time: one.time + 50 * records.indexOf(record) + index,
            })),
          }));
        const times = new Map(records.map((record, index) => [record, strip(records)[index]!]));
        const reordered = others.map((record) => times.get(record)!);
        expectSame(computeStatistics(logOf(reordered), SUBJECT), bruteForce([...times.values()], SUBJECT));
      }),
      { numRuns: 100 },
    );
  });

  it("does not depend on how the journal is cut into chunks", () => {
    fc.assert(
      fc.property(journals, fc.array(fc.nat(40), { maxLength: 4 }), (records, cuts) => {
        const whole = logOf(records);
        const bounds = [0, ...cuts.filter((cut) => cut < records.length).sort((a, b) => a - b)];
        const rebuilt = createEventLog();
        for (const [index, first] of bounds.entries()) {
          const end = bounds[index + 1] ?? (records.length > 0 ? Math.max(first, records.length - 2) : 0);
          if (end > first) rebuilt.appendChunk(decodeChunk(encodeChunk(cutChunk(whole, first, end))));
        }
        const tail = rebuilt.position;
        for (const [index, record] of records.entries())
          if (index >= tail) rebuilt.append(index + 1, toColumns(record));
        expect(computeStatistics(rebuilt, SUBJECT)).toEqual(computeStatistics(whole, SUBJECT));
        expect(rebuilt.users).toEqual(whole.users);
        expect(rebuilt.joins).toEqual(whole.joins);
      }),
      { numRuns: 100 },
    );
  });
});
