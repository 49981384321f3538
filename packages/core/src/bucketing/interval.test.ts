import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPicker } from "./interval.ts";
import { normalizeWeights } from "./weight.ts";

const hash = fc.nat({ max: 2 ** 32 - 1 }).map((integer) => integer / 2 ** 32);
const weights = fc
  .array(fc.nat({ max: 100 }), { minLength: 1, maxLength: 8 })
  .filter((parts) => parts.some((part) => part > 0))
  .map((parts) => parts.map((part) => part / parts.reduce((sum, each) => sum + each)));
const percentage = fc.double({ min: 0, max: 100, noNaN: true });

describe("intervals", () => {
  it("enable a boolean flag exactly below the rollout", () => {
    fc.assert(
      fc.property(hash, percentage, (at, rollout) => {
        expect(createPicker([1, 0], rollout).pick(at) === 0).toBe(at < rollout / 100);
      }),
    );
  });

  it("give the plain cumulative choice at a full rollout, with no gap at the end", () => {
    const thirds = normalizeWeights([33, 33, 33]);
    expect(createPicker(thirds, 100).pick(1 - 2 ** -32)).toBe(2);
    expect(createPicker([0.25, 0.25, 0.5], 100).pick(0.25)).toBe(1);
    fc.assert(fc.property(hash, weights, (at, some) => createPicker(some, 100).pick(at) >= 0));
  });

  it("never give a variant of weight zero", () => {
    fc.assert(
      fc.property(hash, weights, percentage, (at, some, rollout) => {
        const index = createPicker([0, ...some, 0], rollout).pick(at);
        expect(index === 0 || index === some.length + 1).toBe(false);
      }),
    );
  });

  it("fill the same share of every variant", () => {
    const picker = createPicker([0.5, 0.5], 50);
    expect([0, 0.249, 0.25, 0.499, 0.5, 0.749, 0.75, 0.999].map(picker.pick)).toEqual([0, 0, -1, -1, 1, 1, -1, -1]);
  });

  it("never move a user between arms as the rollout rises", () => {
    fc.assert(
      fc.property(hash, weights, percentage, percentage, (at, some, one, other) => {
        const before = createPicker(some, Math.min(one, other)).pick(at);
        const after = createPicker(some, Math.max(one, other)).pick(at);
        if (before >= 0) expect(after).toBe(before);
      }),
    );
  });

  it("report where every hash gives the same answer", () => {
    expect(createPicker([0, 1], 100).constant).toBe(1);
    expect(createPicker([0.5, 0.5], 0).constant).toBe(-1);
    expect(createPicker([1], 99).constant).toBeNull();
    expect(createPicker([0.5, 0.5], 100).constant).toBeNull();
  });
});
