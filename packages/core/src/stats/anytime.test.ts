import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnytimeOptions, compareMeansAnytime, compareProportionsAnytime } from "./anytime.ts";
import { momentsFromSums, momentsOf } from "./moments.ts";
import { alwaysValidTest, mixtureTest } from "./sequential.ts";

const rate = (successes: number, n: number) => ({ successes, n });
const sums = (n: number, mean: number, variance: number) =>
  momentsFromSums(n, n * mean, (n - 1) * variance + n * mean * mean);
const excludesZero = ([lower, upper]: [number, number]) => lower > 0 || upper < 0;

describe("compareProportionsAnytime", () => {
  // Computed with 40 digits: decisions-that-hold, reference numbers.
  it("agrees with the reference", () => {
    const test = compareProportionsAnytime(rate(220, 5000), rate(270, 5000));
    expect(Math.exp(test.logLikelihoodRatio!)).toBeCloseTo(3.03552916063, 10);
    expect(test.pValue).toBeCloseTo(1 / 3.03552916063, 11);
    expect(test.confidenceInterval![0]).toBeCloseTo(-0.00323722527146, 12);
    expect(test.confidenceInterval![1]).toBeCloseTo(0.0233362138208, 12);
  });

  const counts = fc.integer({ min: 2, max: 5000 }).chain((n) => fc.integer({ min: 0, max: n }).map((x) => rate(x, n)));
  const options = fc.constantFrom<AnytimeOptions>(
    {},
    { tuningParameter: 200 },
    { mixingVariance: 1e-4 },
    { alpha: 0.001 },
  );

  it("never contradicts its intervals", () => {
    fc.assert(
      fc.property(counts, counts, options, (c, t, own) => {
        const { pValue, confidenceInterval, relativeConfidenceInterval } = compareProportionsAnytime(c, t, own);
        if (pValue === null) return;
        const { alpha = 0.05 } = own;
        if (Math.abs(pValue / alpha - 1) < 1e-9) return;
        expect(excludesZero(confidenceInterval!)).toBe(pValue < alpha);
        if (relativeConfidenceInterval) expect(excludesZero(relativeConfidenceInterval)).toBe(pValue < alpha);
      }),
    );
  });

  it("bounds the lift where the mixing variance is large against a small arm", () => {
    // The variance of the difference grows with the square of the ratio, so that large ratios seemed possible.
    const test = compareProportionsAnytime(rate(143, 187), rate(415, 1144), { mixingVariance: 1e-4 });
    expect(test.pValue).toBeCloseTo(0.0463, 4);
    const [lower, upper] = test.relativeConfidenceInterval!;
    expect(lower).toBeCloseTo(-0.64, 2);
    expect(upper).toBeLessThan(0);
    // The lift of the other arm is its reciprocal.
    const [low, high] = compareProportionsAnytime(rate(415, 1144), rate(143, 187), { mixingVariance: 1e-4 })
      .relativeConfidenceInterval!;
    expect((1 + low) * (1 + upper)).toBeCloseTo(1, 9);
    expect((1 + high) * (1 + lower)).toBeCloseTo(1, 9);
  });

  it("is close to the mixture tests of a difference where both arms are large", () => {
    const [c, t] = [rate(20_000, 100_000), rate(20_600, 100_000)];
    const [difference, error] = [0.006, Math.sqrt(0.2 * 0.8e-5 + 0.206 * 0.794e-5)];
    const always = compareProportionsAnytime(c, t);
    expect(always.logLikelihoodRatio).toBeCloseTo(alwaysValidTest(difference, error, 200_000).logLikelihoodRatio!, 2);
    const mixed = compareProportionsAnytime(c, t, { mixingVariance: 4e-4 });
    const reference = mixtureTest(difference, error, 4e-4);
    expect(mixed.logLikelihoodRatio).toBeCloseTo(reference.logLikelihoodRatio!, 2);
    expect(mixed.confidenceInterval![0]).toBeCloseTo(reference.confidenceInterval![0], 4);
  });

  it("does not take the small variance of a small arm without successes for evidence", () => {
    // At 60 daily looks the same test on the unpooled standard error found a difference in up to 87 % of A/A runs.
    expect(compareProportionsAnytime(rate(38, 1900), rate(0, 100)).pValue).toBeGreaterThan(0.5);
  });

  it("is undefined without users or without an outcome that varies", () => {
    const nothing = { pValue: null, confidenceInterval: null, relativeConfidenceInterval: null };
    expect(compareProportionsAnytime(rate(0, 0), rate(1, 5))).toMatchObject(nothing);
    expect(compareProportionsAnytime(rate(1, 5), rate(0, 0))).toMatchObject(nothing);
    expect(compareProportionsAnytime(rate(0, 9), rate(0, 5))).toMatchObject(nothing);
    expect(compareProportionsAnytime(rate(9, 9), rate(5, 5))).toMatchObject(nothing);
  });

  it.each([{ alpha: 0 }, { alpha: 1 }, { tuningParameter: 0 }, { mixingVariance: 0 }, { mixingVariance: Infinity }])(
    "rejects %j",
    (own) => {
      expect(() => compareProportionsAnytime(rate(1, 5), rate(2, 5), own)).toThrow(RangeError);
      expect(() => compareMeansAnytime(sums(9, 1, 1), sums(9, 1, 1), own)).toThrow(RangeError);
    },
  );

  it("rejects more successes than users", () => {
    expect(() => compareProportionsAnytime(rate(6, 5), rate(2, 5))).toThrow(RangeError);
    expect(() => compareProportionsAnytime(rate(2, 5), rate(6, 5))).toThrow(RangeError);
  });
});

describe("compareMeansAnytime", () => {
  it("is the mixture test on the larger standard error", () => {
    const [c, t] = [sums(950, 1, 9), sums(50, 2, 4)];
    const pooled = Math.sqrt(((949 * 9 + 49 * 4) / 998) * (1 / 950 + 1 / 50));
    expect(compareMeansAnytime(c, t)).toMatchObject(alwaysValidTest(t.mean - c.mean, pooled, 1000));
    const own = Math.sqrt(4 / 950 + 9 / 50);
    const [d, u] = [sums(950, 1, 4), sums(50, 2, 9)];
    expect(compareMeansAnytime(d, u)).toMatchObject(alwaysValidTest(u.mean - d.mean, own, 1000));
    const mixing = compareMeansAnytime(d, u, { mixingVariance: 0.01, alpha: 0.01 });
    expect(mixing).toMatchObject(mixtureTest(u.mean - d.mean, own, 0.01, { alpha: 0.01 }));
  });

  it("gives an interval of the lift that agrees with that of the difference", () => {
    const wide = compareMeansAnytime(sums(950, 1, 4), sums(50, 2, 9));
    expect(excludesZero(wide.relativeConfidenceInterval!)).toBe(false);
    const narrow = compareMeansAnytime(sums(9500, 1, 4), sums(5000, 2, 9));
    expect(excludesZero(narrow.relativeConfidenceInterval!)).toBe(true);
    expect(narrow.relativeConfidenceInterval![0]).toBeLessThan(1);
    expect(narrow.relativeConfidenceInterval![1]).toBeGreaterThan(1);
  });

  it("needs five users in each arm and a variance", () => {
    const [four, five] = [momentsOf([1, 2, 3, 4]), momentsOf([1, 2, 3, 4, 5])];
    expect(compareMeansAnytime(four, five).pValue).toBeNull();
    expect(compareMeansAnytime(five, four).pValue).toBeNull();
    expect(compareMeansAnytime(five, five).pValue).toBe(1);
    const same = momentsOf([1, 1, 1, 1, 1]);
    expect(compareMeansAnytime(same, same).pValue).toBeNull();
  });
});
