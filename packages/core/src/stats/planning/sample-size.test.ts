import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tTestPower } from "./noncentral-t.ts";
import { achievedPower } from "./power.ts";
import { meanSampleSize, proportionSampleSize, treatmentRate } from "./sample-size.ts";

const power = fc.double({ min: 0.5, max: 0.99, noNaN: true });
const effect = fc.double({ min: 0.1, max: 2, noNaN: true });

describe("the sample size", () => {
  it("for a mean gives the power that was asked for", () => {
    fc.assert(
      fc.property(effect, power, fc.constantFrom(0.5, 1, 2), (d, wanted, allocationRatio) => {
        const { controlExact: n } = meanSampleSize(d, 1, { power: wanted, allocationRatio });
        // The other tail, which the formula leaves out, can only add.
        const got = achievedPower(d, Math.sqrt(1 / n + 1 / (n * allocationRatio))) ?? 0;
        expect(got).toBeGreaterThanOrEqual(wanted - 1e-9);
        expect(got).toBeLessThan(wanted + 0.001);
      }),
    );
  });

  it("for a mean by the noncentral t gives exactly the power that was asked for", () => {
    fc.assert(
      fc.property(effect, power, (d, wanted) => {
        const { controlExact: n } = meanSampleSize(d, 1, { power: wanted, distribution: "t" });
        expect(tTestPower(2 * n - 2, d * Math.sqrt(n / 2))).toBeCloseTo(wanted, 8);
        expect(n).toBeGreaterThan(meanSampleSize(d, 1, { power: wanted }).controlExact);
      }),
      { numRuns: 20 },
    );
  });

  it("for a mean by the noncentral t needs no search for many users, and meets the search's", () => {
    for (const [alpha, allocationRatio] of [
      [0.05, 1],
      [0.001, 3],
    ] as const) {
      const options = { alpha, allocationRatio, distribution: "t" } as const;
      // The effect for which the z-test needs just over 100,000 users.
      const { controlExact } = meanSampleSize(1, 1, { ...options, distribution: "normal" });
      const effect = Math.sqrt((controlExact * (1 + allocationRatio)) / 100_001);
      const beyond = meanSampleSize(effect, 1, options).controlExact;
      const within = meanSampleSize(effect * (1 + 2e-5), 1, options).controlExact;
      expect(beyond).toBeCloseTo(within * (1 + 2e-5) ** 2, 2);
    }
    // By mpmath.
    expect(meanSampleSize(1e-7, 1, { distribution: "t" }).controlExact / 1_569_772_101_865_240.5).toBeCloseTo(1, 13);
    expect(meanSampleSize(1, 1e300, { distribution: "t" }).control).toBe(Number.POSITIVE_INFINITY);
    expect(meanSampleSize(1e6, 5e-324, { distribution: "t", alpha: 1e-323 }).control).toBe(2);
  });

  it("for a rate gives the power that was asked for", () => {
    const { controlExact: n } = proportionSampleSize(0.1, 0.12, { power: 0.9, alpha: 0.01 });
    const standardError = Math.sqrt((0.1 * 0.9 + 0.12 * 0.88) / n);
    expect(achievedPower(0.02, standardError, { alpha: 0.01 })).toBeCloseTo(0.9, 6);
  });

  it("is the same for a rise and a fall of a mean, and divides alpha between comparisons", () => {
    expect(meanSampleSize(-0.2, 1)).toEqual(meanSampleSize(0.2, 1));
    const four = meanSampleSize(0.2, 1, { variants: 4, alpha: 0.06 });
    expect(four.alphaPerComparison).toBeCloseTo(0.02, 15);
    expect(four.total).toBe(four.control + 3 * four.treatment);
  });

  it("takes an effect absolute or relative", () => {
    expect(treatmentRate(0.2, 0.1, "relative")).toBeCloseTo(0.22, 15);
    expect(treatmentRate(0.2, 0.1, "absolute")).toBeCloseTo(0.3, 15);
  });

  it("refuses no effect, rates that are none, and options out of range", () => {
    expect(() => meanSampleSize(0, 1)).toThrow(RangeError);
    expect(() => meanSampleSize(1, 0)).toThrow(RangeError);
    expect(() => proportionSampleSize(0.2, 0.2)).toThrow(RangeError);
    expect(() => proportionSampleSize(0.9, 1.1)).toThrow(/treatmentRate/);
    expect(() => meanSampleSize(1, 1, { variants: 1 })).toThrow(RangeError);
    expect(() => meanSampleSize(1, 1, { power: 1 })).toThrow(RangeError);
  });
});

describe("the power of a t-test", () => {
  it("without an effect is alpha, for few and for many degrees of freedom", () => {
    for (const df of [1, 2.5, 30, 1e6]) expect(tTestPower(df, 0, { alpha: 0.03 })).toBeCloseTo(0.03, 10);
  });

  it("approaches the z-test's", () => {
    expect(tTestPower(1e6, 2.5)).toBeCloseTo(achievedPower(2.5, 1) ?? 0, 5);
  });
});
