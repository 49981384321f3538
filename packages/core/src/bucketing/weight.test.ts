import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeWeights } from "./weight.ts";

describe("weights", () => {
  it("are read as fractions or as percentages", () => {
    expect(normalizeWeights([0.2, 0.3, 0.5])).toEqual([0.2, 0.3, 0.5]);
    expect(normalizeWeights([20, 30, 50])).toEqual([0.2, 0.3, 0.5]);
    expect(normalizeWeights([1])).toEqual([1]);
    expect(normalizeWeights([100])).toEqual([1]);
  });

  it("are equal if they are missing", () => {
    expect(normalizeWeights([undefined, null])).toEqual([0.5, 0.5]);
    expect(normalizeWeights([0.5, undefined, undefined])).toEqual([0.5, 0.25, 0.25]);
    expect(normalizeWeights([80, null])).toEqual([0.8, 0.2]);
  });

  it("are scaled if they sum to nearly 1", () => {
    expect(normalizeWeights([0.33, 0.33, 0.33])[2]).toBeCloseTo(1 / 3, 12);
    expect(normalizeWeights([0.34, 0.34, 0.34]).reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
    expect(normalizeWeights([33, 33, 33])).toEqual([1 / 3, 1 / 3, 1 / 3]);
    expect(normalizeWeights([51, 51])).toEqual([0.5, 0.5]);
  });

  it.each([[[]], [[0.5, 0.4]], [[60, 60]], [[0, 0]], [[-0.5, 1.5]], [[Number.NaN]], [[Infinity]], [[3, 4]]])(
    "rejects %j",
    (weights) => {
      expect(() => normalizeWeights(weights)).toThrow(RangeError);
    },
  );

  it("sum to 1 for all accepted input", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 }), (parts) => {
        const total = parts.reduce((sum, part) => sum + part);
        const weights = normalizeWeights(parts.map((part) => (part / total) * 100));
        expect(weights.reduce((sum, weight) => sum + weight)).toBeCloseTo(1, 12);
      }),
    );
  });
});
