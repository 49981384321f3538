import { describe, expect, it } from "vitest";
import { meanMarginSampleSize, proportionMarginSampleSize } from "./margin-sample-size.ts";

// All sizes: mpmath with 30 digits; the rates at the margin are the root of the likelihood's derivative, by bisection.
describe("proportionMarginSampleSize", () => {
  it("is the size to show that a rate is not inferior", () => {
    const size = proportionMarginSampleSize(0.1, 0.1, 0.05);
    expect(size.controlExact).toBeCloseTo(53_707.858233458, 6);
    // In numpy, 200,000 experiments of this size by the score test without corrections: 80.0 % are found non-inferior.
    expect(size).toMatchObject({ control: 53_708, treatment: 53_708, total: 107_416, alphaPerComparison: 0.05 });
  });

  it("needs more users where a rise is the harm, as the ratio's variance grows with it", () => {
    const { controlExact } = proportionMarginSampleSize(0.1, 0.1, 0.05, { direction: "DECREASE" });
    expect(controlExact).toBeCloseTo(59_359.052124554, 6);
  });

  it("takes a treatment that is better, a power and unequal arms", () => {
    const { controlExact } = proportionMarginSampleSize(0.2, 0.22, 0.1, { power: 0.9, allocationRatio: 0.5 });
    expect(controlExact).toBeCloseTo(3000.051101986, 8);
  });

  it("shares the misses between both borders of equivalence", () => {
    const { controlExact } = proportionMarginSampleSize(0.1, 0.1, 0.05, { hypothesis: "EQUIVALENCE" });
    expect(controlExact).toBeCloseTo(79_473.8519265, 5);
  });

  it("divides alpha by the comparisons", () => {
    const three = proportionMarginSampleSize(0.1, 0.1, 0.05, { variants: 3 });
    const strict = proportionMarginSampleSize(0.1, 0.1, 0.05, { alpha: 0.025 });
    expect(three.controlExact).toBe(strict.controlExact);
    expect(three.total).toBe(3 * three.control);
  });

  it.each([
    [0.1, 0.095, 0.05, {}],
    [0.1, 0.09, 0.05, {}],
    [0.1, 0.111, 0.1, { direction: "DECREASE" }],
    [0.1, 0.12, 0.1, { hypothesis: "EQUIVALENCE" }],
    [0.1, 0.1, 0, {}],
    [0.1, 0.1, 1, {}],
    [0, 0.1, 0.1, {}],
    [0.1, 0.1, 0.1, { power: 1 }],
  ] as const)("rejects %d against %d with a margin of %d and %j", (baseline, treatment, margin, options) => {
    expect(() => proportionMarginSampleSize(baseline, treatment, margin, options)).toThrow(RangeError);
  });
});

describe("meanMarginSampleSize", () => {
  it("is the size to show that a mean is not inferior", () => {
    expect(meanMarginSampleSize(50, 50, 20, 0.05).controlExact).toBeCloseTo(955.67959645435, 8);
    expect(meanMarginSampleSize(-50, -50, 20, 0.05).controlExact).toBeCloseTo(1056.145257054, 8);
  });

  it("is the size to show that a mean is equivalent", () => {
    const { controlExact } = meanMarginSampleSize(50, 50, 20, 0.05, { hypothesis: "EQUIVALENCE" });
    expect(controlExact).toBeCloseTo(1413.8788471475, 8);
  });

  it("takes the distribution of the t-test if asked", () => {
    const size = meanMarginSampleSize(50, 50, 20, 0.05, { distribution: "t" });
    // One half of a user more, about z^2 / 4 for both arms together (Guenther).
    expect(size.controlExact - 955.67959645435).toBeCloseTo(1.959963985 ** 2 / 4, 1);
  });

  it.each([
    [0, 0, 1, 0.1, {}],
    [50, 47, 20, 0.05, {}],
    [50, 50, 0, 0.05, {}],
    [50, 50, 20, 0.05, { allocationRatio: 0 }],
  ])(
    "rejects a mean of %d against %d with deviation %d, margin %d and %j",
    (mean, treatment, deviation, margin, options) => {
      expect(() => meanMarginSampleSize(mean, treatment, deviation, margin, options)).toThrow(RangeError);
    },
  );
});
