import { describe, expect, it } from "vitest";
import { designEffect, quantileVariance, ratioVariance } from "./variance.ts";

describe("the design effect", () => {
  it("of 30 users a cluster, by hand: 1 + 29 x 0.05", () => {
    expect(designEffect({ size: 30, icc: 0.05 })).toBeCloseTo(2.45, 12);
  });

  it("grows where clusters differ in size: 1 + (1.16 x 30 - 1) x 0.05", () => {
    expect(designEffect({ size: 30, variation: 0.4, icc: 0.05 })).toBeCloseTo(2.69, 12);
  });

  it("is 1 where users of a cluster are no more alike than others, or alone", () => {
    expect(designEffect({ size: 30, icc: 0 })).toBe(1);
    expect(designEffect({ size: 1, icc: 1 })).toBe(1);
  });

  it.each([
    { size: 0.5, icc: 0.1 },
    { size: 2, icc: -0.1 },
    { size: 2, icc: 1.1 },
    { size: 2, icc: 0.1, variation: -1 },
  ])("refuses %j", (clusters) => {
    expect(() => designEffect(clusters)).toThrow(RangeError);
  });
});

describe("the variance of a ratio", () => {
  it("of 3 clicks in 2 sessions is that of the delta method", () => {
    // By hand: (6.25 - 2 x 1.5 x 0.6 x 2.5 x 1.5 + 2.25 x 2.25) / 4; numpy, 4,000 ratios of 2,000 users: 1.129.
    const variance = ratioVariance({ mean: 3, standardDeviation: 2.5 }, { mean: 2, standardDeviation: 1.5 }, 0.6);
    expect(variance).toBeCloseTo(1.140625, 12);
  });

  it("is 0 where every user has the same ratio", () => {
    expect(ratioVariance({ mean: 3, standardDeviation: 1.5 }, { mean: 2, standardDeviation: 1 }, 1)).toBe(0);
  });

  it("refuses a denominator of 0, negative deviations and impossible correlations", () => {
    const value = { mean: 1, standardDeviation: 1 };
    expect(() => ratioVariance(value, { mean: 0, standardDeviation: 1 }, 0)).toThrow(RangeError);
    expect(() => ratioVariance({ mean: 1, standardDeviation: -1 }, value, 0)).toThrow(RangeError);
    expect(() => ratioVariance(value, value, 1.5)).toThrow(/correlation/);
  });
});

describe("the variance of a quantile", () => {
  it("of the 90 % of a log-normal distribution", () => {
    // R: 0.9 * 0.1 / dlnorm(qlnorm(0.9))^2; numpy, 10,000 quantiles of 2,000 values: 37.3.
    expect(quantileVariance(0.9, 0.048719432379074)).toBeCloseTo(37.917358077076, 9);
  });

  it("of the median of an exponential distribution is 1, by hand: 0.25 / 0.5^2", () => {
    expect(quantileVariance(0.5, 0.5)).toBe(1);
  });

  it("refuses a quantile of 1 and no density", () => {
    expect(() => quantileVariance(1, 1)).toThrow(/quantile/);
    expect(() => quantileVariance(0.5, 0)).toThrow(/density/);
  });
});
