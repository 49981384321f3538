import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cochranQ, pooledEffect } from "./heterogeneity.ts";
import { noveltyTest } from "./novelty.ts";

const effect = fc.record({
  difference: fc.double({ min: -10, max: 10, noNaN: true }),
  standardError: fc.double({ min: 0.01, max: 10, noNaN: true }),
});

describe("the test of novelty", () => {
  it("recovers an effect that falls along ln(day)", () => {
    const days = Array.from({ length: 14 }, (_, i) => ({
      difference: 3 - 0.5 * Math.log(i + 1),
      standardError: 0.01 + 0.01 * (i % 3),
    }));
    const test = noveltyTest(days);
    expect(test.slope).toBeCloseTo(-0.5, 10);
    expect(test.significant).toBe(true);
    expect(test.lateMinusEarly.difference ?? 0).toBeLessThan(0);
  });

  it("sees no trend in a constant effect", () => {
    const test = noveltyTest(new Array(10).fill({ difference: 2, standardError: 0.3 }));
    expect(test.slope).toBeCloseTo(0, 12);
    expect(test.heterogeneity.q).toBeCloseTo(0, 12);
    expect(test.significant).toBe(false);
  });

  it("does not depend on the unit of the metric", () => {
    fc.assert(
      fc.property(fc.array(effect, { minLength: 2, maxLength: 20 }), (days) => {
        const scaled = days.map((day) => ({ difference: day.difference * 8, standardError: day.standardError * 8 }));
        const [plain, other] = [noveltyTest(days), noveltyTest(scaled)];
        expect(other.slopePValue!).toBeCloseTo(plain.slopePValue!, 9);
        expect(other.lateMinusEarly.pValue!).toBeCloseTo(plain.lateMinusEarly.pValue!, 9);
        expect(other.heterogeneity.pValue!).toBeCloseTo(plain.heterogeneity.pValue!, 9);
      }),
    );
  });

  it("counts days that are undefined, but leaves them out", () => {
    const none = { difference: null, standardError: null };
    const days = [1, 2, 3, 4].map((day) => ({ difference: Math.log(day), standardError: 1 }));
    expect(noveltyTest([days[0]!, none, days[2]!, days[3]!]).slope).toBeCloseTo(1, 10);
  });

  it("is undefined for fewer than two days", () => {
    for (const days of [[], [{ difference: 1, standardError: 1 }]]) {
      expect(noveltyTest(days)).toMatchObject({ slope: null, slopePValue: null, status: "INSUFFICIENT_DATA" });
    }
  });
});

describe("Cochran's Q", () => {
  it("does not depend on the order and keeps p in [0, 1]", () => {
    fc.assert(
      fc.property(fc.array(effect, { minLength: 2, maxLength: 20 }), (effects) => {
        const [forth, back] = [cochranQ(effects), cochranQ([...effects].reverse())];
        expect(forth.df).toBe(effects.length - 1);
        expect(forth.pValue! >= 0 && forth.pValue! <= 1).toBe(true);
        expect(back.pValue!).toBeCloseTo(forth.pValue!, 8);
      }),
    );
  });

  it("of two effects is the squared z of their difference", () => {
    const q = cochranQ([
      { difference: 1, standardError: 3 },
      { difference: 6, standardError: 4 },
    ]);
    expect(q.q).toBeCloseTo(1, 12);
  });

  it("needs two effects with an error", () => {
    const zero = { difference: 1, standardError: 0 };
    expect(cochranQ([zero, { difference: 1, standardError: 2 }])).toMatchObject({
      q: null,
      status: "INSUFFICIENT_DATA",
    });
    expect(cochranQ([{ difference: Number.NaN, standardError: 1 }]).pooled.difference).toBeNull();
    expect(pooledEffect([])).toEqual({ difference: null, standardError: null });
  });
});
