import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareMeans, compareProportions } from "./compare.ts";
import { momentsFromSums, momentsOf, skewnessOf } from "./moments.ts";
import { twoProportionTest } from "./proportions.ts";
import { tSf } from "./student-t.ts";
import { welchTest } from "./welch.ts";

type Counts = readonly [successes: number, n: number];

const rates = ([xt, nt]: Counts, [xc, nc]: Counts, alpha?: number) =>
  compareProportions({ successes: xc, n: nc }, { successes: xt, n: nt }, alpha === undefined ? {} : { alpha });

/** The logarithms ln k!, for k from 0. */
const logFactorials = [0];
const logFactorial = (k: number): number => {
  for (let i = logFactorials.length; i <= k; i++) logFactorials.push(logFactorials[i - 1]! + Math.log(i));
  return logFactorials[k]!;
};
const logChoose = (n: number, k: number) => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** Returns the probabilities of 0 to n successes that are not negligible. */
function binomial(n: number, p: number): number[] {
  const spread = Math.ceil(n * p + 12 * Math.sqrt(n * p) + 12);
  return Array.from({ length: Math.min(n, spread) + 1 }, (_, k) =>
    Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p)),
  );
}

/** Returns Fisher's exact p-value: twice the smaller tail of the hypergeometric distribution. */
function fisher([xt, nt]: Counts, [xc, nc]: Counts): number {
  const successes = xt + xc;
  const at = (x: number) => Math.exp(logChoose(nt, x) + logChoose(nc, successes - x) - logChoose(nt + nc, successes));
  let [lower, upper] = [0, 0];
  for (let x = Math.max(0, successes - nc); x <= Math.min(nt, successes); x++) {
    if (x <= xt) lower += at(x);
    if (x >= xt) upper += at(x);
  }
  return Math.min(1, 2 * Math.min(lower, upper));
}

/** Returns the exact probability that two arms with the same rate differ significantly. */
function falsePositiveRate(nt: number, nc: number, rate: number, alpha: number, significant = decides): number {
  const [pt, pc] = [binomial(nt, rate), binomial(nc, rate)];
  let total = 0;
  for (const [xt, t] of pt.entries()) {
    for (const [xc, c] of pc.entries()) if (t * c > 1e-12 && significant([xt, nt], [xc, nc], alpha)) total += t * c;
  }
  return total;
}
const decides = (t: Counts, c: Counts, alpha: number) => rates(t, c, alpha).pValue! < alpha;
const wald = ([xt, nt]: Counts, [xc, nc]: Counts, alpha: number) =>
  twoProportionTest({ successes: xc, n: nc }, { successes: xt, n: nt }, { alpha }).significant;

describe("compareProportions", () => {
  // Computed with 40 digits: decisions-that-hold, reference numbers.
  it.each<[Counts, Counts, number, number, number | null]>([
    [[0, 1000], [9, 9000], 0.755797268859, -1, 3.87922277087],
    [[5, 50], [10, 950], 0.00234744431388, 1.52078925399, 28.513999049],
    [[3, 4], [6, 40], 0.0576867408962, -0.063111007472, 15.230509001],
    [[20, 5000], [8, 5000], 0.0373774705225, 0.04889760768, 5.6538262647],
    [[270, 5000], [220, 5000], 0.0232202046916, 0.02774140542, 0.46691718082],
  ])("agrees with the reference on %j against %j", (t, c, pValue, lower, upper) => {
    const decision = rates(t, c);
    expect(decision.pValue).toBeCloseTo(pValue, 12);
    expect(decision.relativeConfidenceInterval![0]).toBeCloseTo(lower, 9);
    expect(decision.relativeConfidenceInterval![1] / upper!).toBeCloseTo(1, 10);
  });

  it("gives the reference interval of a difference", () => {
    const { confidenceInterval, difference, relativeDifference, assumption, status } = rates([270, 5000], [220, 5000]);
    expect(confidenceInterval![0]).toBeCloseTo(0.00134137392093, 13);
    expect(confidenceInterval![1]).toBeCloseTo(0.0187042556408, 13);
    expect([difference, relativeDifference]).toEqual([expect.closeTo(0.01, 14), expect.closeTo(10 / 44, 14)]);
    expect([assumption, status]).toEqual([null, "OK"]);
  });

  // The defect: an unpooled variance is nearly 0 where the small arm has no success.
  it("finds no difference between 0 of 1,000 and 9 of 9,000, which the unpooled z-test does", () => {
    expect(twoProportionTest({ successes: 9, n: 9000 }, { successes: 0, n: 1000 }).pValue).toBeLessThan(0.003);
    expect(rates([0, 1000], [9, 9000]).significant).toBe(false);
  });

  it.each([
    [9000, 1000, 0.001, 0.05],
    [950, 50, 0.02, 0.05],
    [95, 5, 0.05, 0.05],
    [40, 4, 0.05, 0.0005],
    [400, 400, 0.01, 0.05],
    [50, 50, 0.5, 0.05],
    [20, 980, 0.3, 0.005],
  ])("keeps its level at %i and %i users with a rate of %d and alpha %d, exactly", (nc, nt, rate, alpha) => {
    expect(falsePositiveRate(nt, nc, rate, alpha)).toBeLessThanOrEqual(alpha);
  });

  it("knows that the unpooled z-test does not keep it", () => {
    expect(falsePositiveRate(50, 950, 0.02, 0.05, wald)).toBeGreaterThan(0.3);
    expect(falsePositiveRate(5, 95, 0.05, 0.05, wald)).toBeGreaterThan(0.5);
  });

  it("is significant only where Fisher's exact test is", () => {
    for (const [nt, nc] of [
      [3, 17],
      [10, 10],
      [6, 30],
    ] as const) {
      for (let xt = 0; xt <= nt; xt++) {
        for (let xc = 0; xc <= nc; xc++) {
          for (const alpha of [0.1, 0.05, 0.01]) {
            if (decides([xt, nt], [xc, nc], alpha)) expect(fisher([xt, nt], [xc, nc])).toBeLessThanOrEqual(alpha);
          }
        }
      }
    }
  });

  const counts = fc
    .integer({ min: 2, max: 5000 })
    .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));

  it("never contradicts its intervals", () => {
    fc.assert(
      fc.property(counts, counts, fc.constantFrom(0.1, 0.05, 0.001), (t, c, alpha) => {
        const { pValue, significant, confidenceInterval, relativeConfidenceInterval } = rates(t, c, alpha);
        const excludes = ([lower, upper]: [number, number]) => lower > 0 || upper < 0;
        expect(significant).toBe(pValue! < alpha);
        if (Math.abs(pValue! / alpha - 1) < 1e-9) return;
        expect(excludes(confidenceInterval!)).toBe(significant);
        if (relativeConfidenceInterval) expect(excludes(relativeConfidenceInterval)).toBe(significant);
      }),
    );
  });

  it("is the same with the arms swapped, but for the sign", () => {
    fc.assert(
      fc.property(counts, counts, (t, c) => {
        const [one, other] = [rates(t, c), rates(c, t)];
        expect(one.pValue).toBeCloseTo(other.pValue!, 9);
        expect(one.confidenceInterval![0]).toBeCloseTo(-other.confidenceInterval![1], 9);
        expect(one.standardError).toBeCloseTo(other.standardError!, 12);
      }),
    );
  });

  it("contains the observed difference and lift in its intervals", () => {
    fc.assert(
      fc.property(counts, counts, (t, c) => {
        const { difference, confidenceInterval: interval } = rates(t, c);
        expect(interval![0]).toBeLessThanOrEqual(difference! + 1e-12);
        expect(interval![1]).toBeGreaterThanOrEqual(difference! - 1e-12);
        expect(interval![0]).toBeGreaterThanOrEqual(-1);
        expect(interval![1]).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("has no upper end of the lift without a success of the control", () => {
    expect(rates([5, 100], [0, 100])).toMatchObject({ relativeDifference: null, relativeConfidenceInterval: null });
    expect(rates([0, 100], [5, 100]).relativeConfidenceInterval![0]).toBe(-1);
  });

  it.each<[Counts, Counts]>([
    [
      [0, 10],
      [0, 20],
    ],
    [
      [10, 10],
      [20, 20],
    ],
  ])("has nothing to test if all users do the same: %j against %j", (t, c) => {
    expect(rates(t, c)).toMatchObject({ pValue: 1, significant: false, status: "ZERO_VARIANCE", difference: 0 });
  });

  it("tests arms without their own variance", () => {
    const decision = rates([10, 10], [0, 10]);
    expect(decision).toMatchObject({ status: "OK", difference: 1, significant: true });
    expect(decision.confidenceInterval![1]).toBe(1);
    expect(decision.pValue).toBeGreaterThanOrEqual(fisher([10, 10], [0, 10]));
  });

  it("needs two users in each arm", () => {
    expect(rates([1, 1], [1, 5])).toMatchObject({ status: "INSUFFICIENT_DATA", difference: 0.8, pValue: null });
    expect(rates([0, 0], [1, 5])).toMatchObject({ status: "INSUFFICIENT_DATA", difference: null });
    expect(rates([1, 2], [1, 2]).status).toBe("OK");
  });

  it("reports the larger of the unpooled and the pooled standard error", () => {
    expect(rates([0, 100], [10, 100]).standardError).toBeCloseTo(Math.sqrt(0.05 * 0.95 * 0.02), 14);
    expect(rates([1, 10], [500, 1000]).standardError).toBeCloseTo(Math.sqrt((501 / 1010) * (509 / 1010) * 0.101), 14);
    expect(rates([5, 10], [0, 1000]).standardError).toBeCloseTo(Math.sqrt(0.25 / 10), 14);
  });

  it.each([
    [{ successes: 2, n: 1 }, {}],
    [{ successes: -1, n: 1 }, {}],
    [{ successes: 1, n: 2 }, { alpha: 0 }],
    [{ successes: 1, n: 2 }, { alpha: 1 }],
  ])("rejects %j with %j", (arm, options) => {
    expect(() => compareProportions(arm, arm, options)).toThrow(RangeError);
  });
});

const sums = (n: number, mean: number, variance: number) =>
  momentsFromSums(n, n * mean, (n - 1) * variance + n * mean * mean);

describe("compareMeans", () => {
  const [control, treatment] = [sums(950, 1, 4), sums(50, 2, 9)];

  // scipy's ttest_ind and 40 digits: decisions-that-hold, reference numbers.
  it("takes the larger p-value of Welch's and the pooled t-test", () => {
    const decision = compareMeans(control, treatment);
    expect(decision.pValue).toBeCloseTo(0.0237800469765, 12);
    expect(decision.relativeConfidenceInterval![0]).toBeCloseTo(0.15557049985, 10);
    expect(decision.relativeConfidenceInterval![1]).toBeCloseTo(3.51463684187, 10);
    const welch = welchTest(control, treatment);
    expect(decision.df).toBeCloseTo(welch.df!, 9);
    expect(decision.standardError).toBeCloseTo(welch.standardError!, 12);
    // The small arm varies less here, so the pooled one is the larger.
    const pooled = compareMeans(sums(950, 1, 9), sums(50, 2, 4));
    expect(pooled.df).toBe(998);
    expect(pooled.standardError).toBeCloseTo(Math.sqrt(((949 * 9 + 49 * 4) / 998) * (1 / 950 + 1 / 50)), 12);
    expect(pooled.pValue).toBeGreaterThan(welchTest(sums(950, 1, 9), sums(50, 2, 4)).pValue!);
  });

  it("is Welch's test for arms of equal size and variance", () => {
    const [a, b] = [sums(100, 10, 4), sums(100, 10.5, 4)];
    const [decision, welch] = [compareMeans(a, b), welchTest(a, b)];
    expect(decision.pValue).toBeCloseTo(welch.pValue!, 12);
    expect(decision.confidenceInterval![0]).toBeCloseTo(welch.confidenceInterval![0], 12);
    expect(decision).toMatchObject({ status: "OK", significant: false, relativeDifference: expect.closeTo(0.05, 12) });
  });

  const values = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 5, maxLength: 40 });

  // Right-skewed, for 48 users; computed by `decide_means` of docs/statistics/cookie-cats.R, and by mpmath.
  const spend = [...Array.from({ length: 4 }, () => [4, 4, 4, 4, 4, 4, 5, 5, 6, 10]).flat()];
  const few = [4, 5, 5, 7, 13, 6, 4, 10];

  it("transforms Welch's t for a rise of the smaller arm of a right-skewed metric", () => {
    const [c, t] = [momentsOf(spend), momentsOf(few)];
    const rise = compareMeans(c, t);
    expect(rise.pValue).toBeCloseTo(0.104226403418273, 12);
    expect(rise.statistic).toBeCloseTo(1.834840815031061, 12);
    expect(rise.df).toBeCloseTo(7.9227313844256, 11);
    expect(rise.confidenceInterval).toEqual([
      expect.closeTo(-0.383429955546418, 11),
      expect.closeTo(4.4426598882883, 11),
    ]);
    expect(rise.relativeConfidenceInterval![0]).toBeCloseTo(-0.020292758391749, 11);
    expect(rise.standardError).toBe(welchTest(c, t).standardError);
  });

  it("does so whichever arm is the smaller, and for a metric that is skewed to the left", () => {
    const negative = (values: readonly number[]) => momentsOf(values.map((value) => -value));
    for (const decision of [
      compareMeans(momentsOf(few), momentsOf(spend)),
      compareMeans(negative(spend), negative(few)),
    ]) {
      expect(decision.pValue).toBeCloseTo(0.104226403418273, 12);
      expect(decision.confidenceInterval).toEqual([
        expect.closeTo(-4.4426598882883, 11),
        expect.closeTo(0.383429955546418, 11),
      ]);
    }
    const [lower, upper] = compareMeans(momentsOf(spend), momentsOf(few)).relativeConfidenceInterval!;
    const turned = compareMeans(negative(spend), negative(few)).relativeConfidenceInterval;
    expect(turned).toEqual([expect.closeTo(-upper, 12), expect.closeTo(-lower, 12)]);
  });

  it("has a p-value and a whole interval however large the difference is", () => {
    const [c, t] = [momentsOf(spend), momentsOf(few.map((value) => value + 1e6))];
    const welch = welchTest(c, t);
    const { pValue, confidenceInterval, difference } = compareMeans(c, t);
    expect(pValue).not.toBeNull();
    expect(pValue).toBeLessThan(1e-40);
    expect(confidenceInterval![1]).toBeCloseTo(welch.confidenceInterval![1], 6);
    expect(confidenceInterval![0]).toBeLessThan(difference! - 1);
    expect(confidenceInterval![0]).toBeGreaterThan(welch.confidenceInterval![0]);
  });

  it("takes the smaller of two skewnesses: by each arm's distribution, and by the common one", () => {
    // The smaller arm is hardly skewed here, so the correction is small, although the metric is skewed.
    const [c, t] = [momentsOf(spend), momentsOf([6, 7, 7, 8, 8, 8, 9, 7.5])];
    const welch = welchTest(c, t);
    expect(compareMeans(c, t).pValue).toBeGreaterThanOrEqual(welch.pValue!);
    // Both arms of one size: the common distribution does not skew the difference.
    const [a, b] = [momentsOf(spend.slice(0, 8)), momentsOf(few)];
    expect(compareMeans(a, b).pValue).toBe(welchTest(a, b).pValue);
  });

  it("takes the larger p-value against the skewness", () => {
    const fall = [4, 4, 4, 4, 4, 4, 4, 5];
    const [c, t] = [momentsOf(spend), momentsOf(fall)];
    const pooledError = Math.sqrt(((c.m2 + t.m2) / 46) * (1 / 40 + 1 / 8));
    expect(compareMeans(c, t).pValue).toBeCloseTo(2 * tSf((c.mean - t.mean) / pooledError, 46), 12);
    expect(compareMeans(c, t).pValue).toBeGreaterThan(10 * welchTest(c, t).pValue!);
  });

  it("finds more than Welch's test only along the skewness, and never contradicts its interval", () => {
    fc.assert(
      fc.property(values, values, fc.constantFrom(0.1, 0.05, 0.001), (c, t, alpha) => {
        const decision = compareMeans(momentsOf(c), momentsOf(t), { alpha });
        const welch = welchTest(momentsOf(c), momentsOf(t), { alpha });
        if (decision.status !== "OK") return;
        const isAlong = decision.pValue! < welch.pValue!;
        const both = skewnessOf(momentsOf([...c, ...t])) ?? 0;
        if (isAlong) expect(decision.difference! * both * (c.length - t.length)).toBeGreaterThan(0);
        const [lower, upper] = decision.confidenceInterval!;
        if (Math.abs(decision.pValue! / alpha - 1) < 1e-9) return;
        expect(lower > 0 || upper < 0).toBe(decision.significant);
        const [low, high] = welch.confidenceInterval!;
        // At least one end is that of the wider test.
        const reach = Math.max(decision.difference! - lower, upper - decision.difference!);
        expect(reach).toBeGreaterThanOrEqual(((high - low) / 2) * (1 - 1e-9));
      }),
    );
  });

  it("turns the lift's interval round where the control is negative", () => {
    const [positive, negative] = [compareMeans(control, treatment), compareMeans(sums(950, -1, 4), sums(50, -2, 9))];
    const [lower, upper] = positive.relativeConfidenceInterval!;
    expect(negative.relativeDifference).toBeCloseTo(-positive.relativeDifference!, 12);
    expect(negative.relativeConfidenceInterval).toEqual([expect.closeTo(-upper, 12), expect.closeTo(-lower, 12)]);
  });

  it("has as many digits at the ends of a tiny lift as in the lift itself", () => {
    // By decimals of 60 digits, from Fieller's equation.
    const ends = [-6.002806030625543e-9, -5.997194074080482e-9];
    const arm = (mean: number) => ({ n: 100, mean, m2: 1e-20 });
    const rise = compareMeans(arm(1), arm(0.999999994)).relativeConfidenceInterval!;
    const fall = compareMeans(arm(-1), arm(-0.999999994)).relativeConfidenceInterval!;
    for (const [index, end] of ends.entries()) {
      expect(rise[index]! / end).toBeCloseTo(1, 11);
      expect(-fall[1 - index]! / end).toBeCloseTo(1, 11);
    }
  });

  it("has the lift within its interval, however narrow that is", () => {
    const arm = fc.record({
      mean: fc.double({ min: -1e-6, max: 1e-6, noNaN: true }).map((lift) => 1 + lift),
      n: fc.integer({ min: 5, max: 200 }),
      m2: fc.double({ min: 1e-300, max: 1e-12, noNaN: true }),
    });
    fc.assert(
      fc.property(arm, arm, fc.constantFrom(0.05, 1 - 1e-12), (c, t, alpha) => {
        const { relativeDifference, relativeConfidenceInterval } = compareMeans(c, t, { alpha });
        const slack = 1e-12 * Math.abs(relativeDifference!);
        expect(relativeConfidenceInterval![0]).toBeLessThanOrEqual(relativeDifference! + slack);
        expect(relativeConfidenceInterval![1]).toBeGreaterThanOrEqual(relativeDifference! - slack);
      }),
    );
  });

  it("has no interval of the lift where the control may be zero", () => {
    expect(compareMeans(sums(20, 0.1, 4), sums(20, 2, 4))).toMatchObject({ relativeConfidenceInterval: null });
    expect(compareMeans(sums(20, 0, 4), sums(20, 2, 4)).relativeDifference).toBeNull();
  });

  it("has the same interval of the lift in any unit", () => {
    const { relativeConfidenceInterval } = compareMeans(control, treatment);
    for (const unit of [1e-100, 1e-50, 1e50, 1e100]) {
      const scaled = ({ n, mean, m2 }: typeof control) => ({ n, mean: unit * mean, m2: unit * unit * m2 });
      const own = compareMeans(scaled(control), scaled(treatment)).relativeConfidenceInterval!;
      expect(own).toEqual(relativeConfidenceInterval!.map((end) => expect.closeTo(end, 10)));
    }
  });

  it("needs five users in each arm", () => {
    const [four, five] = [momentsOf([1, 2, 3, 4]), momentsOf([1, 2, 3, 4, 5])];
    expect(compareMeans(four, five)).toMatchObject({ status: "INSUFFICIENT_DATA", difference: 0.5, pValue: null });
    expect(compareMeans(five, four)).toMatchObject({ status: "INSUFFICIENT_DATA", difference: -0.5 });
    expect(compareMeans(five, five)).toMatchObject({ status: "OK", pValue: 1 });
    expect(compareMeans(momentsOf([]), five)).toMatchObject({ status: "INSUFFICIENT_DATA", difference: null });
  });

  it("has nothing to test without a variance", () => {
    const [ones, twos] = [momentsOf([1, 1, 1, 1, 1]), momentsOf([2, 2, 2, 2, 2])];
    expect(compareMeans(ones, twos)).toMatchObject({
      status: "ZERO_VARIANCE",
      difference: 1,
      pValue: null,
      significant: false,
      relativeConfidenceInterval: null,
      assumption: null,
    });
  });

  it("has no numbers from values that overflow", () => {
    const huge = momentsOf([1e308, -1e308, 1e308, 0, 1]);
    const { difference, pValue, confidenceInterval, relativeConfidenceInterval } = compareMeans(huge, huge);
    for (const value of [difference, pValue, ...(confidenceInterval ?? []), ...(relativeConfidenceInterval ?? [])]) {
      expect(value === null || Number.isFinite(value)).toBe(true);
    }
  });

  it("assumes equal distributions below 30 squared skewnesses of users in the smaller arm", () => {
    // One payer of ten has skewness 8/3, so 30 skewness^2 = 213.3.
    const payers = (n: number) => momentsOf(Array.from({ length: n }, (_, user) => (user % 10 === 0 ? 1 : 0)));
    expect(compareMeans(payers(1000), payers(210)).assumption).toBe("EQUAL_DISTRIBUTIONS");
    expect(compareMeans(payers(210), payers(1000)).assumption).toBe("EQUAL_DISTRIBUTIONS");
    expect(compareMeans(payers(1000), payers(220)).assumption).toBeNull();
    // Sums of a warehouse do not tell the skewness.
    expect(compareMeans(sums(1000, 1, 1), sums(1000, 1, 1)).assumption).toBe("EQUAL_DISTRIBUTIONS");
  });
});
