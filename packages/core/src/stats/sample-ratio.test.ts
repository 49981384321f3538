import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anytimeSampleRatioTest, periodSampleRatioTest, sampleRatioTest } from "./sample-ratio.ts";

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

describe("anytimeSampleRatioTest", () => {
  const one = (observed: number[], weights: number[], options?: { concentration?: number; threshold?: number }) =>
    anytimeSampleRatioTest([{ observed, weights }], options);

  // Computed with 40 digits: decisions-that-hold, reference numbers.
  it("agrees with the reference on the real game experiment", () => {
    const test = one([44_700, 45_489], [1, 1]);
    expect(Math.exp(test.logEvidence)).toBeCloseTo(3.1794919029525, 11);
    expect(test.pValue).toBeCloseTo(1 / 3.1794919029525, 12);
    expect(test.warning).toBe(false);
  });

  it("is the ratio of two Dirichlet-multinomial probabilities", () => {
    const logGamma = (n: number) => Array.from({ length: n - 1 }, (_, i) => Math.log(i + 1)).reduce((a, b) => a + b, 0);
    const [observed, prior] = [
      [7, 2, 3],
      [5, 3, 2],
    ];
    const expected =
      logGamma(10) -
      logGamma(22) +
      observed.reduce(
        (sum, n, i) => sum + logGamma(prior[i]! + n) - logGamma(prior[i]!) - n * Math.log(prior[i]! / 10),
        0,
      );
    expect(one(observed, prior, { concentration: 10 }).logEvidence).toBeCloseTo(expected, 11);
  });

  it("is 1 on average if the split is the configured one", () => {
    const binomial = (n: number, k: number) => {
      let value = 1;
      for (let i = 0; i < k; i++) value *= (n - i) / (i + 1);
      return value;
    };
    let mean = 0;
    for (let k = 0; k <= 30; k++) {
      const chance = binomial(30, k) * 0.3 ** k * 0.7 ** (30 - k);
      mean += chance * Math.exp(one([k, 30 - k], [3, 7], { concentration: 5 }).logEvidence);
    }
    expect(mean).toBeCloseTo(1, 12);
  });

  it("multiplies the evidence of periods with other weights", () => {
    const [a, b] = [
      { observed: [90, 110], weights: [1, 1] },
      { observed: [20, 100], weights: [1, 4] },
    ];
    const both = anytimeSampleRatioTest([a, b]).logEvidence;
    expect(both).toBeCloseTo(one(a.observed, a.weights).logEvidence + one(b.observed, b.weights).logEvidence, 12);
  });

  it("leaves arms of weight 0 out, and finds nothing without users or with one arm", () => {
    expect(one([50, 50, 70], [1, 1, 0]).logEvidence).toBeCloseTo(one([50, 50], [1, 1]).logEvidence, 12);
    expect(one([0, 0], [1, 1])).toEqual({ logEvidence: 0, pValue: 1, warning: false });
    expect(one([5, 9], [1, 0]).pValue).toBe(1);
    expect(anytimeSampleRatioTest([])).toEqual({ logEvidence: 0, pValue: 1, warning: false });
  });

  it("warns below its threshold", () => {
    const { pValue } = one([5200, 4800], [1, 1]);
    expect(one([5200, 4800], [1, 1], { threshold: pValue * 1.001 }).warning).toBe(true);
    expect(one([5200, 4800], [1, 1], { threshold: pValue * 0.999 }).warning).toBe(false);
    expect(one([6000, 4000], [1, 1]).warning).toBe(true);
    expect(one([6000, 4000], [3, 2]).warning).toBe(false);
  });

  it.each([
    [[1, -1], [1, 1], {}],
    [[1, 1], [1], {}],
    [[1, 1], [0, 0], {}],
    [[1, 1], [1, 1], { concentration: 0 }],
    [[1, 1], [1, 1], { threshold: 1 }],
  ])("rejects %j with weights %j and %j", (observed, weights, options) => {
    expect(() => one(observed, weights, options)).toThrow(RangeError);
  });
});
