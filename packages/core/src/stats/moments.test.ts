import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mergeMoments, momentsFromSums, momentsOf, varianceOf } from "./moments.ts";

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { maxLength: 60 });

describe("moments", () => {
  it("are the count, the mean and the sum of squared deviations", () => {
    expect(momentsOf([2, 4, 4, 4, 5, 5, 7, 9])).toEqual({ n: 8, mean: 5, m2: 32 });
  });

  it("of equal values have no variance at all, not even rounding", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), fc.integer({ min: 2, max: 50 }), (value, n) => {
        expect(momentsOf(new Array(n).fill(value))).toEqual({ n, mean: expect.closeTo(value, 5), m2: 0 });
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
