import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exaggeration, selectedEstimate } from "./index.ts";

describe("an estimate that was selected", () => {
  // mpmath with 30 digits: the maximum of the conditional likelihood, and roots of the conditional distribution.
  it.each([
    [2, 0.05, 0.95, 0.50386754880591, -0.75492897850985, 2.2542857877875],
    [2.5, 0.05, 0.95, 1.1379207151254, -0.41865313226275, 4.3291065827936],
    [3.5, 0.05, 0.9, 3.3291409560598, 1.2343834716573, 5.1380641449711],
    [6, 0.01, 0.95, 5.9988605393826, 4.0063058852496, 7.9599633773517],
  ])("of %d standard errors at alpha %d is corrected", (z, alpha, credibleLevel, estimate, lower, upper) => {
    const found = selectedEstimate({ estimate: z, standardError: 1 }, { alpha, credibleLevel })!;
    expect(found.estimate).toBeCloseTo(estimate, 11);
    expect(found.interval[0]).toBeCloseTo(lower, 11);
    expect(found.interval[1]).toBeCloseTo(upper, 11);
  });

  it("is null if it was not significant", () => {
    expect(selectedEstimate({ estimate: 1.9, standardError: 1 })).toBeNull();
    expect(selectedEstimate({ estimate: -1.9, standardError: 1 })).toBeNull();
  });

  it("lies between 0 and the estimate, for either sign and any unit", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1.97, max: 50, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        (z, unit) => {
          const plain = selectedEstimate({ estimate: z, standardError: 1 })!;
          const turned = selectedEstimate({ estimate: -z * unit, standardError: unit })!;
          expect(plain.estimate > 0 && plain.estimate <= z + 1e-12).toBe(true);
          expect(turned.estimate / unit).toBeCloseTo(-plain.estimate, 9);
          expect(turned.interval[0] / unit).toBeCloseTo(-plain.interval[1], 9);
          expect(turned.interval[1] / unit).toBeCloseTo(-plain.interval[0], 9);
        },
      ),
    );
  });
});

describe("exaggeration", () => {
  // mpmath with 30 digits, by quadrature. The first is Gelman and Carlin's example (power 0.06, type S 0.24, type M 9.7 by simulation).
  it.each([
    [2, 8.1, 0.05, 0.057012940634877, 0.23961765445522, 9.5366275940744],
    [0.3, 0.1, 0.05, 0.85083876832706, 4.1433379003228e-7, 1.091003533625],
    [0.01, 0.02, 0.01, 0.020004460473822, 0.052467794189298, 5.8719770757739],
  ])("of an effect of %d with the standard error %d at alpha %d", (effect, error, alpha, power, wrongSign, factor) => {
    for (const sign of [1, -1]) {
      const found = exaggeration(sign * effect, error, { alpha });
      expect(found.power).toBeCloseTo(power, 11);
      expect(found.wrongSign).toBeCloseTo(wrongSign, 11);
      expect(found.factor).toBeCloseTo(factor, 10);
    }
  });

  it("of no effect has no factor, and the sign is a coin toss", () => {
    const { power, wrongSign, factor } = exaggeration(0, 1, { alpha: 0.1 });
    expect([power, wrongSign]).toEqual([expect.closeTo(0.1, 12), expect.closeTo(0.5, 12)]);
    expect(factor).toBeNull();
  });

  it("refuses errors and levels out of range", () => {
    expect(() => exaggeration(1, 0)).toThrow(RangeError);
    expect(() => exaggeration(1, 1, { alpha: 1 })).toThrow(RangeError);
    expect(() => selectedEstimate({ estimate: 3, standardError: 1 }, { credibleLevel: 1 })).toThrow(RangeError);
  });
});
