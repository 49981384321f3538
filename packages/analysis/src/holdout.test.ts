import { bucket } from "@assay/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createAnalystMethods } from "./analyst.ts";
import { type EventRecord, encodeRecord } from "./event-record.ts";
import { HOLDOUT_ARMS } from "./holdout.ts";
import { event, exposure, HOUR, journals } from "./records.fixture.ts";
import type { Subject } from "./subject.ts";
import type { SufficientStatistics } from "./sufficient-statistics.ts";

/**
 * Experiment `x` of the journals is the holdout here: a row that names it with the type `exposure` is an evaluation.
 */
const HOLDOUT: Subject = {
  experimentId: "x",
  variants: [...HOLDOUT_ARMS],
  history: [
    { status: "ACTIVE", at: 10 * HOUR },
    { status: "COMPLETED", at: 250 * HOUR },
  ],
  metrics: null,
  everyOutcome: true,
};
const PERCENTAGE = 40;

function compute(records: readonly EventRecord[], eventType: string | null = null): SufficientStatistics {
  const analyst = createAnalystMethods();
  const journal = records.map((record, index) => ({ position: index + 1, record: encodeRecord(record) }));
  analyst.load([], journal);
  const options = { percentage: PERCENTAGE, from: 10 * HOUR, eventType };
  return analyst.answer(HOLDOUT, { about: "holdout", options }) as SufficientStatistics;
}

/** The rules, implemented as simply as possible. */
function reference(records: readonly EventRecord[], eventType: string | null) {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => (parents.has(id) ? rootOf(parents.get(id)!) : id);
  for (const here of [null, "x"]) {
    for (const { userId, unitId, experimentId } of records.flatMap(({ joins }) => joins)) {
      const from = here === null ? userId : rootOf(userId);
      if (experimentId === here && !parents.has(from) && rootOf(unitId) !== from) parents.set(from, unitId);
    }
  }
  const counted = records.filter(({ at }) => at >= 10 * HOUR && at < 250 * HOUR).flatMap(({ events }) => events);
  const shows = counted.filter(
    ({ type, experimentId, time }) =>
      time >= 10 * HOUR && (eventType === null ? type !== "exposure" || experimentId === "x" : type === eventType),
  );
  const arms: { values: Record<string, number>; sums: Record<string, number> }[][] = [[], []];
  for (const unit of new Set(shows.map(({ userId }) => rootOf(userId)))) {
    const own = shows.filter(({ userId }) => rootOf(userId) === unit);
    const first = own.reduce((best, one) => (one.time < best.time ? one : best));
    const outcomes = counted.filter(
      ({ userId, type, time }) => rootOf(userId) === unit && type !== "exposure" && time >= first.time,
    );
    const values: Record<string, number> = {};
    const sums: Record<string, number> = {};
    for (const { type, value } of outcomes) {
      values[type] = 1;
      sums[type] = (sums[type] ?? 0) + (value ?? 0);
    }
    arms[bucket(first.userId, "holdout:x") < PERCENTAGE / 100 ? 0 : 1]!.push({ values, sums });
  }
  return arms;
}

test("agrees with the rules written down plainly", () => {
  const eventTypes = fc.constantFrom(null, "visit", "purchase", "exposure");
  fc.assert(
    fc.property(journals, eventTypes, (records, eventType) => {
      const arms = reference(records, eventType);
      const { users, metrics } = compute(records, eventType);
      expect(users).toEqual(arms.map((arm) => arm.length));
      const types = new Set(arms.flat().flatMap(({ values }) => Object.keys(values)));
      expect(new Set(metrics.map(({ metric }) => metric.event_type))).toEqual(types);
      for (const statistics of metrics) {
        const { event_type } = statistics.metric;
        if (statistics.form === "PROPORTION") {
          const successes = arms.map((arm) => arm.reduce((sum, { values }) => sum + (values[event_type] ?? 0), 0));
          expect(statistics.arms).toEqual(arms.map((arm, index) => ({ successes: successes[index], n: arm.length })));
        } else if (statistics.form === "MEAN") {
          for (const [index, arm] of arms.entries()) {
            const sum = arm.reduce((total, { sums }) => total + (sums[event_type] ?? 0), 0);
            expect(statistics.arms[index]!.n).toBe(arm.length);
            if (arm.length > 0) expect(statistics.arms[index]!.mean).toBeCloseTo(sum / arm.length, 9);
          }
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("exposures of experiments do not reveal users: held-out users have none", () => {
  const at = 20 * HOUR;
  const events = [exposure("a", "c", at, { experimentId: "y" }), exposure("b", "t", at, { variantKey: null })];
  expect(compute([{ at, events, joins: [] }]).users.reduce((sum, n) => sum + n)).toBe(1);
});

test("people with two ids are on the side of the one that was seen first", () => {
  const [held, other] = [0.3, 0.7].map((side) =>
    Array.from({ length: 100 }, (_, index) => `user-${index}`).find(
      (user) => bucket(user, "holdout:x") < PERCENTAGE / 100 === side < 0.5,
    ),
  );
  const at = 20 * HOUR;
  const seen = (userId: string, time: number) => event({ userId, time, type: "visit" });
  const joins = [{ userId: held!, unitId: other!, experimentId: null }];
  expect(compute([{ at, events: [seen(other!, at - 1), seen(held!, at)], joins }]).users).toEqual([0, 1]);
  expect(compute([{ at, events: [seen(other!, at), seen(held!, at - 1)], joins }]).users).toEqual([1, 0]);
});

test("a rule that shows both sides alike finds no difference where there is none", () => {
  const users = Array.from({ length: 4_000 }, (_, index) => `user-${index}`);
  const at = 20 * HOUR;
  const events = users.flatMap((userId, index) => [
    event({ userId, time: at, type: "visit" }),
    ...(index % 7 === 0 ? [event({ userId, time: at + 1 })] : []),
  ]);
  const { users: counts, metrics } = compute([{ at, events, joins: [] }]);
  expect(counts[0]! / users.length).toBeCloseTo(PERCENTAGE / 100, 1);
  const purchase = metrics.find(({ metric }) => metric.id === "purchase")!;
  if (purchase.form !== "PROPORTION") throw new Error("Expected a proportion");
  const [held, others] = purchase.arms.map(({ successes, n }) => successes / n);
  expect(Math.abs(held! - others!)).toBeLessThan(0.035);
});
