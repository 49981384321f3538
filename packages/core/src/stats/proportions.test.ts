import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newcombeInterval, twoProportionTest, wilsonInterval } from "./proportions.ts";

const arm = fc.integer({ min: 0, max: 500 }).chain((n) => fc.record({ n: fc.constant(n), successes: fc.nat(n) }));

describe("the test of two proportions", () => {
  it("keeps p in [0, 1] and every interval around its estimate, for any counts", () => {
    fc.assert(
      fc.property(arm, arm, (control, treatment) => {
        const test = twoProportionTest(control, treatment);
        if (test.pValue !== null) expect(test.pValue >= 0 && test.pValue <= 1).toBe(true);
        if (test.status !== "OK") expect(test).toMatchObject({ pValue: null, significant: false });
        for (const interval of [test.confidenceInterval, test.newcombeInterval]) {
          if (!interval) continue;
          expect(interval[0]).toBeLessThanOrEqual((test.difference ?? 0) + 1e-12);
          expect(interval[1]).toBeGreaterThanOrEqual((test.difference ?? 0) - 1e-12);
        }
      }),
    );
  });

  it("is the same test with the arms exchanged, up to the sign", () => {
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        expect(twoProportionTest(a, b).pValue).toBe(twoProportionTest(b, a).pValue);
      }),
    );
  });

  it("takes the pooled p-value and Newcombe's interval where neither arm varies", () => {
    const control = { successes: 0, n: 100 };
    const treatment = { successes: 100, n: 100 };
    const test = twoProportionTest(control, treatment);
    expect(test).toMatchObject({ variance: "pooled", status: "OK", significant: true, difference: 1 });
    expect(test.confidenceInterval).toEqual(newcombeInterval(control, treatment));
  });

  it("has nothing to test where every user did the same", () => {
    const none = { successes: 0, n: 50 };
    expect(twoProportionTest(none, none)).toMatchObject({ difference: 0, pValue: null, status: "ZERO_VARIANCE" });
  });

  it("calls fewer than two users no data", () => {
    const test = twoProportionTest({ successes: 1, n: 1 }, { successes: 2500, n: 5000 });
    expect(test).toMatchObject({ difference: -0.5, pValue: null, significant: false, status: "INSUFFICIENT_DATA" });
  });

  it("adds Newcombe's interval only for small counts", () => {
    expect(twoProportionTest({ successes: 4, n: 100 }, { successes: 20, n: 100 }).newcombeInterval).not.toBeNull();
    expect(twoProportionTest({ successes: 5, n: 100 }, { successes: 20, n: 100 }).newcombeInterval).toBeNull();
  });

  it("refuses more successes than users", () => {
    expect(() => twoProportionTest({ successes: 3, n: 2 }, { successes: 0, n: 2 })).toThrow(/control\.successes/);
  });
});

describe("Wilson's interval", () => {
  it("lies in [0, 1] and holds the proportion", () => {
    fc.assert(
      fc.property(arm, (proportion) => {
        const interval = wilsonInterval(proportion);
        expect(interval === null).toBe(proportion.n === 0);
        if (proportion.n === 0) return;
        const [lower, upper] = interval ?? [2, -2];
        expect(lower).toBeGreaterThanOrEqual(-1e-15);
        expect(upper).toBeLessThanOrEqual(1 + 1e-15);
        expect(lower).toBeLessThanOrEqual(proportion.successes / proportion.n);
        expect(upper).toBeGreaterThanOrEqual(proportion.successes / proportion.n);
      }),
    );
  });
});
