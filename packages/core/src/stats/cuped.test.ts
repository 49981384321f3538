import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cupedRatioTest, cupedTest } from "./cuped.ts";
import { jointMomentsOf } from "./joint-moments.ts";
import { winsorBounds, winsorise } from "./winsorising.ts";

const user = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }));
const arm = fc.array(user, { minLength: 3, maxLength: 30 });
const momentsOfPairs = (rows: readonly (readonly [number, number])[]) =>
  jointMomentsOf(
    rows.map(([y]) => y),
    rows.map(([, x]) => x),
  );

describe("CUPED", () => {
  it("takes all variance out of an outcome that its covariate explains", () => {
    const explained = (shift: number) =>
      jointMomentsOf(
        [1, 2, 3, 5].map((x) => 2 * x + shift),
        [1, 2, 3, 5],
      );
    const test = cupedTest(explained(0), explained(0));
    expect(test.theta).toBeCloseTo(2, 12);
    expect(test.correlation).toBeCloseTo(1, 12);
    expect(test.varianceReductionPct).toBeCloseTo(100, 8);
  });

  it("changes nothing, and says so, where the covariate does not vary", () => {
    const flat = (values: number[]) =>
      jointMomentsOf(
        values,
        values.map(() => 7),
      );
    const test = cupedTest(flat([1, 2, 4]), flat([2, 5, 9]));
    expect(test).toMatchObject({ theta: 0, correlation: null, status: "ZERO_COVARIATE_VARIANCE" });
    expect(test.adjusted).toEqual(test.unadjusted);
    expect(test.varianceReductionPct).toBe(0);
  });

  it("gives the same adjusted test whatever the covariate's unit and origin", () => {
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        const plain = cupedTest(momentsOfPairs(a), momentsOfPairs(b));
        const moved = (rows: typeof a) => momentsOfPairs(rows.map(([y, x]) => [y, 4 * x + 100] as const));
        const other = cupedTest(moved(a), moved(b));
        fc.pre((plain.adjusted.standardError ?? 0) > 1e-6);
        expect(other.adjusted.pValue).toBeCloseTo(plain.adjusted.pValue ?? Number.NaN, 8);
        expect(other.theta * 4).toBeCloseTo(plain.theta, 10);
      }),
    );
  });

  it("answers null and says why for too few users", () => {
    const one = jointMomentsOf([1], [2]);
    expect(cupedTest(one, one)).toMatchObject({ varianceReductionPct: null, status: "INSUFFICIENT_DATA" });
    expect(cupedTest(one, jointMomentsOf([], []))).toMatchObject({ treatmentMean: null, status: "INSUFFICIENT_DATA" });
  });

  it("of ratios is CUPED of means where every denominator is 1", () => {
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        const ratio = (rows: typeof a) => {
          const ones = rows.map(() => 1);
          return jointMomentsOf(
            rows.map(([y]) => y),
            ones,
            rows.map(([, x]) => x),
            ones,
          );
        };
        const means = cupedTest(momentsOfPairs(a), momentsOfPairs(b));
        const ratios = cupedRatioTest(ratio(a), ratio(b));
        fc.pre((means.adjusted.standardError ?? 0) > 1e-6);
        expect(ratios.theta).toBeCloseTo(means.theta, 9);
        expect(ratios.adjusted.pValue).toBeCloseTo(means.adjusted.pValue ?? Number.NaN, 8);
      }),
    );
  });

  it("of ratios is the unadjusted test where nobody had an earlier denominator", () => {
    const control = jointMomentsOf([1, 2, 3], [1, 2, 1], [0, 0, 0], [0, 0, 0]);
    const treatment = jointMomentsOf([2, 2, 5], [1, 1, 2], [0, 0, 0], [0, 0, 0]);
    const test = cupedRatioTest(control, treatment);
    expect(test.status).toBe("ZERO_COVARIATE_VARIANCE");
    expect(test.adjusted).toEqual(test.unadjusted);
  });
});

describe("winsorising", () => {
  it("clips at type-7 quantiles of all arms together", () => {
    expect(
      winsorBounds(
        [
          [1, 2, 3],
          [4, 5],
        ],
        0.25,
        0.75,
      ),
    ).toEqual([2, 4]);
    expect(winsorBounds([[0, 10]], 0.1, 1)).toEqual([1, 10]);
    expect([...winsorise([0, 3, 99], [2, 4])]).toEqual([2, 3, 4]);
  });

  it("at 0 and 1 changes nothing", () => {
    const bounds = winsorBounds([[3, 1, 2]], 0, 1);
    expect(bounds).toEqual([1, 3]);
  });

  it("has no bounds without values, and refuses bounds in the wrong order", () => {
    expect(winsorBounds([[], []], 0.01, 0.99)).toBeNull();
    expect(() => winsorBounds([[1]], 0.5, 0.5)).toThrow(RangeError);
    expect(() => winsorBounds([[1]], -0.1, 0.5)).toThrow(RangeError);
  });
});
