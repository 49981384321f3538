import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type EffectEstimate, effectLaw, MIN_EXPERIMENTS } from "./index.ts";

const of = (estimates: number[], errors: number[]): EffectEstimate[] =>
  estimates.map((estimate, index) => ({ estimate, standardError: errors[index]! }));

// Rubin's eight schools and twelve more, and twenty lifts.
const SCHOOLS = of(
  [28, 8, -3, 7, -1, 1, 18, 12, 4, -6, 22, 9, 2, 15, -9, 6, 11, 0, 5, 13],
  [15, 10, 16, 11, 9, 11, 10, 18, 12, 14, 9, 13, 10, 17, 12, 8, 15, 11, 10, 14],
);
const LIFTS = of(
  [
    0.048, 0.01, -0.02, 0.005, 0.03, 0.012, -0.004, 0.018, 0.022, 0.001, -0.011, 0.035, 0.007, 0.015, -0.006, 0.026,
    0.003, 0.009, -0.015, 0.02,
  ],
  [
    0.015, 0.01, 0.02, 0.012, 0.01, 0.016, 0.008, 0.011, 0.02, 0.009, 0.014, 0.013, 0.007, 0.01, 0.012, 0.018, 0.006,
    0.011, 0.015, 0.009,
  ],
);

const effects = fc.array(
  fc.record({
    estimate: fc.double({ min: -1, max: 1, noNaN: true }),
    standardError: fc.double({ min: 0.01, max: 1, noNaN: true }),
  }),
  { minLength: MIN_EXPERIMENTS, maxLength: 30 },
);

describe("the law of past effects", () => {
  // mpmath with 22 digits: adaptive quadrature over the spread, with a flat prior on the mean and the half-Cauchy prior on
  // the spread. Intervals lie between the quantiles of 1.75 % and 98.25 %.
  it.each([
    [SCHOOLS, [0], 8.009718283918, 4.616646008454, -0.7813832313348, 20.12214135202, 0.9745970930236, 0.05435489135574],
    [SCHOOLS, [2], 6.324113357837, 4.448530123158, -4.521040918066, 15.73824472466, 0.9293458547056, 0.2286496043671],
    [
      SCHOOLS,
      [0, 4, 6],
      21.86792554149,
      9.467812059631,
      2.532235017248,
      43.28840096019,
      0.991074050213,
      0.03119770026589,
    ],
    [
      LIFTS,
      [0],
      0.01686045838691,
      0.009215283006363,
      0.002872402087766,
      0.04102127266227,
      0.9949533913171,
      1.15966491948e-5,
    ],
    [
      LIFTS,
      [0, 4],
      0.03280073408241,
      0.01429616451559,
      0.01032614208903,
      0.06814618759868,
      0.9997624020139,
      5.371605629053e-7,
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

  it("leaves 70 % of the tails that the level names outside an interval", () => {
    const law = effectLaw(LIFTS)!;
    // 70 % of the tails are 2.5 % on each side here, whose quantiles are the reference's.
    const [low, high] = law.sumOf([0], { credibleLevel: 1 - 0.05 / 0.7 }).interval;
    expect(low).toBeCloseTo(0.00368918537379, 11);
    expect(high).toBeCloseTo(0.03891073087476, 11);
    for (const credibleLevel of [0, 1, 1.1, -0.1, Number.NaN]) {
      expect(() => law.sumOf([0], { credibleLevel })).toThrow("credibleLevel must lie in (0, 1)");
    }
  });

  it("tells the mean and the spread of true effects", () => {
    const [schools, lifts] = [effectLaw(SCHOOLS)!, effectLaw(LIFTS)!];
    expect(schools.mean).toBeCloseTo(6.818219175396, 9);
    expect(schools.standardDeviation).toBeCloseTo(3.078798962942, 9);
    expect(lifts.mean).toBeCloseTo(0.00955252284991, 11);
    expect(lifts.standardDeviation).toBeCloseTo(0.006991046632854, 11);
  });

  it("is unknown for fewer than twenty experiments", () => {
    expect(effectLaw(SCHOOLS.slice(0, 19))).toBeNull();
    expect(effectLaw(SCHOOLS)).not.toBeNull();
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
    const precise = effectLaw([...LIFTS, { estimate: 0.05, standardError: 1e-6 }])!;
    expect(precise.sumOf([20]).mean).toBeCloseTo(0.05, 6);
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
