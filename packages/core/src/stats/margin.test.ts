import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnytimeOptions, compareArmsAnytime, compareProportionsAnytime } from "./anytime.ts";
import { compareProportions } from "./compare.ts";
import { compareArms } from "./decision.ts";
import {
  armMarginTest,
  armMarginTestAnytime,
  type MarginTest,
  proportionMarginTest,
  proportionMarginTestAnytime,
} from "./margin.ts";

type Counts = readonly [successes: number, n: number];
type Sums = readonly [n: number, value: number, variance: number];

const rate = ([successes, n]: Counts) => ({ successes, n });
const arm = ([n, value, variance]: Sums) => ({ n, value, variance });

/** Returns the p-values to ten digits. */
function expectTest({ aboveLower, belowUpper }: MarginTest, lower: number, upper: number): void {
  expect(aboveLower! / lower).toBeCloseTo(1, 10);
  expect(belowUpper! / upper).toBeCloseTo(1, 10);
}

const counts = fc
  .integer({ min: 2, max: 5000 })
  .chain((n) => fc.integer({ min: 0, max: n }).map((x): Counts => [x, n]));
const margins = fc.constantFrom(0.01, 0.05, 0.2, 0.9);
const sums = fc.tuple(
  fc.integer({ min: 10, max: 5000 }),
  fc.double({ min: -20, max: 20, noNaN: true }).filter((value) => Math.abs(value) > 0.1),
  fc.double({ min: 0.1, max: 9, noNaN: true }),
);

/** Returns whether a p-value is too near to the level to tell on which side rounding puts it. */
const isNear = (pValue: number | null, level: number) => pValue !== null && Math.abs(pValue / level - 1) < 1e-9;

// All reference numbers: mpmath with 40 digits. The rates at a ratio are the root of the likelihood's derivative, found by
// bisection, and the tails of Student's distribution are incomplete beta functions.
describe("proportionMarginTest", () => {
  it.each<[Counts, Counts, number, number, number]>([
    [[270, 5000], [220, 5000], 0.05, 0.0021848668211916, 0.95703821574237],
    [[200, 5000], [220, 5000], 0.1, 0.47766080834174, 0.025928580032295],
    [[5, 50], [10, 950], 0.2, 0.0005743461170644, 0.99786552148093],
    [[20_000, 100_000], [20_100, 100_000], 0.02, 0.044740101488496, 0.0028000990743285],
    [[0, 1000], [9, 9000], 0.5, 0.41590165354045, 0.24523973986576],
  ])("agrees with the reference on %j against %j and a margin of %d", (t, c, margin, lower, upper) => {
    expectTest(proportionMarginTest(rate(c), rate(t), margin), lower, upper);
  });

  it("finds what the interval of the lift shows", () => {
    fc.assert(
      fc.property(counts, counts, margins, fc.constantFrom(0.1, 0.05, 0.001), (t, c, margin, alpha) => {
        const { aboveLower, belowUpper } = proportionMarginTest(rate(c), rate(t), margin);
        const interval = compareProportions(rate(c), rate(t), { alpha }).relativeConfidenceInterval;
        if (interval === null || aboveLower === null || belowUpper === null) return;
        if (!isNear(aboveLower, alpha / 2)) expect(aboveLower < alpha / 2).toBe(interval[0] > -margin);
        if (!isNear(belowUpper, alpha / 2)) expect(belowUpper < alpha / 2).toBe(interval[1] < margin);
      }),
    );
  });

  it("has no answer without users or conversions", () => {
    const nothing = { aboveLower: null, belowUpper: null };
    expect(proportionMarginTest(rate([0, 10]), rate([0, 20]), 0.1)).toEqual(nothing);
    expect(proportionMarginTest(rate([1, 1]), rate([5, 20]), 0.1)).toEqual(nothing);
    expect(proportionMarginTest(rate([0, 0]), rate([5, 20]), 0.1)).toEqual(nothing);
  });

  it("shows that arms in which all users convert do not differ by half", () => {
    const { aboveLower, belowUpper } = proportionMarginTest(rate([100, 100]), rate([100, 100]), 0.5);
    expect(aboveLower).toBeLessThan(1e-6);
    expect(belowUpper).toBeLessThan(1e-6);
  });

  it.each([0, 1, -0.1, Number.NaN])("rejects a margin of %d", (margin) => {
    expect(() => proportionMarginTest(rate([1, 5]), rate([2, 5]), margin)).toThrow(RangeError);
    expect(() => proportionMarginTestAnytime(rate([1, 5]), rate([2, 5]), margin)).toThrow(RangeError);
    expect(() => armMarginTest(arm([9, 1, 1]), arm([9, 1, 1]), margin)).toThrow(RangeError);
    expect(() => armMarginTestAnytime(arm([9, 1, 1]), arm([9, 1, 1]), margin)).toThrow(RangeError);
  });
});

describe("armMarginTest", () => {
  it.each<[Sums, Sums, number, number, number]>([
    [[50, 2, 9], [950, 1, 4], 0.1, 0.0065961506867042, 0.99707298580109],
    [[500, 10, 9], [500, 10.1, 4], 0.05, 0.0054912951726783, 0.00012076272333609],
    [[8, 10, 1], [7, 10, 1], 0.2, 0.0021989704572503, 0.0044614271523115],
  ])("agrees with the reference on %j against %j and a margin of %d", (t, c, margin, lower, upper) => {
    expectTest(armMarginTest(arm(c), arm(t), margin), lower, upper);
  });

  it("takes the margin of the size of a negative control", () => {
    const test = armMarginTest(arm([500, -10.1, 4]), arm([500, -10, 9]), 0.05);
    expectTest(test, 0.00012076272333609, 0.0054912951726783);
  });

  it("finds only what the interval of the lift shows", () => {
    fc.assert(
      fc.property(sums, sums, margins, fc.constantFrom(0.1, 0.05, 0.001), (t, c, margin, alpha) => {
        const { aboveLower, belowUpper } = armMarginTest(arm(c), arm(t), margin, { alpha });
        const interval = compareArms(arm(c), arm(t), { alpha }).relativeConfidenceInterval;
        expect(aboveLower === null).toBe(interval === null);
        if (interval === null || isNear(aboveLower, alpha / 2) || isNear(belowUpper, alpha / 2)) return;
        if (aboveLower! < alpha / 2) expect(interval[0]).toBeGreaterThan(-margin);
        if (belowUpper! < alpha / 2) expect(interval[1]).toBeLessThan(margin);
      }),
    );
  });

  it("has no answer if the control may be 0, or an arm has four users", () => {
    const nothing = { aboveLower: null, belowUpper: null };
    expect(armMarginTest(arm([20, 0.1, 4]), arm([20, 2, 4]), 0.1)).toEqual(nothing);
    expect(armMarginTest(arm([20, 0, 4]), arm([20, 2, 4]), 0.1)).toEqual(nothing);
    expect(armMarginTest(arm([4, 10, 1]), arm([20, 10, 1]), 0.1)).toEqual(nothing);
    expect(armMarginTest(arm([20, 10, 0]), arm([20, 10, 0]), 0.1)).toEqual(nothing);
  });
});

describe("at any time", () => {
  it("agrees with the reference for rates", () => {
    const large = proportionMarginTestAnytime(rate([20_100, 100_000]), rate([20_000, 100_000]), 0.05);
    expectTest(large, 1.3559196605496e-5, 1.266879027067e-7);
    const [c, t] = [rate([220, 5000]), rate([270, 5000])];
    expectTest(proportionMarginTestAnytime(c, t, 0.3, { mixingVariance: 1e-4 }), 3.1292814638802e-8, 1);
    expectTest(proportionMarginTestAnytime(c, t, 0.05), 0.039705614281257, 1);
  });

  it("agrees with the reference for means", () => {
    const [c, t] = [arm([5000, 10.01, 4]), arm([5000, 10, 9])];
    expectTest(armMarginTestAnytime(c, t, 0.05), 1.0173171390788e-19, 4.4875812952844e-20);
    expectTest(armMarginTestAnytime(c, t, 0.02, { mixingVariance: 0.04 }), 0.0027415331302185, 0.00077477773117872);
  });

  it("finds what the interval of the lift at any time shows", () => {
    const options = fc.constantFrom<AnytimeOptions>({}, { tuningParameter: 200 }, { mixingVariance: 1e-3 });
    const agrees = (test: MarginTest, interval: readonly [number, number] | null, margin: number) => {
      if (interval === null || test.aboveLower === null || test.belowUpper === null) return;
      if (!isNear(test.aboveLower, 0.025)) expect(test.aboveLower < 0.025).toBe(interval[0] > -margin);
      if (!isNear(test.belowUpper, 0.025)) expect(test.belowUpper < 0.025).toBe(interval[1] < margin);
    };
    fc.assert(
      fc.property(counts, counts, margins, options, (t, c, margin, own) => {
        const { relativeConfidenceInterval } = compareProportionsAnytime(rate(c), rate(t), own);
        agrees(proportionMarginTestAnytime(rate(c), rate(t), margin, own), relativeConfidenceInterval, margin);
      }),
    );
    fc.assert(
      fc.property(sums, sums, margins, options, (t, c, margin, own) => {
        const { relativeConfidenceInterval } = compareArmsAnytime(arm(c), arm(t), own);
        agrees(armMarginTestAnytime(arm(c), arm(t), margin, own), relativeConfidenceInterval, margin);
      }),
    );
  });

  it("has no answer where the comparison has none", () => {
    const nothing = { aboveLower: null, belowUpper: null };
    expect(proportionMarginTestAnytime(rate([0, 0]), rate([1, 5]), 0.1)).toEqual(nothing);
    expect(proportionMarginTestAnytime(rate([0, 9]), rate([0, 5]), 0.1)).toEqual(nothing);
    expect(armMarginTestAnytime(arm([4, 10, 1]), arm([20, 10, 1]), 0.1)).toEqual(nothing);
    expect(armMarginTestAnytime(arm([20, 0.1, 4]), arm([20, 2, 4]), 0.1)).toEqual(nothing);
  });
});

/** Returns the exact probability that a treatment at the margin is found non-inferior. */
function falseNonInferiority([nc, nt]: readonly [number, number], control: number, margin: number): number {
  const binomial = (n: number, p: number) => {
    const odds = Math.log(p / (1 - p));
    let log = n * Math.log1p(-p);
    return Array.from({ length: n + 1 }, (_, k) => {
      if (k > 0) log += Math.log((n - k + 1) / k) + odds;
      return Math.exp(log);
    });
  };
  const [pc, pt] = [binomial(nc, control), binomial(nt, (1 - margin) * control)];
  let total = 0;
  for (const [xc, c] of pc.entries()) {
    for (const [xt, t] of pt.entries()) {
      if (c * t < 1e-12) continue;
      const { aboveLower } = proportionMarginTest(rate([xc, nc]), rate([xt, nt]), margin);
      if (aboveLower !== null && aboveLower < 0.025) total += c * t;
    }
  }
  return total;
}

describe("at the margin", () => {
  it.each<[readonly [number, number], number, number]>([
    [[100, 100], 0.5, 0.1],
    [[190, 10], 0.5, 0.1],
    [[380, 20], 0.05, 0.2],
    [[300, 300], 0.02, 0.2],
    [[760, 40], 0.005, 0.3],
  ])("%j users at a rate of %d and a margin of %d are found non-inferior in at most 2.5 %%", (users, p, margin) => {
    expect(falseNonInferiority(users, p, margin)).toBeLessThanOrEqual(0.025);
  });
});
