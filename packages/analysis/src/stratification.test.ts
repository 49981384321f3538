import {
  type JointMoments,
  jointMomentsOf,
  type Moments,
  mergeMoments,
  momentsFromSums,
  momentsOf,
  type Proportion,
  quantileEstimate,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";
import { comparePeriods } from "@assay/core/stats/bayes";
import { describe, expect, it } from "vitest";
import { estimateOf } from "./estimate.ts";
import type { GroupStatistics } from "./groups.ts";
import type { MetricStatistics } from "./metric.ts";
import { seededRandom } from "./random.fixture.ts";
import { metric } from "./records.fixture.ts";
import { stratify } from "./stratification.ts";

const RATE = metric({ id: "bought", kind: "CONVERSION" });
const MEAN = metric({ id: "revenue" });

const rates = (...arms: [successes: number, n: number][]): GroupStatistics => ({
  users: arms.map(([, n]) => n),
  metrics: [{ metric: RATE, form: "PROPORTION", arms: arms.map(([successes, n]) => ({ successes, n })) }],
});
const means = (...arms: Moments[]): GroupStatistics => ({
  users: arms.map(({ n }) => n),
  metrics: [{ metric: MEAN, form: "MEAN", arms }],
});
/** Returns the only metric of an answer, cast to its known form. */
const armsOf = <T>(statistics: MetricStatistics[]) => statistics[0]!.arms as unknown as T[];

describe("estimates by period", () => {
  it("of means are what comparing the periods says", () => {
    const random = seededRandom(1);
    const draw = (n: number, centre: number) => momentsOf(Array.from({ length: n }, () => centre + random()));
    const periods = [
      means(draw(50, 1), draw(60, 1.1)),
      means(draw(20, 2), draw(200, 2.3)),
      means(draw(9, 3), draw(80, 3)),
    ];
    const [control, treatment] = armsOf<Moments>(stratify(periods, [0, 1]));
    const arm = (index: number) => periods.map((period) => armsOf<Moments>(period.metrics)[index]!);
    const expected = comparePeriods(
      arm(0),
      arm(1),
      periods.map(({ users }) => users[0]! + users[1]!),
    );
    const actual = welchTest(control!, treatment!);
    expect(actual.difference).toBeCloseTo(expected.difference!, 12);
    expect(actual.standardError).toBeCloseTo(expected.standardError!, 12);
    expect([control!.n, treatment!.n]).toEqual([79, 340]);
  });

  it("of rates are the sums written down plainly", () => {
    const periods = [rates([10, 100], [30, 200]), rates([50, 100], [400, 600])];
    const [control, treatment] = armsOf<Proportion>(stratify(periods, [0, 1]));
    const { difference, standardError } = twoProportionTest(control!, treatment!);
    // 300 and 700 of 1,000 users: shares of 0.3 and 0.7.
    expect(difference).toBeCloseTo(0.3 * (0.15 - 0.1) + 0.7 * (400 / 600 - 0.5), 12);
    const part = (share: number, p: number, n: number) => (share ** 2 * p * (1 - p)) / n;
    const variance = part(0.3, 0.1, 100) + part(0.3, 0.15, 200) + part(0.7, 0.5, 100) + part(0.7, 400 / 600, 600);
    expect(standardError).toBeCloseTo(Math.sqrt(variance), 12);
  });

  it("of ratios and quantiles are weighted alike, each by its own kind of error", () => {
    const random = seededRandom(2);
    const pairs = (n: number, rate: number) => {
      const visits = Array.from({ length: n }, () => 1 + Math.floor(random() * 3));
      return jointMomentsOf(
        visits.map((count) => count * rate * random()),
        visits,
      );
    };
    const joint = (...arms: JointMoments[]): GroupStatistics => ({
      users: arms.map(({ n }) => n),
      metrics: [{ metric: metric({ id: "r", kind: "RATIO" }), form: "RATIO", arms }],
    });
    const medians = (...arms: number[][]): GroupStatistics => ({
      users: arms.map((values) => values.length),
      metrics: [
        {
          metric: metric({ id: "q", kind: "QUANTILE" }),
          form: "QUANTILE",
          arms: arms.map((values) => quantileEstimate({ values })),
        },
      ],
    });
    const uniform = (n: number, top: number) => Array.from({ length: n }, () => top * random());
    for (const periods of [
      [joint(pairs(40, 1), pairs(80, 2)), joint(pairs(30, 3), pairs(90, 4))],
      [medians(uniform(40, 1), uniform(80, 2)), medians(uniform(30, 3), uniform(90, 4))],
    ]) {
      const [together] = stratify(periods, [0, 1]);
      for (const arm of [0, 1]) {
        const [first, second] = periods.map(({ metrics }) => estimateOf(metrics[0]!, arm));
        const { n, value, variance } = estimateOf(together!, arm);
        expect(n).toBe(first!.n + second!.n);
        expect(value).toBeCloseTo(0.5 * first!.value + 0.5 * second!.value, 12);
        const squaredError = 0.25 * (first!.variance! / first!.n + second!.variance! / second!.n);
        expect(variance! / n).toBeCloseTo(squaredError, 12);
      }
    }
  });

  it("leave out periods in which a compared arm has fewer than two users, and those alone", () => {
    const one = rates([10, 100], [20, 100], [30, 100]);
    const withoutThird = rates([40, 100], [50, 100], [0, 0]);
    const lonely = rates([1, 1], [50, 100], [9, 10]);
    const nobody = rates([0, 0], [0, 0], [0, 0]);
    const periods = [one, withoutThird, lonely, nobody];
    const [control, treatment] = armsOf<Proportion>(stratify(periods, [0, 1]));
    // 300 and 200 users: shares of 0.6 and 0.4.
    expect(treatment!.successes / treatment!.n).toBeCloseTo(0.6 * 0.2 + 0.4 * 0.5, 12);
    expect(control!.successes / control!.n).toBeCloseTo(0.6 * 0.1 + 0.4 * 0.4, 12);
    const [, , third] = armsOf<Proportion>(stratify(periods, [0, 2]));
    expect(third!.successes / third!.n).toBeCloseTo(0.3, 12);
  });

  it("are undefined where no period can be compared, and exact where nothing varies", () => {
    expect(armsOf<Proportion>(stratify([rates([1, 1], [1, 1])], [0, 1]))).toEqual([
      { n: 0, successes: 0 },
      { n: 0, successes: 0 },
    ]);
    expect(armsOf<Proportion>(stratify([rates([0, 5], [5, 5]), rates([0, 7], [7, 7])], [0, 1]))).toEqual([
      { n: 12, successes: 0 },
      { n: 12, successes: 12 },
    ]);
    expect(stratify([], [0, 1])).toEqual([]);
  });

  it("are unbiased where everything improves while an arm grows, and pooled users are not", () => {
    const random = seededRandom(3);
    const [runs, users, truth] = [400, 400, 0.03];
    const shares = [0.5, 0.6, 0.7, 0.8, 0.9];
    const binomial = (n: number, p: number) => {
      let successes = 0;
      for (let index = 0; index < n; index++) if (random() < p) successes++;
      return successes;
    };
    const pooled: number[] = [];
    const weighted: number[] = [];
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const periods = shares.map((share, period) => {
        const [control, treatment] = [Math.round(users * (1 - share)), Math.round(users * share)];
        // A season that raises everyone from 10 to 30 %.
        const base = 0.1 + 0.05 * period;
        return rates([binomial(control, base), control], [binomial(treatment, base + truth), treatment]);
      });
      const [control, treatment] = armsOf<Proportion>(stratify(periods, [0, 1]));
      const test = twoProportionTest(control!, treatment!);
      weighted.push(test.difference!);
      const [lower, upper] = test.confidenceInterval!;
      if (lower <= truth && truth <= upper) covered++;
      const all = [0, 1].map((arm) =>
        periods
          .map(({ metrics }) => armsOf<Proportion>(metrics)[arm]!)
          .map(({ n, successes }) => momentsFromSums(n, successes, successes))
          .reduce(mergeMoments),
      );
      pooled.push(all[1]!.mean - all[0]!.mean);
    }
    const summary = (values: number[]) => {
      const { mean, m2, n } = momentsOf(values);
      return { bias: mean - truth, error: Math.sqrt(m2 / (n - 1) / n) };
    };
    const ours = summary(weighted);
    const theirs = summary(pooled);
    expect(Math.abs(ours.bias)).toBeLessThan(4 * ours.error);
    expect(theirs.bias).toBeGreaterThan(20 * theirs.error);
    expect(theirs.bias).toBeGreaterThan(0.03);
    // 95 % within four Monte Carlo errors.
    expect(Math.abs(covered / runs - 0.95)).toBeLessThan(4 * Math.sqrt((0.95 * 0.05) / runs));
  });
});
