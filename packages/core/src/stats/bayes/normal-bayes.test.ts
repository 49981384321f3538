import { describe, expect, it } from "vitest";
import { momentsOf } from "../moments.ts";
import { normalCdf } from "../normal.ts";
import { mixtureTest } from "../sequential.ts";
import { meanEstimate } from "../welch.ts";
import { normalBayesTest } from "./normal-bayes.ts";

const control = meanEstimate(momentsOf([1, 4, 2, 5, 3, 3]));
const treatment = meanEstimate(momentsOf([2, 5, 4, 6, 3, 7]));
const standardError = Math.sqrt((control.variance ?? 0) / 6 + (treatment.variance ?? 0) / 6);

describe("the Bayesian test of two means", () => {
  const test = normalBayesTest(control, treatment, 1);

  it("has the superiority of a normal difference", () => {
    expect(test?.probabilityOfSuperiority).toBeCloseTo(normalCdf(1.5 / standardError), 10);
  });

  it("shares its Bayes factor with the sequential test", () => {
    expect(test?.logBayesFactor).toBe(mixtureTest(1.5, standardError, 1).logLikelihoodRatio);
  });

  it("expects to lose the mean difference more with the one arm than with the other", () => {
    expect((test?.expectedLoss.control ?? 0) - (test?.expectedLoss.treatment ?? 0)).toBeCloseTo(1.5, 10);
  });

  it("is undefined where an arm does not vary or has too few users", () => {
    expect(normalBayesTest(meanEstimate(momentsOf([1, 1])), treatment, 1)).toBeNull();
    expect(normalBayesTest(meanEstimate(momentsOf([1])), treatment, 1)).toBeNull();
    expect(normalBayesTest(meanEstimate(momentsOf([])), treatment, 1)).toBeNull();
  });

  it("refuses a mixing variance that is not positive", () => {
    expect(() => normalBayesTest(control, treatment, 0)).toThrow(RangeError);
  });
});
