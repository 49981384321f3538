import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeMoments, momentsFromSums, momentsOf, skewnessOf, varianceOf } from "./moments.ts";

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 });

describe("moments", () => {
  it("are the count, the mean and the sums of squared and cubed deviations", () => {
    expect(momentsOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ n: 8, mean: 5, m2: 32, m3: expect.closeTo(42, 12) });
  });

  it("of equal values have no variance at all, not even rounding", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.integer({ min: 2, max: 50 }), (value, n) => {
        expect(momentsOf(new Array(n).fill(value))).toEqual({ n, mean: expect.closeTo(value, 5), m2: 0, m3: 0 });
      }),
    );
  });

  it("do not depend on how the data was split before merging", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const whole = momentsOf([...a, ...b]);
        const merged = mergeMoments(momentsOf(a), momentsOf(b));
        expect(merged.n).toBe(whole.n);
        expect(Math.abs(merged.mean - whole.mean)).toBeLessThan(1e-8);
        expect(Math.abs(merged.m2 - whole.m2)).toBeLessThanOrEqual(1e-9 * (whole.m2 + 1));
      }),
    );
  });

  it("merge to the same whichever comes first", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        expect(mergeMoments(momentsOf(a), momentsOf(b))).toEqual(mergeMoments(momentsOf(b), momentsOf(a)));
      }),
    );
  });

  it("can be had from raw sums", () => {
    expect(momentsFromSums(8, 40, 232)).toEqual({ n: 8, mean: 5, m2: 32 });
    expect(momentsFromSums(0, 0, 0)).toEqual({ n: 0, mean: 0, m2: 0 });
  });

  it("from raw sums of a constant have no variance left over by rounding", () => {
    expect(momentsFromSums(3, 0.1 + 0.1 + 0.1, 3 * 0.1 * 0.1).m2).toBe(0);
  });

  it("of fewer than two users have no variance", () => {
    expect(varianceOf(momentsOf([3]))).toBeNull();
    expect(varianceOf(momentsOf([3, 5]))).toBe(2);
  });
});

describe("skewness", () => {
  const direct = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const power = (k: number) => values.reduce((sum, value) => sum + (value - mean) ** k, 0) / values.length;
    return power(3) / power(2) ** 1.5;
  };
  const list = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 2, maxLength: 30 });

  it("is that of the values, in one pass and merged", () => {
    fc.assert(
      fc.property(list, list, (a, b) => {
        const merged = mergeMoments(momentsOf(a), momentsOf(b));
        const whole = momentsOf([...a, ...b]);
        if (whole.m2 === 0) return;
        expect(skewnessOf(whole)).toBeCloseTo(direct([...a, ...b]), 8);
        expect(skewnessOf(merged)).toBeCloseTo(direct([...a, ...b]), 8);
      }),
    );
  });

  it("is not known from a sum of squares, and undefined without a variance", () => {
    expect(skewnessOf(momentsFromSums(3, 6, 14))).toBeNull();
    expect(skewnessOf(mergeMoments(momentsFromSums(3, 6, 14), momentsOf([1, 2])))).toBeNull();
    expect(skewnessOf(momentsOf([2, 2]))).toBeNull();
    // Nine users without and one with a purchase: (0.9^3 - 9 * 0.1^3) / (0.9^2 + 9 * 0.1^2)^1.5 * sqrt(10).
    expect(skewnessOf(momentsOf([0, 0, 0, 0, 0, 0, 0, 0, 0, 1]))).toBeCloseTo(8 / 3, 12);
  });
});
