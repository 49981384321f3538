import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { periodSampleRatioTest, sampleRatioTest } from "./sample-ratio.ts";

describe("the sample-ratio test", () => {
  it("does not depend on the scale of the weights or the order of the arms", () => {
    const arms = fc.array(fc.record({ count: fc.nat(5000), weight: fc.integer({ min: 1, max: 9 }) }), { minLength: 2 });
    fc.assert(
      fc.property(arms, (list) => {
        const counts = list.map(({ count }) => count);
        const weights = list.map(({ weight }) => weight);
        const p = sampleRatioTest(counts, weights).pValue;
        expect(p >= 0 && p <= 1).toBe(true);
        expect(
          sampleRatioTest(
            counts,
            weights.map((w) => w * 16),
          ).pValue,
        ).toBe(p);
        expect(sampleRatioTest([...counts].reverse(), [...weights].reverse()).pValue).toBeCloseTo(p, 10);
      }),
    );
  });

  it("finds the real game experiment's split unusual, but not below the warning line", () => {
    const test = sampleRatioTest([44_700, 45_489], [0.5, 0.5]);
    expect(test.chiSquare).toBeCloseTo(6.9, 2);
    expect(test.pValue).toBeCloseTo(0.0086, 4);
    expect(test).toMatchObject({ df: 1, warning: false, expected: [45_094.5, 45_094.5] });
  });

  it("warns below a p-value of 0.001", () => {
    expect(sampleRatioTest([821_588, 815_482], [1, 1]).warning).toBe(true);
  });

  it("answers p = 1 without users and with a single arm", () => {
    expect(sampleRatioTest([0, 0], [1, 1])).toMatchObject({ pValue: 1, warning: false });
    expect(sampleRatioTest([10], [1])).toMatchObject({ pValue: 1, df: 0 });
  });

  it("leaves out arms without weight", () => {
    expect(sampleRatioTest([10, 3, 10], [1, 0, 1])).toMatchObject({ chiSquare: 0, df: 1, expected: [10, 0, 10] });
  });

  it("expects what each period's own weights say", () => {
    const test = periodSampleRatioTest([
      { observed: [50, 50], weights: [1, 1] },
      { observed: [10, 90], weights: [0.1, 0.9] },
    ]);
    expect(test).toMatchObject({ chiSquare: 0, pValue: 1 });
    expect(test.expected).toEqual([60, 140]);
  });

  it("refuses weights that are all zero or of another number than the arms", () => {
    expect(() => sampleRatioTest([1, 2], [0, 0])).toThrow(RangeError);
    expect(() => sampleRatioTest([1, 2], [1])).toThrow(RangeError);
  });
});
