import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Comparison } from "./comparison.ts";
import { mergeMoments, momentsOf } from "./moments.ts";
import { welchTest } from "./welch.ts";

const values = fc.array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { maxLength: 40 });
const whole = fc.array(fc.integer({ min: -1e6, max: 1e6 }), { maxLength: 40 });
const alpha = fc.double({ min: 0.001, max: 0.5, noNaN: true });

function numbersOf(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersOf) : [];
}

function expectSound(comparison: Comparison): void {
  for (const number of numbersOf(comparison)) expect(Number.isFinite(number)).toBe(true);
  const { pValue, confidenceInterval, difference } = comparison;
  if (pValue !== null) expect(pValue).toBeGreaterThanOrEqual(0);
  if (pValue !== null) expect(pValue).toBeLessThanOrEqual(1);
  if (confidenceInterval) {
    expect(confidenceInterval[0]).toBeLessThanOrEqual(difference ?? Number.NaN);
    expect(confidenceInterval[1]).toBeGreaterThanOrEqual(difference ?? Number.NaN);
  }
  if (comparison.status !== "OK") expect(comparison).toMatchObject({ pValue: null, significant: false });
}

describe("Welch's t-test", () => {
  it("never answers NaN or Infinity, a p-value outside [0, 1] or an interval without its estimate", () => {
    fc.assert(
      fc.property(values, values, alpha, (a, b, level) => {
        expectSound(welchTest(momentsOf(a), momentsOf(b), { alpha: level }));
      }),
    );
  });

  it("stays sound for values at the ends of the number range", () => {
    const extreme = fc.array(fc.constantFrom(0, 1e-320, -1e-200, 1e160, -1e308, 1e308, 5), { maxLength: 6 });
    fc.assert(fc.property(extreme, extreme, (a, b) => expectSound(welchTest(momentsOf(a), momentsOf(b)))));
  });

  it("is the same test with the arms exchanged, up to the sign", () => {
    fc.assert(
      fc.property(values, values, (a, b) => {
        const forth = welchTest(momentsOf(a), momentsOf(b));
        const back = welchTest(momentsOf(b), momentsOf(a));
        expect(back.pValue).toBe(forth.pValue);
        expect(back.standardError).toBe(forth.standardError);
        expect((back.difference ?? 0) + (forth.difference ?? 0)).toBe(0);
      }),
    );
  });

  it("does not depend on the unit of the metric", () => {
    fc.assert(
      fc.property(whole, whole, fc.constantFrom(0.125, 2, 1024), (a, b, unit) => {
        const plain = welchTest(momentsOf(a), momentsOf(b));
        const scaled = welchTest(momentsOf(a.map((v) => v * unit)), momentsOf(b.map((v) => v * unit)));
        expect(scaled.pValue).toBe(plain.pValue);
        expect(scaled.relativeDifference).toBe(plain.relativeDifference);
        expect(scaled.difference).toBe(plain.difference === null ? null : plain.difference * unit);
      }),
    );
  });

  it("does not depend on how an arm's data was split", () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const together = welchTest(momentsOf([...a, ...b]), momentsOf(c));
        const split = welchTest(mergeMoments(momentsOf(a), momentsOf(b)), momentsOf(c));
        if (together.status === "OK" && split.status === "OK" && (together.standardError ?? 0) > 1e-3) {
          expect(Math.abs((split.pValue ?? 2) - (together.pValue ?? 2))).toBeLessThan(1e-9);
        }
      }),
    );
  });

  it("excludes zero from the interval exactly when it is significant", () => {
    fc.assert(
      fc.property(values, values, alpha, (a, b, level) => {
        const test = welchTest(momentsOf(a), momentsOf(b), { alpha: level });
        if (test.confidenceInterval === null || Math.abs((test.pValue ?? 0) - level) < 1e-9) return;
        const [lower, upper] = test.confidenceInterval;
        expect(lower > 0 || upper < 0).toBe(test.significant);
      }),
    );
  });

  it("answers null and says why for fewer than two users", () => {
    expect(welchTest(momentsOf([]), momentsOf([1, 2]))).toMatchObject({
      difference: null,
      pValue: null,
      significant: false,
      status: "INSUFFICIENT_DATA",
    });
    expect(welchTest(momentsOf([1]), momentsOf([1, 2]))).toMatchObject({
      difference: 0.5,
      pValue: null,
      status: "INSUFFICIENT_DATA",
    });
  });

  it("answers the difference without a p-value where nothing varies", () => {
    expect(welchTest(momentsOf([1, 1, 1]), momentsOf([2, 2]))).toMatchObject({
      difference: 1,
      statistic: null,
      pValue: null,
      confidenceInterval: null,
      significant: false,
      status: "ZERO_VARIANCE",
    });
  });

  it("has no lift over a control of zero, while the difference still stands", () => {
    const test = welchTest(momentsOf([-1, 1]), momentsOf([1, 2, 4]));
    expect(test).toMatchObject({ relativeDifference: null, relativeConfidenceInterval: null, status: "OK" });
    expect(test.difference).toBeCloseTo(7 / 3, 12);
  });

  it("refuses an alpha that is no probability", () => {
    expect(() => welchTest(momentsOf([1, 2]), momentsOf([1, 3]), { alpha: 1 })).toThrow(RangeError);
  });
});
