import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { momentsOf } from "../moments.ts";
import { welchTest } from "../welch.ts";
import {
  comparePeriods,
  epsilonGreedyWeights,
  readyToUpdate,
  thompsonWeights,
  topTwoWeights,
  ucb1Weights,
  withFloor,
} from "./bandit.ts";
import { armProbabilities, betaPosterior, normalPosterior } from "./posterior.ts";

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const shape = fc.double({ min: 0.3, max: 2000, noNaN: true });
const rates = fc.array(fc.tuple(shape, shape), { minLength: 2, maxLength: 6 });
const arms = fc.array(fc.record({ n: fc.nat(5000), mean: fc.double({ min: 0, max: 1, noNaN: true }) }), {
  minLength: 1,
  maxLength: 6,
});

describe("the chance to be the best arm", () => {
  it("is shared out in full, and so is the second best's", () => {
    fc.assert(
      fc.property(rates, (list) => {
        const { best, secondBest } = armProbabilities(list.map(([a, b]) => betaPosterior(a, b)));
        expect(sum(best)).toBeCloseTo(1, 8);
        expect(sum(secondBest)).toBeCloseTo(1, 8);
      }),
    );
  });

  it("follows its arm, whatever the order", () => {
    fc.assert(
      fc.property(rates, (list) => {
        const forth = armProbabilities(list.map(([a, b]) => betaPosterior(a, b)));
        const back = armProbabilities([...list].reverse().map(([a, b]) => betaPosterior(a, b)));
        back.best.reverse().forEach((p, i) => {
          expect(p).toBeCloseTo(forth.best[i]!, 10);
        });
      }),
    );
  });

  it("is even between equal arms, of either kind and any size", () => {
    for (const posterior of [betaPosterior(3, 9), betaPosterior(1e6, 4e6), normalPosterior(10, 0.2)]) {
      for (const p of armProbabilities([posterior, posterior, posterior, posterior]).best)
        expect(p).toBeCloseTo(0.25, 9);
    }
  });

  it("is found for a wide posterior beside very narrow ones", () => {
    const { best } = armProbabilities([betaPosterior(1, 1), betaPosterior(5e5, 5e5)]);
    expect(best[0]).toBeCloseTo(0.5, 9);
  });

  it("refuses to compare rates with means", () => {
    expect(() => armProbabilities([betaPosterior(1, 1), normalPosterior(0, 1)])).toThrow(RangeError);
  });
});

describe("allocations", () => {
  it("are shares: not negative, one in all, never under the floor", () => {
    fc.assert(
      fc.property(arms, (list) => {
        const minWeight = 0.5 / list.length;
        const probabilities = armProbabilities(list.map(({ mean }) => normalPosterior(mean, 0.1)));
        for (const weights of [
          thompsonWeights(probabilities, { minWeight }),
          topTwoWeights(probabilities, { minWeight }),
          epsilonGreedyWeights(list, { minWeight }),
          ucb1Weights(list, { minWeight }),
        ]) {
          expect(sum(weights)).toBeCloseTo(1, 8);
          for (const weight of weights) expect(weight).toBeGreaterThanOrEqual(minWeight - 1e-12);
        }
      }),
    );
  });

  it("by epsilon-greedy leave epsilon to chance and share ties", () => {
    expect(
      epsilonGreedyWeights(
        [
          { n: 9, mean: 1 },
          { n: 9, mean: 3 },
        ],
        { epsilon: 0.2 },
      ),
    ).toEqual([0.1, 0.9]);
    const tied = [1, 2, 2].map((mean) => ({ n: 1, mean }));
    expect(epsilonGreedyWeights(tied, { epsilon: 0 })).toEqual([0, 0.5, 0.5]);
  });

  it("by UCB1 try an arm without users first, and prefer the less tried of equal arms", () => {
    const [tried = 1, fresh = 0] = ucb1Weights(
      [
        { n: 1000, mean: 0.1 },
        { n: 0, mean: 0 },
      ],
      { users: 1 },
    );
    expect(fresh).toBeGreaterThan(tried);
    const [often = 1, seldom = 0] = ucb1Weights(
      [
        { n: 2000, mean: 0.3 },
        { n: 500, mean: 0.3 },
      ],
      { users: 500 },
    );
    expect(seldom).toBeGreaterThan(often);
  });

  it("refuse a floor that leaves nothing to share out", () => {
    expect(withFloor([1, 0], { minWeight: 0.5 })).toEqual([0.5, 0.5]);
    expect(() => withFloor([1, 0], { minWeight: 0.6 })).toThrow(RangeError);
  });

  it("wait until every arm has its users", () => {
    expect(readyToUpdate([100, 100])).toBe(true);
    expect(readyToUpdate([5000, 99])).toBe(false);
    expect(readyToUpdate([])).toBe(false);
  });
});

describe("comparison over periods", () => {
  it("does not take a change over time for an effect of the arm", () => {
    // Both arms are equal within each period, but treatment got its users in the better one.
    const [low, high] = [momentsOf([0, 1, 0, 1]), momentsOf([10, 11, 10, 11])];
    const many = momentsOf([...new Array(40)].map((_, i) => 10 + (i % 2)));
    expect(comparePeriods([low, high], [low, many], [8, 44])).toMatchObject({ difference: 0, significant: false });
  });

  it("is Welch's t-test for a single period", () => {
    const [a, b] = [momentsOf([1, 2, 4]), momentsOf([3, 4, 7, 9])];
    expect(comparePeriods([a], [b], [7])).toEqual(welchTest(a, b));
  });

  it("leaves out periods with too few users, and is undefined without any other", () => {
    const [a, b, one] = [momentsOf([1, 2, 4]), momentsOf([3, 4, 7, 9]), momentsOf([5])];
    expect(comparePeriods([a, one], [b, b], [7, 5])).toEqual(welchTest(a, b));
    expect(comparePeriods([one], [b], [5])).toMatchObject({ pValue: null, status: "INSUFFICIENT_DATA" });
    expect(() => comparePeriods([a], [b], [])).toThrow(RangeError);
  });
});
