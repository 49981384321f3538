import { betaCdf, chiSquareSf, momentsOf, normalCdf, varianceOf } from "@assay/core/stats";
import { describe, expect, it } from "vitest";
import { createRandom, type Random } from "./random.ts";

const DRAWS = 20_000;

/** Returns the p-value of draws against a distribution function, by the chi-square of twenty equal bins. */
function fit(draw: (random: Random) => number, cdf: (x: number) => number): number {
  const random = createRandom(7, "fit");
  const bins = new Array<number>(20).fill(0);
  for (let i = 0; i < DRAWS; i++) bins[Math.min(19, Math.floor(20 * cdf(draw(random))))]! += 1;
  const expected = DRAWS / 20;
  return chiSquareSf(
    bins.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0),
    19,
  );
}

describe("random numbers", () => {
  it("are the same for the same seed and stream, and others for another", () => {
    const draws = (seed: number, stream: string) => {
      const random = createRandom(seed, stream);
      return [random.uniform(), random.normal(), random.gamma(0.5), random.binomial(1000, 0.3)];
    };
    expect(draws(1, "a")).toEqual(draws(1, "a"));
    expect(draws(1, "a")).not.toEqual(draws(2, "a"));
    expect(draws(1, "a")).not.toEqual(draws(1, "b"));
  });

  it("follow their distributions", () => {
    expect(
      fit(
        (random) => random.uniform(),
        (x) => x,
      ),
    ).toBeGreaterThan(0.001);
    expect(fit((random) => random.normal(), normalCdf)).toBeGreaterThan(0.001);
    expect(
      fit(
        (random) => random.exponential(),
        (x) => -Math.expm1(-x),
      ),
    ).toBeGreaterThan(0.001);
    expect(
      fit(
        (random) => random.beta(2, 18),
        (x) => betaCdf(x, 2, 18),
      ),
    ).toBeGreaterThan(0.001);
    expect(
      fit(
        (random) => random.beta(0.5, 0.7),
        (x) => betaCdf(x, 0.5, 0.7),
      ),
    ).toBeGreaterThan(0.001);
  });

  it.each([
    [30, 0.2],
    [2000, 0.1],
    [5000, 0.97],
  ])("count %i trials of chance %f with the binomial's mean and variance", (n, p) => {
    const random = createRandom(7, "binomial");
    const moments = momentsOf(Array.from({ length: DRAWS }, () => random.binomial(n, p)));
    const variance = n * p * (1 - p);
    expect(Math.abs(moments.mean - n * p)).toBeLessThan(4 * Math.sqrt(variance / DRAWS));
    expect(Math.abs((varianceOf(moments) ?? 0) / variance - 1)).toBeLessThan(4 * Math.sqrt(2 / DRAWS));
  });

  it("count Poisson events with equal mean and variance", () => {
    const random = createRandom(7, "poisson");
    const moments = momentsOf(Array.from({ length: DRAWS }, () => random.poisson(2)));
    expect(Math.abs(moments.mean - 2)).toBeLessThan(4 * Math.sqrt(2 / DRAWS));
    expect(Math.abs((varianceOf(moments) ?? 0) / 2 - 1)).toBeLessThan(4 * Math.sqrt(2.5 / DRAWS));
  });
});
