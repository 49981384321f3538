import { describe, expect, it } from "vitest";
import { labelTilt } from "./label-tilt.ts";
import { risesByPermutation } from "./permutation.ts";
import { createRandom } from "./random.ts";
import { anytimeBoundary, critical, exactPValues, meanScores, rateScores } from "./rivals.ts";

const rate = (successes: number, n: number) => ({ successes, n });

describe("the tests that ours are compared with", () => {
  // scipy.stats.hypergeom: sf, cdf and pmf of the treatment's successes.
  it.each([
    { treatment: rate(0, 1000), control: rate(9, 9000), fisher: 0.7745309181496253, midP: 0.38726545907481263 },
    { treatment: rate(5, 50), control: rate(10, 950), fisher: 0.001050950339060012, midP: 0.0005665141590610205 },
    { treatment: rate(3, 4), control: rate(6, 40), fisher: 0.045170937967307784, midP: 0.023513638941886246 },
    { treatment: rate(270, 5000), control: rate(220, 5000), fisher: 0.023125190303993983, midP: 0.02059649542066945 },
  ])("are Fisher's test and mid-p: $fisher and $midP", ({ treatment, control, fisher, midP }) => {
    for (const found of [exactPValues(control, treatment), exactPValues(treatment, control)]) {
      expect(found.fisher / fisher).toBeCloseTo(1, 10);
      expect(found.midP / midP).toBeCloseTo(1, 10);
    }
  });

  it("are z of rates with one error and with two", () => {
    // By hand: 0.01 / sqrt(0.049 x 0.951 x 2 / 5000), and 0.01 / sqrt((0.054 x 0.946 + 0.044 x 0.956) / 5000).
    const { pooled, unpooled } = rateScores(rate(220, 5000), rate(270, 5000));
    expect(pooled).toBeCloseTo(2.3162301254, 9);
    expect(unpooled).toBeCloseTo(2.3168516953, 9);
  });

  it("are t of means with one variance and with two", () => {
    const arm = (n: number, mean: number, variance: number) => ({ n, mean, m2: variance * (n - 1), m3: 0 });
    // By hand: 1 / sqrt(9 / 50 + 4 / 950), and 1 / sqrt((49 x 9 + 949 x 4) / 998 x (1 / 50 + 1 / 950)).
    const { pooled, welch } = meanScores(arm(950, 1, 4), arm(50, 2, 9));
    expect(welch).toBeCloseTo(2.32992949, 8);
    expect(pooled).toBeCloseTo(3.3448977275, 9);
    // R: qt(0.975, 998).
    expect(critical(1000, 0.05)).toBeCloseTo(1.9623438462, 9);
  });

  it("are GrowthBook's boundary: mpmath, the square root of (1 + 1/g) (ln(1 + g) - 2 ln alpha)", () => {
    expect(anytimeBoundary(10_000, 0.05)).toBeCloseTo(3.0614772188674, 12);
  });

  it.each([
    // mpmath, the sum over the mixture with 40 digits.
    { control: rate(220, 5000), treatment: rate(270, 5000), evidence: 3.4716617398203 },
    { control: rate(31, 9000), treatment: rate(9, 1000), evidence: 2.1942788370178 },
  ])("are label tilts around a log lift of 0.2: $evidence", ({ control, treatment, evidence }) => {
    expect(labelTilt(control, treatment, 0.2)).toBeCloseTo(evidence, 10);
  });

  it("are permutations of Welch's t, one-sided", () => {
    const [low, high] = [
      [1, 2, 3, 4, 5, 6, 7, 8],
      [9, 10, 11, 12],
    ];
    const rises = (control: number[], treatment: number[], level: number) =>
      risesByPermutation(control, treatment, level, 399, createRandom(1, "permutations"));
    // One in 495 permutations is as high.
    expect(rises(low!, high!, 0.025)).toBe(true);
    expect(rises(high!, low!, 0.025)).toBe(false);
    // Half of the permutations are as high.
    expect(rises(low!, [3, 4, 5, 6], 0.025)).toBe(false);
    expect(rises(low!, [3, 4, 5, 6], 0.9)).toBe(true);
  });
});
