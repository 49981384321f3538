import { tTestPower } from "@assay/core/stats/planning";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SampleSizeError, type SampleSizeQuestion, toSampleSize } from "./sample-size.ts";

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

  test("names the invalid field", () => {
    const effect = "The effect is too small to detect";
    const either = "Give either baseline_rate, or mean and standard_deviation";
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
