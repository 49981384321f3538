import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EffectEstimate, effectLaw, MIN_EXPERIMENTS } from "./index.ts";

const of = (estimates: number[], errors: number[]): EffectEstimate[] =>
  estimates.map((estimate, index) => ({ estimate, standardError: errors[index]! }));

// Rubin's eight schools.
const SCHOOLS = of([28, 8, -3, 7, -1, 1, 18, 12], [15, 10, 16, 11, 9, 11, 10, 18]);
const LIFTS = of([0.048, 0.01, -0.02, 0.005, 0.03, 0.012], [0.015, 0.01, 0.02, 0.012, 0.01, 0.016]);

const effects = fc.array(
  fc.record({
    estimate: fc.double({ min: -1, max: 1, noNaN: true }),
    standardError: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { minLength: MIN_EXPERIMENTS, maxLength: 20 },
);

describe("the law of past effects", () => {
  // mpmath with 22 digits: adaptive quadrature over the spread, with flat priors on mean and spread.
  it.each([
    [SCHOOLS, [0], 11.40026087044, 8.341416237497, -2.105016400487, 31.623421906, 0.9505278682502, 0.1514820119906],
    [SCHOOLS, [2], 6.130746856933, 7.765167387818, -11.48226924223, 20.45918489404, 0.8229434344706, 1.028205909511],
    [
      SCHOOLS,
      [0, 4, 6],
      27.19366831053,
      14.88967070418,
      -0.6703460929273,
      58.17491730404,
      0.9720317826549,
      0.1498104914951,
    ],
    [
      LIFTS,
      [0],
      0.03331210300711,
      0.01439042766296,
      0.009205213266204,
      0.06377191240402,
      0.9981368079998,
      5.984865240693e-6,
    ],
    [
      LIFTS,
      [0, 4],
      0.05880375532228,
      0.01928131606605,
      0.02363996329002,
      0.09763916192867,
      0.9999008642096,
      3.096083620305e-7,
    ],
  ])(
    "shrinks each effect and sums of effects as the reference does (%#)",
    (past, places, mean, deviation, lower, upper, win, loss) => {
      const found = effectLaw(past)!.sumOf(places);
      const expected = [mean, deviation, lower, upper, win, loss];
      const numbers = [
        found.mean,
        found.standardDeviation,
        ...found.interval,
        found.chanceToWin,
        found.expectedLoss.ship,
      ];
      for (const [index, value] of numbers.entries()) {
        expect(Math.abs(value / expected[index]! - 1), `number ${index}`).toBeLessThan(1e-9);
      }
    },
  );

  it("tells the mean and the spread of true effects", () => {
    const [schools, lifts] = [effectLaw(SCHOOLS)!, effectLaw(LIFTS)!];
    expect(schools.mean).toBeCloseTo(7.932375018238, 9);
    expect(schools.standardDeviation).toBeCloseTo(6.575483346722, 9);
    expect(lifts.mean).toBeCloseTo(0.01578305034433, 11);
    expect(lifts.standardDeviation).toBeCloseTo(0.02101823654145, 11);
  });

  it("is unknown for fewer than five experiments", () => {
    expect(effectLaw(SCHOOLS.slice(0, 4))).toBeNull();
    expect(effectLaw(SCHOOLS.slice(0, 5))).not.toBeNull();
  });

  it("draws each effect from its estimate to the others, and keeps a precise one", () => {
    fc.assert(
      fc.property(effects, (past) => {
        const law = effectLaw(past)!;
        const estimates = past.map(({ estimate }) => estimate);
        const [least, most] = [Math.min(...estimates), Math.max(...estimates)];
        for (const place of past.keys()) {
          const { mean, interval, chanceToWin } = law.sumOf([place]);
          expect(mean >= least - 1e-9 && mean <= most + 1e-9).toBe(true);
          expect(interval[0] <= mean && mean <= interval[1]).toBe(true);
          expect(chanceToWin >= 0 && chanceToWin <= 1).toBe(true);
        }
      }),
      { numRuns: 20 },
    );
    const precise = effectLaw([...LIFTS.slice(1), { estimate: 0.05, standardError: 1e-6 }])!;
    expect(precise.sumOf([5]).mean).toBeCloseTo(0.05, 6);
  });

  it("moves with the estimates and scales with their unit", () => {
    fc.assert(
      fc.property(effects, fc.double({ min: 0.001, max: 1000, noNaN: true }), (past, unit) => {
        const changed = past.map(({ estimate, standardError }) => ({
          estimate: unit * (estimate + 3),
          standardError: unit * standardError,
        }));
        const [before, after] = [effectLaw(past)!.sumOf([0]), effectLaw(changed)!.sumOf([0])];
        expect(after.mean / unit - 3).toBeCloseTo(before.mean, 8);
        expect(after.interval[1] / unit - 3).toBeCloseTo(before.interval[1], 8);
        expect(after.standardDeviation / unit).toBeCloseTo(before.standardDeviation, 8);
      }),
      { numRuns: 20 },
    );
  });

  it("adds up: the mean of a sum is the sum of the means", () => {
    const law = effectLaw(SCHOOLS)!;
    const places = SCHOOLS.map((_, place) => place);
    const sum = places.reduce((total, place) => total + law.sumOf([place]).mean, 0);
    expect(law.sumOf(places).mean).toBeCloseTo(sum, 9);
  });

  it("refuses estimates and errors out of range", () => {
    for (const standardError of [0, -1, Number.NaN, Infinity, 1e-200, 1e200]) {
      expect(() => effectLaw([{ estimate: 1, standardError }])).toThrow(RangeError);
    }
    expect(() => effectLaw([{ estimate: Infinity, standardError: 1 }])).toThrow(RangeError);
  });
});
