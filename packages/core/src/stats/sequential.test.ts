import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { alwaysValidRho, alwaysValidTest, mixtureTest, replayLooks } from "./sequential.ts";

const difference = fc.double({ min: -10, max: 10, noNaN: true });
const error = fc.double({ min: 1e-3, max: 10, noNaN: true });

describe("the sequential tests", () => {
  it("reject exactly when their interval leaves out zero", () => {
    fc.assert(
      fc.property(difference, error, fc.double({ min: 1e-4, max: 10, noNaN: true }), (d, se, mixing) => {
        const test = mixtureTest(d, se, mixing, { alpha: 0.1 });
        const [lower, upper] = test.confidenceInterval ?? [0, 0];
        fc.pre(Math.abs((test.pValue ?? 0) - 0.1) > 1e-9);
        expect((test.pValue ?? 1) < 0.1).toBe(lower > 0 || upper < 0);
        expect(test.pValue! >= 0 && test.pValue! <= 1).toBe(true);
        expect(lower <= d && d <= upper).toBe(true);
      }),
    );
  });

  it("are one kernel: always valid is the mixture test with variance rho^2 n se^2", () => {
    fc.assert(
      fc.property(difference, error, fc.integer({ min: 2, max: 1e6 }), (d, se, n) => {
        const mixing = alwaysValidRho() ** 2 * n * se ** 2;
        const [a, b] = [alwaysValidTest(d, se, n), mixtureTest(d, se, mixing)];
        expect(a.pValue).toBeCloseTo(b.pValue ?? Number.NaN, 10);
        expect(a.halfWidth! / b.halfWidth!).toBeCloseTo(1, 10);
      }),
    );
  });

  it("answer null without an error to judge by, and stay finite for any sizes", () => {
    const nothing = { logLikelihoodRatio: null, pValue: null, halfWidth: null, confidenceInterval: null };
    expect(mixtureTest(1, 0, 1)).toEqual(nothing);
    expect(mixtureTest(null, null, 1)).toEqual(nothing);
    expect(alwaysValidTest(0.1, null, 100)).toEqual(nothing);
    const size = fc.constantFrom(1e-320, 1e-200, 1e-10, 1, 1e100, 1e300);
    fc.assert(
      fc.property(size, size, size, (d, se, mixing) => {
        for (const test of [mixtureTest(d, se, mixing), alwaysValidTest(d, se, 100)]) {
          for (const value of Object.values(test).flat()) expect(value === null || Number.isFinite(value)).toBe(true);
        }
      }),
    );
  });

  it("only gain over the looks: p never rises and the interval never widens", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(difference, error), { maxLength: 20 }), (list) => {
        const { looks, firstRejection } = replayLooks(list.map(([d, se]) => mixtureTest(d, se, 1)));
        looks.forEach((look, i) => {
          const before = looks[i - 1];
          if (!before) return;
          expect(look.pValue!).toBeLessThanOrEqual(before.pValue!);
          if (!look.confidenceInterval || !before.confidenceInterval) return;
          expect(look.confidenceInterval[0]).toBeGreaterThanOrEqual(before.confidenceInterval[0]);
          expect(look.confidenceInterval[1]).toBeLessThanOrEqual(before.confidenceInterval[1]);
        });
        const first = looks.findIndex(({ significant }) => significant);
        expect(firstRejection).toBe(first < 0 ? null : first + 1);
      }),
    );
  });

  it("keep what was known through a look without data", () => {
    const { looks } = replayLooks([mixtureTest(5, 1, 1), mixtureTest(null, null, 1)]);
    expect(looks[1]).toEqual(looks[0]);
  });

  it("say so when no value is left in all intervals", () => {
    const { looks } = replayLooks([mixtureTest(50, 1, 1), mixtureTest(-50, 1, 1)]);
    expect(looks[1]).toMatchObject({ empty: true, confidenceInterval: null });
  });

  it("refuse a mixing variance that is not positive and an alpha that is no probability", () => {
    expect(() => mixtureTest(1, 1, 0)).toThrow(RangeError);
    expect(() => alwaysValidTest(1, 1, 0)).toThrow(RangeError);
    expect(() => replayLooks([], { alpha: 0 })).toThrow(RangeError);
  });
});

describe("a standard error", () => {
  it("must not be negative", () => {
    expect(() => mixtureTest(3, -1, 1)).toThrow("standardError must not be negative, got -1");
    expect(() => alwaysValidTest(3, -1, 100)).toThrow(RangeError);
    expect(mixtureTest(3, 0, 1).confidenceInterval).toBeNull();
  });
});
