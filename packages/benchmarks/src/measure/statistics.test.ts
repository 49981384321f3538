import { expect, test } from "vitest";
import { medianOf, quantileOf, ratiosOf, spreadOf } from "./statistics.ts";

test("the median is the figure in the middle, or the mean of the two in the middle", () => {
  expect(medianOf([30, 10, 20])).toBe(20);
  expect(medianOf([40, 10, 20, 30])).toBe(25);
  expect(medianOf([7])).toBe(7);
  // Not sorted as text: 9 < 10 < 100.
  expect(medianOf([9, 100, 10])).toBe(10);
});

test("the spread is the quartiles; one wild round moves neither them nor the median", () => {
  expect(spreadOf([1, 2, 3, 4, 5])).toEqual({ median: 3, low: 2, high: 4 });
  expect(spreadOf([1, 2, 3, 4, 5_000])).toEqual({ median: 3, low: 2, high: 4 });
  expect(spreadOf([10, 20])).toEqual({ median: 15, low: 12.5, high: 17.5 });
});

test("a quantile interpolates, from the least to the greatest", () => {
  expect([0, 0.25, 0.99, 1].map((share) => quantileOf([0, 100], share))).toEqual([0, 25, 99, 100]);
});

test("no figures have no median", () => {
  expect(() => medianOf([])).toThrow(RangeError);
});

test("ratios are of the same round, and rounds must be as many", () => {
  expect(ratiosOf([10, 30], [5, 10])).toEqual([2, 3]);
  expect(() => ratiosOf([1], [1, 2])).toThrow(RangeError);
});

test("figures stay in their order", () => {
  const figures = [3, 1, 2];
  medianOf(figures);
  expect(figures).toEqual([3, 1, 2]);
});
