import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bayesianDecision } from "./bayes.ts";
import { betaBinomialTest, ratePosterior } from "./beta-binomial.ts";

const arm = fc.integer({ min: 0, max: 400 }).chain((n) => fc.record({ n: fc.constant(n), successes: fc.nat(n) }));
const prior = fc.record({
  priorAlpha: fc.double({ min: 0.3, max: 5, noNaN: true }),
  priorBeta: fc.double({ min: 0.3, max: 5, noNaN: true }),
});

describe("the Bayesian test of two rates", () => {
  it("answers probabilities in [0, 1], losses of at least 0 and intervals around something, for any counts", () => {
    fc.assert(
      fc.property(arm, arm, prior, (control, treatment, options) => {
        const test = betaBinomialTest(control, treatment, options);
        const { credibleInterval, ropeProbability, mean } = test.difference;
        for (const p of [ropeProbability, test.probabilityOfSuperiority]) expect(p >= 0 && p <= 1).toBe(true);
        expect(credibleInterval[0]).toBeLessThan(credibleInterval[1]);
        expect(credibleInterval[0] >= -1 && credibleInterval[1] <= 1).toBe(true);
        expect(Number.isFinite(test.bayesFactor) && Number.isFinite(test.logBayesFactor)).toBe(true);
        // Either loss is the expected gain of the other arm, so their difference is the mean difference.
        expect(test.expectedLoss.control - test.expectedLoss.treatment).toBeCloseTo(mean, 8);
      }),
      { numRuns: 40 },
    );
  });

  it("turns around with the arms", () => {
    fc.assert(
      fc.property(arm, arm, (a, b) => {
        const forth = betaBinomialTest(a, b);
        const back = betaBinomialTest(b, a);
        expect(forth.probabilityOfSuperiority + back.probabilityOfSuperiority).toBeCloseTo(1, 8);
        expect(forth.logBayesFactor).toBeCloseTo(back.logBayesFactor, 9);
        expect(forth.difference.credibleInterval[0]).toBeCloseTo(-back.difference.credibleInterval[1], 7);
        expect(forth.expectedLoss.control).toBeCloseTo(back.expectedLoss.treatment, 8);
      }),
      { numRuns: 25 },
    );
  });

  it("agrees with what is known exactly without any data", () => {
    const test = betaBinomialTest({ n: 0, successes: 0 }, { n: 0, successes: 0 });
    // The difference of two uniform rates is triangular on [-1, 1].
    expect(test.difference.credibleInterval[1]).toBeCloseTo(1 - Math.sqrt(0.05), 8);
    expect(test.probabilityOfSuperiority).toBeCloseTo(0.5, 10);
    expect(test.expectedLoss.control).toBeCloseTo(1 / 6, 10);
    expect(test.logBayesFactor).toBeCloseTo(0, 12);
  });

  it("agrees with the exact sum for integer shapes", () => {
    // P(B > A) for A ~ Beta(2, 3), B ~ Beta(3, 2), summed by hand over the beta function.
    const test = betaBinomialTest({ successes: 1, n: 3 }, { successes: 2, n: 3 });
    expect(test.probabilityOfSuperiority).toBeCloseTo(53 / 70, 10);
  });

  it("finds the end of an interval beside a pole of the density", () => {
    const prior = { priorAlpha: 0.044613791977378844 };
    const { difference } = betaBinomialTest({ successes: 0, n: 201 }, { successes: 0, n: 37 }, prior);
    // R's integrate() and uniroot() give -0.002276925, with an error of about 1e-8 beside the pole.
    expect(difference.credibleInterval[0]).toBeCloseTo(-0.0022769, 7);
  });

  it("clamps a Bayes factor that no double holds", () => {
    const test = betaBinomialTest({ n: 3_000_000, successes: 300_000 }, { n: 3_000_000, successes: 400_000 });
    expect(test.logBayesFactor).toBeGreaterThan(700);
    expect(Number.isFinite(test.bayesFactor)).toBe(true);
    expect(test.decision).toBe("ACCEPT_ALTERNATIVE");
  });

  it("refuses counts, priors and levels out of range", () => {
    const one = { n: 1, successes: 1 };
    expect(() => betaBinomialTest({ n: 1, successes: 2 }, one)).toThrow(RangeError);
    expect(() => betaBinomialTest(one, one, { priorAlpha: -2 })).toThrow(RangeError);
    expect(() => betaBinomialTest(one, one, { credibleLevel: 1 })).toThrow(RangeError);
    expect(() => betaBinomialTest(one, one, { ropeLow: 1, ropeHigh: 0 })).toThrow(RangeError);
  });
});

describe("a rate's posterior", () => {
  it("has a highest-density interval no longer than the equal-tailed one", () => {
    fc.assert(
      fc.property(arm, prior, (counts, options) => {
        const { credibleInterval, highestDensityInterval, alpha, beta } = ratePosterior(counts, options);
        expect(highestDensityInterval === null).toBe(alpha <= 1 && beta <= 1);
        if (highestDensityInterval === null) return;
        const length = ([lower, upper]: [number, number]) => upper - lower;
        expect(length(highestDensityInterval)).toBeLessThanOrEqual(length(credibleInterval) + 1e-12);
      }),
    );
  });

  it("reaches to the end where the density does", () => {
    expect(ratePosterior({ n: 20, successes: 0 }).highestDensityInterval?.[0]).toBe(0);
    expect(ratePosterior({ n: 20, successes: 20 }).highestDensityInterval?.[1]).toBe(1);
  });
});

describe("the Bayesian decision", () => {
  const options = { ropeLow: -1, ropeHigh: 1, minimumBayesFactor: 10 };

  it("takes equivalence first, then the Bayes factor either way", () => {
    expect(bayesianDecision([-0.5, 1], 99, options)).toBe("ROPE_ACCEPT");
    expect(bayesianDecision([0, 2], Math.log(10), options)).toBe("ACCEPT_ALTERNATIVE");
    expect(bayesianDecision([0, 2], -Math.log(10), options)).toBe("ACCEPT_NULL");
    expect(bayesianDecision([0, 2], 1, options)).toBe("INCONCLUSIVE");
  });
});
