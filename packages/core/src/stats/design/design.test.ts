import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { meanMarginSampleSize } from "../planning/margin-sample-size.ts";
import { meanSampleSize, proportionSampleSize } from "../planning/sample-size.ts";
import { type Design, designMinimumEffect, designPower } from "./design.ts";
import { designSampleSize } from "./sample-size.ts";

// All numbers: R, from (qnorm(1 - alpha / 2) + qnorm(power))^2 V / d^2 with V = sum of variance / share, and by uniroot over
// pt(..., ncp) where the t-distribution is named.
const rates = (options: object) => proportionSampleSize(0.1, 0.12, options);

describe("the users that a design needs", () => {
  it("with 90 % of users in control", () => {
    const size = designSampleSize(rates, { weights: [90, 10] });
    expect(size.totalExact).toBeCloseTo(22_683.262432269, 6);
    expect(size).toMatchObject({ arms: [20_415, 2269], total: 22_684, varianceFactor: 1, alphaPerComparison: 0.05 });
  });

  it("with several treatments, of which the smallest decides, and several metrics", () => {
    const weights = [0.5, 0.3, 0.2];
    const size = designSampleSize(rates, { weights });
    expect(size.totalExact).toBeCloseTo(16_823.915038998, 6);
    expect(size).toMatchObject({ arms: [8412, 5048, 3365], alphaPerComparison: 0.025 });
    const two = designSampleSize(rates, { weights, metrics: 2 });
    expect(two.totalExact).toBeCloseTo(19_737.452066915, 6);
  });

  it("with CUPED: 1 - rho^2 of the users", () => {
    const mean = (options: object) => meanSampleSize(2, 10, options);
    const design = { correlation: 0.6, power: 0.9 };
    const size = designSampleSize(mean, design);
    expect(size.totalExact).toBeCloseTo(672.4750759322, 8);
    expect(size.varianceFactor).toBeCloseTo(0.64, 12);
    expect(designSampleSize(mean, { ...design, distribution: "t" }).totalExact).toBeCloseTo(674.40136248483, 5);
  });

  it("with clusters, by the t-distribution of as many clusters", () => {
    const clusters = { size: 30, variation: 0.4, icc: 0.05 };
    const size = designSampleSize((options) => meanSampleSize(1, 8, options), { weights: [60, 40], clusters });
    expect(size.varianceFactor).toBeCloseTo(2.69, 12);
    expect(size.totalExact).toBeCloseTo(5697.8671798663, 4);
  });

  it("against a margin", () => {
    const margin = (options: object) => meanMarginSampleSize(50, 50, 20, 0.05, options);
    expect(designSampleSize(margin, { weights: [9, 1] }).totalExact).toBeCloseTo(5527.006689379, 6);
    const clusters = { size: 20, icc: 0.02 };
    const equivalence = designSampleSize(margin, { hypothesis: "EQUIVALENCE", clusters });
    expect(equivalence.totalExact).toBeCloseTo(3941.1175324116, 4);
  });

  it("is that of the plain sample size without a design", () => {
    const [effect, power] = [fc.double({ min: 0.002, max: 2, noNaN: true }), fc.constantFrom(0.5, 0.8, 0.95)];
    fc.assert(
      fc.property(effect, power, fc.integer({ min: 2, max: 5 }), (d, wanted, variants) => {
        const weights = Array.from({ length: variants }, () => 1);
        const sizeOf = (options: object) => meanSampleSize(d, 1, options);
        for (const distribution of ["normal", "t"] as const) {
          const plain = meanSampleSize(d, 1, { power: wanted, variants, distribution });
          const size = designSampleSize(sizeOf, { weights, power: wanted, distribution });
          expect(size.totalExact / (variants * plain.controlExact)).toBeCloseTo(1, 9);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the power of a design", () => {
  it("with unequal weights", () => {
    const variances = { control: 100, treatment: 100 };
    const design = { weights: [80, 20] };
    expect(designPower(1, variances, 3000, design)).toBeCloseTo(0.59133051144194, 10);
    expect(designMinimumEffect(variances, 3000, design)).toBeCloseTo(1.2787428506113, 10);
  });

  it("with clusters", () => {
    const design: Design = { weights: [60, 40], clusters: { size: 30, variation: 0.4, icc: 0.05 } };
    const variances = { control: 64, treatment: 64 };
    expect(designPower(1, variances, 10_000, design)).toBeCloseTo(0.96089279264097, 9);
    expect(designMinimumEffect(variances, 10_000, design)).toBeCloseTo(0.75288693478877, 8);
  });

  it("with 20 clusters finds 6 % less than the normal distribution promises", () => {
    const clusters = { size: 500, icc: 0.01 };
    const effect = designMinimumEffect({ control: 1, treatment: 1 }, 10_000, { clusters });
    // The normal distribution: 0.13713466317274.
    expect(effect).toBeCloseTo(0.14501971385074, 9);
  });

  it("of the users that it needs is the power that was asked for, and so is their minimum effect", () => {
    const design = fc.record({
      weights: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 4 }),
      correlation: fc.double({ min: -0.9, max: 0.9, noNaN: true }),
      clusters: fc.option(
        fc.record({
          size: fc.integer({ min: 1, max: 50 }),
          variation: fc.double({ min: 0, max: 1, noNaN: true }),
          icc: fc.double({ min: 0, max: 0.5, noNaN: true }),
        }),
        { nil: undefined },
      ),
      distribution: fc.constantFrom("normal" as const, "t" as const),
      metrics: fc.integer({ min: 1, max: 3 }),
      power: fc.double({ min: 0.7, max: 0.95, noNaN: true }),
    });
    const variances = { control: 1, treatment: 1 };
    fc.assert(
      fc.property(design, fc.double({ min: 0.05, max: 0.3, noNaN: true }), (one, effect) => {
        const { totalExact } = designSampleSize((options) => meanSampleSize(effect, 1, options), one);
        // The tail on the other side adds a little to the normal distribution's power.
        expect(designPower(effect, variances, totalExact, one)).toBeCloseTo(one.power, 4);
        expect(designMinimumEffect(variances, totalExact, one) / effect).toBeCloseTo(1, 4);
      }),
      { numRuns: 50 },
    );
  });

  it("without variance finds any effect", () => {
    const nothing = { control: 0, treatment: 0 };
    expect([designPower(1, nothing, 100), designMinimumEffect(nothing, 100)]).toEqual([1, 0]);
  });

  it.each<[Design, RegExp]>([
    [{ weights: [1] }, /number of weights/],
    [{ weights: [1, 0] }, /weight/],
    [{ correlation: 1 }, /correlation/],
    [{ metrics: 0 }, /metrics/],
    [{ power: 1 }, /power/],
    [{ alpha: 0 }, /alpha/],
    [{ clusters: { size: 100, icc: 0.1 } }, /df/],
  ])("refuses %j", (design, message) => {
    const variances = { control: 1, treatment: 1 };
    expect(() => designPower(1, variances, 200, design)).toThrow(RangeError);
    expect(() => designMinimumEffect(variances, 200, design)).toThrow(message);
  });
});
