import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalBayesTest } from "../bayes/index.ts";
import { effectPosterior, effectPriorTest } from "./index.ts";

// mpmath with 22 digits: products of normal densities, losses by quadrature. Estimate, standard error, prior mean and
// deviation; posterior mean, deviation, interval, chance to win, losses of shipping and keeping, log Bayes factor.
const REFERENCE = [
  [
    [0.048, 0.02, 0.01, 0.03],
    [0.036307692307692, 0.016641005886757, 0.0036919201031298, 0.068923464512255],
    [0.98543861853663, 8.5629672747069e-5, 0.036393321980439, 1.7352878864446],
  ],
  [
    [3, 1.25, 0, 1],
    [1.1707317073171, 0.78086880944303, -0.35974303584194, 2.7012064504761],
    [0.93309795458971, 0.022922969024064, 1.1936546763411, 0.87655431810634],
  ],
] as const;

const closeAll = (found: number[], expected: readonly number[]) => {
  for (const [index, value] of found.entries()) expect(value / expected[index]!).toBeCloseTo(1, 9);
};

describe("a normal prior on an effect", () => {
  it.each(REFERENCE)(
    "of estimate, error, prior %j gives the posterior",
    ([estimate, standardError, mean, sd], law, rest) => {
      const found = effectPosterior({ estimate, standardError }, { mean, standardDeviation: sd });
      const { ship, keep } = found.expectedLoss;
      closeAll([found.mean, found.standardDeviation, ...found.interval], law);
      closeAll([found.chanceToWin, ship, keep], rest);
    },
  );

  it.each(REFERENCE)("of estimate, error, prior %j compares two means", ([estimate, error, mean, sd], law, rest) => {
    const control = { value: 5, variance: 0.36 * error ** 2 * 100, n: 100 };
    const treatment = { value: 5 + estimate, variance: 0.64 * error ** 2 * 200, n: 200 };
    const found = effectPriorTest(control, treatment, { mean, standardDeviation: sd })!;
    closeAll([found.difference.mean], law);
    closeAll([...found.difference.credibleInterval], law.slice(2));
    const { treatment: ship, control: keep } = found.expectedLoss;
    closeAll([found.probabilityOfSuperiority, ship, keep, found.logBayesFactor], rest);
    expect(found.bayesFactor).toBeCloseTo(Math.exp(found.logBayesFactor), 12);
  });

  it("that is wide answers as the flat one", () => {
    const [control, treatment] = [
      { value: 5, variance: 4, n: 100 },
      { value: 5.5, variance: 4, n: 120 },
    ];
    const wide = effectPriorTest(control, treatment, { mean: 0, standardDeviation: 1e6 })!;
    const flat = normalBayesTest(control, treatment, 1)!;
    expect(wide.difference.mean).toBeCloseTo(flat.difference.mean, 9);
    expect(wide.difference.credibleInterval[0]).toBeCloseTo(flat.difference.credibleInterval[0], 9);
    expect(wide.probabilityOfSuperiority).toBeCloseTo(flat.probabilityOfSuperiority, 9);
    expect(wide.expectedLoss.treatment).toBeCloseTo(flat.expectedLoss.treatment, 9);
  });

  it("around 0 has the Bayes factor of the flat prior's test with that variance", () => {
    const [control, treatment] = [
      { value: 5, variance: 4, n: 100 },
      { value: 5.5, variance: 4, n: 120 },
    ];
    const own = effectPriorTest(control, treatment, { mean: 0, standardDeviation: 0.3 })!;
    expect(own.logBayesFactor).toBeCloseTo(normalBayesTest(control, treatment, 0.09)!.logBayesFactor, 12);
  });

  it("decides for equivalence inside the region, and is null without variance", () => {
    const [control, treatment] = [
      { value: 5, variance: 4, n: 10_000 },
      { value: 5, variance: 4, n: 10_000 },
    ];
    const prior = { mean: 0, standardDeviation: 0.1 };
    expect(effectPriorTest(control, treatment, prior, { ropeLow: -0.1, ropeHigh: 0.1 })).toMatchObject({
      decision: "ROPE_ACCEPT",
      difference: { ropeProbability: expect.closeTo(1, 3) },
    });
    expect(effectPriorTest({ ...control, variance: 0 }, treatment, prior)).toBeNull();
    expect(effectPriorTest({ ...control, variance: null }, treatment, prior)).toBeNull();
  });

  it("draws the estimate to its mean and narrows the interval, for any numbers", () => {
    const number = fc.double({ min: -10, max: 10, noNaN: true });
    const size = fc.double({ min: 0.001, max: 10, noNaN: true });
    fc.assert(
      fc.property(number, size, number, size, (estimate, standardError, mean, standardDeviation) => {
        const found = effectPosterior({ estimate, standardError }, { mean, standardDeviation });
        expect(found.mean).toBeGreaterThanOrEqual(Math.min(estimate, mean) - 1e-9);
        expect(found.mean).toBeLessThanOrEqual(Math.max(estimate, mean) + 1e-9);
        expect(found.standardDeviation).toBeLessThanOrEqual(Math.min(standardError, standardDeviation));
        expect(found.expectedLoss.keep - found.expectedLoss.ship).toBeCloseTo(found.mean, 9);
      }),
    );
  });

  it("refuses deviations and levels out of range", () => {
    const effect = { estimate: 1, standardError: 1 };
    expect(() => effectPosterior(effect, { mean: 0, standardDeviation: 0 })).toThrow(RangeError);
    expect(() => effectPosterior(effect, { mean: 0, standardDeviation: 1 }, { credibleLevel: 1 })).toThrow(RangeError);
  });
});
