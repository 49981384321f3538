import { expect, test } from "vitest";
import { betaBinomialTest, rateDifferenceDensity } from "./beta-binomial.ts";

test("the difference of two uniform rates has a triangular density", () => {
  const uniform = { alpha: 1, beta: 1 };
  const density = rateDifferenceDensity(uniform, uniform);
  for (const d of [-0.9, -0.5, 0.001, 0.25, 0.9]) expect(density(d)).toBeCloseTo(1 - Math.abs(d), 6);
  for (const d of [-1, 1, -2, 2]) expect(density(d)).toBe(0);
});

test("the density of a difference has the probability of the comparison above 0", () => {
  const [control, treatment] = [
    { n: 400, successes: 40 },
    { n: 300, successes: 39 },
  ];
  const density = rateDifferenceDensity({ alpha: 41, beta: 361 }, { alpha: 40, beta: 262 });
  const step = 0.001;
  let above = density(0) / 2;
  for (let d = step; d < 0.3; d += step) above += density(d);
  expect(above * step).toBeCloseTo(betaBinomialTest(control, treatment).probabilityOfSuperiority, 4);
});

test("shapes that are not positive are refused", () => {
  expect(() => rateDifferenceDensity({ alpha: 0, beta: 1 }, { alpha: 1, beta: 1 })).toThrow(RangeError);
});
