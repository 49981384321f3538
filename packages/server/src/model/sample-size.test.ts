import { tTestPower } from "@assay/core/stats/planning";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toSampleSize } from "./sample-size.ts";
import { SampleSizeError, type SampleSizeQuestion } from "./sample-size-question.ts";

const ask = (question: Partial<SampleSizeQuestion>) =>
  toSampleSize({ mde: 0.1, relative: true, alpha: 0.05, power: 0.8, variants: 2, ...question });

function complaint(question: Partial<SampleSizeQuestion>): { field: string; message: string } {
  try {
    return { field: "none", message: JSON.stringify(ask(question)) };
  } catch (error) {
    if (!(error instanceof SampleSizeError)) throw error;
    return { field: error.field, message: error.message };
  }
}

describe("a sample size", () => {
  test("of a mean uses Welch's t-test: the smallest number of users with the power", () => {
    // R: power.t.test(delta = 5, sd = 20, power = 0.8, strict = TRUE)$n is 252.1.
    const { per_variant, ...rest } = ask({ mean: 50, standard_deviation: 20 });
    expect({ per_variant, ...rest }).toMatchObject({ metric_kind: "MEAN", per_variant: 253, total: 506, target: 55 });
    const powerOf = (users: number) => tTestPower(2 * users - 2, 0.25 * Math.sqrt(users / 2));
    expect([powerOf(253) >= 0.8, powerOf(252) >= 0.8]).toEqual([true, false]);
  });

  test("of a decrease takes an effect below 0", () => {
    expect(ask({ baseline_rate: 0.9, mde: -0.1 })).toMatchObject({ target: expect.closeTo(0.81, 12) });
    const rise = ask({ mean: -4, standard_deviation: 2, mde: 0.25 });
    expect(rise).toMatchObject({ target: -3, absolute_effect: 1, relative_effect: 0.25 });
    expect(ask({ mean: -4, standard_deviation: 2, mde: -0.25 })).toMatchObject({ target: -5, total: rise.total });
  });

  // The sizes of margin-sample-size.test.ts of core.
  test("against a margin is that of a one-sided test at half of alpha", () => {
    const notWorse = { mde: 0, hypothesis: "NON_INFERIORITY", margin: 0.05 } as const;
    const rate = ask({ baseline_rate: 0.1, ...notWorse });
    expect(rate).toMatchObject({ per_variant: 53_708, total: 107_416, absolute_effect: 0, relative_effect: 0 });
    expect(ask({ baseline_rate: 0.1, ...notWorse, direction: "DECREASE" }).per_variant).toBe(59_360);
    expect(ask({ baseline_rate: 0.1, ...notWorse, hypothesis: "EQUIVALENCE" }).per_variant).toBe(79_474);
    expect(ask({ mean: 50, standard_deviation: 20, ...notWorse }).per_variant).toBe(957);
    const beyond = { field: "mde", message: "The effect lies at the margin or beyond it" };
    expect(complaint({ baseline_rate: 0.1, ...notWorse, mde: -0.05 })).toEqual(beyond);
    expect(complaint({ mean: 50, standard_deviation: 20, ...notWorse, mde: -0.06 })).toEqual(beyond);
    expect(complaint({ standard_deviation: 20, relative: false, ...notWorse }).field).toBe("mean");
    expect(complaint({ baseline_rate: 0.1, hypothesis: "EQUIVALENCE" }).field).toBe("margin");
    expect(complaint({ baseline_rate: 0.1, margin: 0.1 }).field).toBe("margin");
  });

  // R: (qnorm(1 - alpha / 2) + qnorm(0.8))^2 times the sum of variance / share, over the squared effect.
  test("of unequal arms, several metrics and CUPED", () => {
    const rate = { baseline_rate: 0.1, mde: 0.2 };
    const uneven = ask({ ...rate, variants: undefined, weights: [90, 10] });
    // 22,683.26 users.
    expect(uneven).toMatchObject({ variants: 2, arms: [20_415, 2269], per_variant: 2269, total: 22_684 });
    const shared = ask({ ...rate, variants: undefined, weights: [50, 30, 20], metrics: 2 });
    // 19,737.45 users.
    expect(shared).toMatchObject({ variants: 3, arms: [9869, 5922, 3948], alpha_per_comparison: 0.0125 });
    const adjusted = ask({ mean: 20, standard_deviation: 10, power: 0.9, cuped_correlation: 0.6 });
    // By the noncentral t 674.4 users; 1,052 without CUPED.
    expect(adjusted).toMatchObject({ per_variant: 338, variance_factor: expect.closeTo(0.64, 12), clusters: null });
  });

  test("of clusters counts them, and takes the t-distribution of as many", () => {
    const clusters = { cluster_size: 30, cluster_size_cv: 0.4, icc: 0.05 };
    const mean = { standard_deviation: 8, mde: 1, relative: false, variants: undefined, weights: [60, 40] };
    // R: 5,697.87 users by uniroot over pt(..., ncp); 5,630 by the normal distribution.
    const size = ask({ ...mean, ...clusters });
    expect(size).toMatchObject({ arms: [3419, 2280], variance_factor: expect.closeTo(2.69, 12) });
    expect(size.clusters).toBe(114 + 76);
  });

  test("of a ratio has the variance of the delta method", () => {
    // 3 clicks in 2 sessions; the variance 1.140625 of variance.test.ts of core, and R: power.t.test with its root.
    const ratio = { mean: 3, standard_deviation: 2.5, denominator_mean: 2, denominator_standard_deviation: 1.5 };
    const size = ask({ ...ratio, denominator_correlation: 0.6 });
    expect(size).toMatchObject({
      metric_kind: "RATIO",
      baseline: 1.5,
      target: expect.closeTo(1.65, 12),
      per_variant: 797,
    });
  });

  test("of a quantile has the variance of its density", () => {
    // The 90 % quantile of a log-normal distribution, 3.6022, of variance 37.917: 2 x 7.8488797 x 37.917358 / 0.36022^2.
    const quantile = { mean: 3.6022244792792, quantile: 0.9, quantile_density: 0.048719432379074 };
    expect(ask(quantile)).toMatchObject({
      metric_kind: "QUANTILE",
      per_variant: 4588,
      relative_effect: expect.closeTo(0.1, 12),
    });
  });

  test("names the invalid field", () => {
    const effect = "The effect is too small to detect";
    const either = "Give either baseline_rate, or mean and standard_deviation";
    const ratio =
      "A ratio needs mean, standard_deviation, denominator_mean, denominator_standard_deviation, denominator_correlation";
    const rates = (more: Partial<SampleSizeQuestion>) => ({ baseline_rate: 0.1, ...more });
    const ofRatio = { mean: 1, standard_deviation: 1, denominator_standard_deviation: 1, denominator_correlation: 0 };
    const cases: [Partial<SampleSizeQuestion>, string, string][] = [
      [{}, "baseline_rate", either],
      [{ mean: 3 }, "baseline_rate", either],
      [{ baseline_rate: 0.1, mean: 3 }, "baseline_rate", either],
      [{ standard_deviation: 2 }, "mean", "A relative effect needs a mean that is not 0"],
      [{ standard_deviation: 2, mean: 0 }, "mean", "A relative effect needs a mean that is not 0"],
      [{ baseline_rate: 0.5, mde: 1 }, "mde", "The effect leads to a rate of 1, which is not between 0 and 1"],
      [{ baseline_rate: 0.5, mde: -1 }, "mde", "The effect leads to a rate of 0, which is not between 0 and 1"],
      [{ baseline_rate: 0.5, mde: 0 }, "mde", "The effect must not be 0"],
      [{ baseline_rate: 0.5, mde: 1e-9 }, "mde", effect],
      [{ baseline_rate: 0.5, mde: 1e-30 }, "mde", effect],
      [{ mean: 1e-300, standard_deviation: 1, mde: 1e-100 }, "mde", effect],
      [{ mean: 1, standard_deviation: 1e300 }, "mde", effect],
      [{ mean: 1e308, standard_deviation: 1, mde: 1 }, "mde", "The effect is too large"],
      [{ baseline_rate: 0.1, power: 0.05 }, "power", "Power must be above alpha"],
      [rates({ weights: [1, 1, 1] }), "weights", "Give a weight for each of the 2 arms, or leave out variants"],
      [rates({ weights: [1, 0] }), "weights", "An arm without weight gets no users: leave it out"],
      [rates({ icc: 0.1 }), "cluster_size", "Clusters need both cluster_size and icc"],
      [rates({ cluster_size: 9 }), "icc", "Clusters need both cluster_size and icc"],
      [rates({ cluster_size_cv: 1, icc: 0.1 }), "cluster_size", "Clusters need both cluster_size and icc"],
      [rates({ denominator_mean: 2 }), "baseline_rate", either],
      [{ mean: 1, standard_deviation: 1, denominator_mean: 2 }, "denominator_standard_deviation", ratio],
      [{ quantile: 0.5 }, "quantile_density", "A quantile needs both quantile and quantile_density"],
      [rates({ quantile: 0.5, quantile_density: 1 }), "baseline_rate", either],
      [
        { quantile: 0.5, quantile_density: 1, denominator_mean: 1 },
        "quantile",
        "A metric is either a quantile or a ratio",
      ],
      [
        { quantile: 0.5, quantile_density: 1, standard_deviation: 1 },
        "standard_deviation",
        "Give quantile_density in place of standard_deviation",
      ],
      [
        { quantile: 0.5, quantile_density: 1, cuped_correlation: 0.5 },
        "cuped_correlation",
        "Quantiles are not adjusted, so there is no cuped_correlation",
      ],
      [{ ...ofRatio, denominator_mean: 0 }, "denominator_mean", "The denominator must not be 0 on average"],
    ];
    for (const [question, field, message] of cases) {
      expect(complaint(question), JSON.stringify(question)).toEqual({ field, message });
    }
  });

  test("is a whole number of equal arms, or an error, for any input", () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    const share = fc.double({ min: 0, max: 1, minExcluded: true, maxExcluded: true, noNaN: true });
    const question = fc.record(
      {
        baseline_rate: share,
        mean: any,
        standard_deviation: fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
        mde: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
        relative: fc.boolean(),
        alpha: share,
        power: share,
        variants: fc.integer({ min: 2, max: 50 }),
        cuped_correlation: fc.double({ min: -1, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }),
        cluster_size: fc.double({ min: 1, max: 1e6, noNaN: true }),
        cluster_size_cv: fc.double({ min: 0, max: 1000, noNaN: true }),
        icc: fc.double({ min: 0, max: 1, noNaN: true }),
        denominator_mean: any,
        denominator_standard_deviation: fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
        denominator_correlation: fc.double({ min: -1, max: 1, minExcluded: true, maxExcluded: true, noNaN: true }),
        quantile: share,
        quantile_density: fc.double({ min: 0, minExcluded: true, noNaN: true, noDefaultInfinity: true }),
        daily_users: fc.integer({ min: 1, max: 1e9 }),
      },
      { requiredKeys: ["mde"] },
    );
    fc.assert(
      fc.property(question, (input) => {
        try {
          const answer = ask(input);
          const { per_variant, total, variants, days } = answer;
          const numbers = Object.values(answer).filter((value) => typeof value === "number");
          expect(numbers.every(Number.isFinite), JSON.stringify(answer)).toBe(true);
          expect(total).toBe(per_variant * variants);
          expect([per_variant, days ?? 1].every((number) => Number.isSafeInteger(number) && number >= 1)).toBe(true);
        } catch (error) {
          if (!(error instanceof SampleSizeError)) throw error;
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
