import type { GroupStatistics } from "@assay/analysis";
import { ucb1Weights } from "@assay/core/stats/bayes";
import { describe, expect, test } from "vitest";
import { runInSlices } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { allocate } from "./allocation.ts";
import { rewardMetric } from "./reward.ts";

const METRIC = {
  id: "bought",
  name: "Bought",
  event_type: "purchase",
  kind: "CONVERSION",
  direction: "INCREASE",
  role: "PRIMARY",
} as const;

function experiment(changes: object = {}): ExperimentRecord {
  return { allocation: "THOMPSON", metrics: [METRIC], ...changes } as unknown as ExperimentRecord;
}

/** A period in which so many users of each arm converted: `[successes, users]` by arm. */
function conversions(...arms: [number, number][]): GroupStatistics {
  const rates = arms.map(([successes, n]) => ({ successes, n }));
  return { users: rates.map(({ n }) => n), metrics: [{ metric: METRIC, form: "PROPORTION", arms: rates }] };
}

/** A period with a metric that has a value per user: `[users, mean, variance]` by arm. */
function means(...arms: [number, number, number][]): GroupStatistics {
  const moments = arms.map(([n, mean, variance]) => ({ n, mean, m2: variance * (n - 1) }));
  const metric = { ...METRIC, kind: "MEAN", aggregation: "SUM" } as const;
  return { users: moments.map(({ n }) => n), metrics: [{ metric, form: "MEAN", arms: moments }] };
}

const next = async (record: ExperimentRecord, periods: GroupStatistics[], weights: number[]) =>
  runInSlices(allocate(record, periods, weights));
const reasonOf = async (...periods: GroupStatistics[]) => (await next(experiment(), periods, [0.5, 0.5])).reason;

describe("an update", () => {
  test("needs 100 users of every live arm in the period", async () => {
    expect(await reasonOf(conversions([10, 100], [90, 100]))).toBeNull();
    expect(await reasonOf(conversions([10, 99], [90, 101]))).toBe("INSUFFICIENT_DATA");
    expect(await reasonOf(conversions([10, 101], [90, 99]))).toBe("INSUFFICIENT_DATA");
  });

  test("ignores the users of arms of weight 0", async () => {
    const period = conversions([10, 100], [90, 100], [0, 0]);
    expect((await next(experiment(), [period], [0.5, 0.5, 0])).reason).toBeNull();
  });

  test("needs 2 % of the users of all periods before", async () => {
    const before = [conversions([900, 6000], [1800, 6000]), conversions([600, 4000], [1200, 4000])];
    expect(await reasonOf(...before, conversions([30, 200], [60, 200]))).toBeNull();
    expect(await reasonOf(...before, conversions([30, 200], [60, 199]))).toBe("INSUFFICIENT_DATA");
  });

  test("needs users at all", async () => {
    const { reason, probabilities } = await next(experiment(), [conversions([0, 0], [0, 0])], [0.5, 0.5]);
    expect([reason, probabilities]).toEqual(["INSUFFICIENT_DATA", null]);
  });

  test("needs two live arms", async () => {
    const { reason, next: weights } = await next(experiment(), [conversions([10, 200], [20, 200])], [1, 0]);
    expect([reason, weights]).toEqual(["ONE_ARM", null]);
    expect((await next(experiment(), [], [])).reason).toBe("ONE_ARM");
  });

  test("changes nothing while every weight would change by less than 0.01", async () => {
    const period = [conversions([10, 200], [150, 200])];
    // The better arm gets all but the minimum weight of the other.
    const of = async (...weights: number[]) => (await next(experiment(), period, weights)).reason;
    expect(await of(0.0591, 0.9409)).toBe("UNCHANGED");
    expect(await of(0.0611, 0.9389)).toBeNull();
  });
});

describe("the minimum weight", () => {
  test.each([
    [2, 0.05],
    [4, 0.05],
    [5, 0.04],
    [10, 0.02],
  ])("of each of %i arms is %d", async (count, expected) => {
    const arms = Array.from({ length: count }, (_, arm): [number, number] => [arm === 0 ? 900 : 100, 1000]);
    const { minWeight, next: weights } = await next(
      experiment(),
      [conversions(...arms)],
      arms.map(() => 1 / count),
    );
    expect(minWeight).toBeCloseTo(expected, 12);
    expect(Math.min(...weights!)).toBeCloseTo(expected, 6);
    expect(weights![0]).toBeCloseTo(1 - (count - 1) * expected, 6);
  });

  test("does not count arms of weight 0", async () => {
    const arms = Array.from({ length: 6 }, (): [number, number] => [100, 1000]);
    expect((await next(experiment(), [conversions(...arms)], [0.2, 0.2, 0.2, 0.2, 0.2, 0])).minWeight).toBeCloseTo(
      0.04,
      12,
    );
  });
});

describe("weights", () => {
  test("have six digits and the sum 1; the greatest takes the rest", async () => {
    const period = conversions([110, 1000], [100, 1000], [105, 1000]);
    const { next: weights } = await next(experiment(), [period], [0.4, 0.3, 0.3]);
    expect(weights!.map((weight) => Math.round(weight * 1e6) / 1e6)).toEqual(weights);
    expect(weights!.reduce((sum, weight) => sum + Math.round(weight * 1e6), 0)).toBe(1e6);
  });

  test("keep arms of weight 0 out, with probability 0", async () => {
    const period = conversions([10, 500], [100, 500], [400, 500]);
    const { next: weights, probabilities } = await next(experiment(), [period], [0.5, 0.5, 0]);
    expect(weights).toEqual([0.05, 0.95, 0]);
    expect(probabilities!.best[2]).toBe(0);
    expect(probabilities!.best[1]).toBeCloseTo(1, 6);
  });

  test("prefer the smaller mean if a decrease is better", async () => {
    const less = { ...METRIC, direction: "DECREASE" } as const;
    for (const allocation of ["THOMPSON", "EPSILON_GREEDY", "UCB1"]) {
      const period = conversions([100, 1000], [900, 1000]);
      period.metrics[0]!.metric = less;
      const { next: weights } = await next(experiment({ allocation, metrics: [less] }), [period], [0.5, 0.5]);
      expect(weights![0], allocation).toBeGreaterThan(0.6);
    }
  });

  test("of UCB1 use twice the pooled standard deviation as the range of unbounded rewards", async () => {
    const period = means([300, 10, 4], [100, 9.5, 40]);
    const { next: weights } = await next(experiment({ allocation: "UCB1" }), [period], [0.75, 0.25]);
    const variance = (300 * 4 + 100 * 40) / 400;
    const arms = [
      { n: 300, mean: 10 },
      { n: 100, mean: 9.5 },
    ];
    const expected = ucb1Weights(arms, { minWeight: 0.05, range: 2 * Math.sqrt(variance) });
    for (const [arm, weight] of expected.entries()) expect(weights![arm]).toBeCloseTo(weight, 6);
    const other = ucb1Weights(arms, { minWeight: 0.05, range: 1 });
    expect(weights![1]).not.toBeCloseTo(other[1]!, 2);
  });

  test("of UCB1 use the range 1 of conversions", async () => {
    const period = conversions([60, 300], [30, 100]);
    const { next: weights } = await next(experiment({ allocation: "UCB1" }), [period], [0.75, 0.25]);
    const arms = [
      { n: 300, mean: 0.2 },
      { n: 100, mean: 0.3 },
    ];
    const expected = ucb1Weights(arms, { minWeight: 0.05 });
    for (const [arm, weight] of expected.entries()) expect(weights![arm]).toBeCloseTo(weight, 6);
  });
});

describe("the reward", () => {
  test("is that of the first PRIMARY metric, or else of the first", () => {
    const [first, second] = [
      { ...METRIC, id: "first", role: "SECONDARY" },
      { ...METRIC, id: "second" },
    ];
    expect(rewardMetric(experiment({ metrics: [first, second] }))?.id).toBe("second");
    expect(rewardMetric(experiment({ metrics: [first] }))?.id).toBe("first");
    expect(rewardMetric(experiment({ metrics: [] }))).toBeNull();
  });

  test("adds up users and conversions of all periods", async () => {
    const periods = [conversions([10, 100], [20, 100]), conversions([5, 300], [7, 200])];
    const { rewards } = await next(experiment(), periods, [0.5, 0.5]);
    expect(rewards.map(({ trials, successes }) => [trials, successes])).toEqual([
      [400, 15],
      [300, 27],
    ]);
  });

  test("of a mean counts no conversions, and has no posterior without an error", async () => {
    const { rewards } = await next(experiment(), [means([200, 10, 4], [200, 12, 0])], [0.5, 0.5]);
    expect(rewards.map(({ successes, mean }) => [successes, mean])).toEqual([
      [null, 10],
      [null, 12],
    ]);
    expect(rewards[0]!.posterior).not.toBeNull();
    expect(rewards[1]!.posterior).toBeNull();
  });

  test("of an arm without users is unknown", async () => {
    const { rewards } = await next(experiment(), [means([200, 10, 4], [0, 0, 0])], [0.5, 0.5]);
    expect(rewards[1]).toEqual({ trials: 0, successes: null, mean: null, variance: null, posterior: null });
  });
});
