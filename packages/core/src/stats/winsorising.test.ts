import { describe, expect, it } from "vitest";
import { sampleQuantile, winsorBounds, winsorise } from "./winsorising.ts";

describe("winsorBounds", () => {
  it("are the quantiles of all arms together", () => {
    expect(
      winsorBounds(
        [
          [4, 1],
          [3, 2, 5],
        ],
        0.25,
        0.75,
      ),
    ).toEqual([2, 4]);
    expect(winsorBounds([[1, 2, 3, 4]], 0, 1)).toEqual([1, 4]);
  });

  it("do not exist without values, or if a value is NaN", () => {
    expect(winsorBounds([[], []], 0.1, 0.9)).toBeNull();
    expect(winsorBounds([[1, Number.NaN, 3]], 0.1, 0.9)).toBeNull();
    expect(winsorBounds([[1], [2, Number.NaN]], 0, 0.5)).toBeNull();
  });

  it.each([
    [0.5, 0.5],
    [0.6, 0.4],
    [-0.1, 0.5],
    [0.5, 1.1],
  ])("reject the shares %d and %d", (lower, upper) => {
    expect(() => winsorBounds([[1, 2]], lower, upper)).toThrow(RangeError);
  });
});

it("winsorise moves values to the nearer bound", () => {
  expect([...winsorise([1, 2, 3, 4, 5], [2, 4])]).toEqual([2, 2, 3, 4, 4]);
});

it("sampleQuantile interpolates between order statistics", () => {
  expect(sampleQuantile([1, 2, 4], 0.75)).toBe(3);
  expect(sampleQuantile([], 0.5)).toBeNull();
  expect(() => sampleQuantile([1], 1.1)).toThrow(RangeError);
});
