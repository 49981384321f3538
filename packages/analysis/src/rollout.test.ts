import { bucket } from "@assay/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createEventLog } from "./event-log.ts";
import type { EventRecord, StoredEvent } from "./event-record.ts";
import { toColumns } from "./record-columns.ts";
import { computeRollout, type RolloutOptions, type RolloutStratum } from "./rollout.ts";
import { judgeRollout } from "./rollout-judgement.ts";
import { createRolloutSum, IN, OUT } from "./rollout-sum.ts";

const STRATA: RolloutStratum[] = [
  { percentage: 20, from: 100, to: 200 },
  { percentage: 60, from: 200, to: 300 },
];

function logOf(events: readonly (Partial<StoredEvent> & { userId: string; time: number })[]) {
  const log = createEventLog();
  const stored = events.map((event, index): StoredEvent => {
    const nothing = { experimentId: null, variantKey: null, flagKey: null, value: null, forced: false, metadata: null };
    return { id: String(index), type: "visit", ...nothing, ...event };
  });
  const record: EventRecord = { at: 300, events: stored, joins: [] };
  log.append(1, toColumns(record));
  return log;
}

const ask = (log: ReturnType<typeof logOf>, options: Partial<RolloutOptions> = {}) =>
  computeRollout(log, {
    flagKey: "flag",
    weights: [1],
    strata: STRATA,
    named: [],
    metrics: [{ eventType: "error", aggregation: "RATE" }],
    ...options,
  });

const users = Array.from({ length: 60 }, (_, number) => `u${number}`);
const isIn = (user: string, { percentage }: RolloutStratum) => bucket(user, "flag") < percentage / 100;

/** Events of random users at random times, a few of them errors. */
const events = fc.array(
  fc.record({
    userId: fc.constantFrom(...users),
    time: fc.integer({ min: 90, max: 310 }),
    type: fc.constantFrom("visit", "visit", "error"),
    value: fc.option(fc.double({ min: -5, max: 5, noNaN: true })),
  }),
  { maxLength: 300 },
);

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("the comparison of those in and out", () => {
  test("is, stratum by stratum, the difference of means, weighted by how many say it", () => {
    fc.assert(
      fc.property(events, fc.constantFrom("RATE", "COUNT", "MEAN"), (given, aggregation) => {
        const { estimates, strata } = ask(logOf(given), { metrics: [{ eventType: "error", aggregation }] });
        let [weight, sum] = [0, 0];
        for (const [index, stratum] of STRATA.entries()) {
          const inside = given.filter(({ time }) => time >= stratum.from && time < stratum.to);
          const seen = [...new Set(inside.map(({ userId }) => userId))];
          const sideOf = (wanted: boolean) => seen.filter((user) => isIn(user, stratum) === wanted);
          expect(strata[index]).toEqual({ in: sideOf(true).length, out: sideOf(false).length });
          const valuesOf = (user: string): number[] => {
            const errors = inside.filter(({ userId, type }) => userId === user && type === "error");
            if (aggregation === "RATE") return [errors.length > 0 ? 1 : 0];
            if (aggregation === "COUNT") return [errors.length];
            const values = errors.flatMap(({ value }) => (value === null ? [] : [value]));
            return values.length > 0 ? [meanOf(values)] : [];
          };
          const [a, b] = [sideOf(true).flatMap(valuesOf), sideOf(false).flatMap(valuesOf)];
          if (a.length === 0 || b.length === 0) continue;
          const own = (a.length * b.length) / (a.length + b.length);
          weight += own;
          sum += own * (meanOf(a) - meanOf(b));
        }
        expect(estimates[0]!.effectiveUsers).toBeCloseTo(4 * weight, 9);
        if (weight === 0) expect(estimates[0]!.difference).toBeNull();
        else expect(estimates[0]!.difference).toBeCloseTo(sum / weight, 9);
      }),
    );
  });

  test("splits a flag of several variants inside each variant's own interval", () => {
    const log = logOf(users.map((userId) => ({ userId, time: 150 })));
    const inside = users.filter((user) => {
      const hash = bucket(user, "flag");
      return hash < 0.5 ? hash < 0.1 : hash < 0.6;
    });
    expect(ask(log, { weights: [0.5, 0.5] }).strata[0]!.in).toBe(inside.length);
  });

  test("leaves out who is named, whom a rule gave the flag, and who was erased", () => {
    const exposure = { type: "exposure", flagKey: "flag", variantKey: "on", forced: true };
    const log = logOf([
      ...users.map((userId) => ({ userId, time: 150 })),
      { userId: "u0", time: 150, ...exposure },
      { userId: "u1", time: 150, ...exposure, flagKey: "another" },
    ]);
    const [counted] = ask(log, { named: ["u2", "nobody"] }).strata;
    expect(counted!.in + counted!.out).toBe(users.length - 2);
  });

  test("counts a user once for the error, in however many strata they were seen", () => {
    const n = 400;
    const sides = Uint8Array.from({ length: n }, (_, user) => (user % 2 === 0 ? IN : OUT));
    const values = Float64Array.from({ length: n }, (_, user) => (user % 7 === 0 ? 1 : 0));
    const once = createRolloutSum(n);
    once.add(values, sides);
    const again = createRolloutSum(n);
    for (let stratum = 0; stratum < 4; stratum++) again.add(values, sides);
    const [one, four] = [once.estimate(false), again.estimate(false)];
    expect(four.difference).toBeCloseTo(one.difference!, 12);
    expect(four.standardError).toBeCloseTo(one.standardError!, 12);
  });
});

describe("the error of a small side", () => {
  const n = 100;
  const sides = Uint8Array.from({ length: n }, (_, user) => (user < 5 ? IN : OUT));

  test("has the variance of both sides if nothing has happened on it yet", () => {
    const values = Float64Array.from({ length: n }, (_, user) => (user >= 90 ? 3 : 0));
    const sum = createRolloutSum(n);
    sum.add(values, sides);
    const { standardError, difference } = sum.estimate(false);
    // Ten of a hundred users count 3: the variance is (10 * 2.7^2 + 90 * 0.3^2) / 99.
    expect(standardError).toBeCloseTo(Math.sqrt((81 / 99) * (1 / 5 + 1 / 95)), 12);
    expect(difference).toBeCloseTo(-30 / 95, 12);
  });

  test("counts users again who were seen in several strata", () => {
    const values = Float64Array.from({ length: n }, (_, user) => (user >= 90 ? 3 : 0));
    const [one, two] = [createRolloutSum(n), createRolloutSum(n)];
    one.add(values, sides);
    for (let stratum = 0; stratum < 2; stratum++) two.add(values, sides);
    expect(two.estimate(false).standardError).toBeCloseTo(one.estimate(false).standardError!, 12);
  });
});

describe("the judgement", () => {
  const nothing = { n: { in: 500, out: 500 }, mean: { in: 0, out: 0 }, value: { in: 0, out: 0 }, effectiveUsers: 1000 };
  const judge = (difference: number, comparison: "GREATER_THAN" | "LESS_THAN", margin: number, minUsers = 10) =>
    judgeRollout({ ...nothing, difference, standardError: 0.01 }, nothing.n, {
      comparison,
      margin,
      minUsers,
      alpha: 0.05,
    }).verdict;

  test("holds where the whole interval is on the claimed side, and is refuted where it is on the other", () => {
    expect(judge(0, "GREATER_THAN", -0.1)).toBe("HOLDS");
    expect(judge(-0.2, "GREATER_THAN", -0.1)).toBe("REFUTED");
    expect(judge(0, "LESS_THAN", 0.1)).toBe("HOLDS");
    expect(judge(0.2, "LESS_THAN", 0.1)).toBe("REFUTED");
    expect(judge(0.1, "LESS_THAN", 0.1)).toBe("OPEN");
  });

  test("waits for users on both sides, and for something to judge by", () => {
    expect(judge(0, "GREATER_THAN", -0.1, 501)).toBe("OPEN");
    const estimate = createRolloutSum(10).estimate(true);
    const claim = { comparison: "GREATER_THAN", margin: -1, minUsers: 10, alpha: 0.05 } as const;
    expect(judgeRollout(estimate, { in: 0, out: 0 }, claim)).toEqual({ verdict: "OPEN", interval: null });
  });

  test("does not take a rate of which nothing was seen yet for 0", () => {
    const sum = createRolloutSum(200);
    sum.add(
      new Float64Array(200),
      Uint8Array.from({ length: 200 }, (_, user) => (user % 2 === 0 ? IN : OUT)),
    );
    const { standardError } = sum.estimate(true);
    expect(standardError).toBeGreaterThan(0.01);
  });
});
