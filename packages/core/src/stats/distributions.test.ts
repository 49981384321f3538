import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaCdf, betaQuantile, betaSf } from "./beta.ts";
import { chiSquareCdf, chiSquareQuantile, chiSquareSf } from "./chi-square.ts";
import { fCdf, fQuantile, fSf } from "./f.ts";
import { normalCdf, normalQuantile, normalSf } from "./normal.ts";
import { tCdf, tQuantile, tSf } from "./student-t.ts";

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
/** Shapes and degrees of freedom from tiny to a million. */
const shape = number(-1, 6).map((exponent) => 10 ** exponent);
const tail = fc.oneof(
  number(0.001, 0.999),
  number(-300, 0).map((exponent) => 10 ** exponent),
);

interface Distribution {
  name: string;
  cdf: (x: number) => number;
  sf: (x: number) => number;
  quantile: (p: number) => number;
  low: number;
  high: number;
}

const distribution: fc.Arbitrary<Distribution> = fc
  .record({ kind: fc.nat(4), a: shape, b: shape })
  .map(({ kind, a, b }) => {
    const all: Distribution[] = [
      { name: "normal", cdf: normalCdf, sf: normalSf, quantile: normalQuantile, low: -Infinity, high: Infinity },
      {
        name: `t(${a})`,
        cdf: (x) => tCdf(x, a),
        sf: (x) => tSf(x, a),
        quantile: (p) => tQuantile(p, a),
        low: -Infinity,
        high: Infinity,
      },
      {
        name: `chi-square(${a})`,
        cdf: (x) => chiSquareCdf(x, a),
        sf: (x) => chiSquareSf(x, a),
        quantile: (p) => chiSquareQuantile(p, a),
        low: 0,
        high: Infinity,
      },
      {
        name: `beta(${a}, ${b})`,
        cdf: (x) => betaCdf(x, a, b),
        sf: (x) => betaSf(x, a, b),
        quantile: (p) => betaQuantile(p, a, b),
        low: 0,
        high: 1,
      },
      {
        name: `F(${a}, ${b})`,
        cdf: (x) => fCdf(x, a, b),
        sf: (x) => fSf(x, a, b),
        quantile: (p) => fQuantile(p, a, b),
        low: 0,
        high: Infinity,
      },
    ];
    return all[kind]!;
  });

describe("every distribution", () => {
  it("has a quantile that its cdf turns back into the probability, far into the tail", () => {
    fc.assert(
      fc.property(distribution, tail, ({ cdf, quantile, low, high }, p) => {
        const x = quantile(p);
        // If the quantile itself leaves the range of doubles, or has no neighbours left, comparison is impossible.
        const distance = Math.min(Math.abs(x), high === 1 ? 1 - x : Number.MAX_VALUE);
        fc.pre(x > low && x < high && distance > 1e-6 && Math.abs(x) < 1e300);
        expect(Math.abs(Math.log(cdf(x) / p))).toBeLessThan(1e-7);
      }),
      { numRuns: 500 },
    );
  });

  it("divides the probability between both tails", () => {
    fc.assert(
      fc.property(distribution, number(0.001, 0.999), ({ cdf, sf, quantile }, p) => {
        const x = quantile(p);
        expect(cdf(x) + sf(x)).toBeCloseTo(1, 10);
      }),
    );
  });

  it("has a cdf that rises from 0 to 1", () => {
    fc.assert(
      fc.property(distribution, number(0.001, 0.5), number(0.5, 0.999), ({ cdf, quantile, low, high }, p, q) => {
        expect(cdf(quantile(p))).toBeLessThanOrEqual(cdf(quantile(q)) + 1e-12);
        expect([cdf(low), cdf(high)]).toEqual([0, 1]);
        expect([quantile(0), quantile(1)]).toEqual([low, high]);
      }),
    );
  });

  it("refuses what is no probability and what is no number", () => {
    fc.assert(
      fc.property(distribution, ({ cdf, quantile }) => {
        expect(() => quantile(1.1)).toThrow(RangeError);
        expect(() => quantile(Number.NaN)).toThrow(RangeError);
        expect(() => cdf(Number.NaN)).toThrow(RangeError);
      }),
    );
  });

  it("agrees with the others where one is a case of another", () => {
    fc.assert(
      fc.property(number(0.01, 5), shape, (x, df) => {
        expect(chiSquareSf(x * x, 1)).toBeCloseTo(2 * normalSf(x), 12);
        expect(fSf(x * x, 1, df)).toBeCloseTo(2 * tSf(x, df), 10);
        expect(tSf(x, 1)).toBeCloseTo(Math.atan2(1, x) / Math.PI, 12);
        expect(chiSquareSf(x, 2)).toBeCloseTo(Math.exp(-x / 2), 12);
      }),
    );
  });

  it("refuses degrees of freedom that are not positive", () => {
    expect(() => tSf(1, 0)).toThrow(/df/);
    expect(() => chiSquareCdf(1, -1)).toThrow(/df/);
    expect(() => fCdf(1, 1, 0)).toThrow(/df2/);
    expect(() => betaSf(0.5, 0, 1)).toThrow(/a must/);
  });
});
