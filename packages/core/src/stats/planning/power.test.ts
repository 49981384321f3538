import { describe, expect, it } from "vitest";
import { achievedPower, minimumDetectableEffect } from "./power.ts";

describe("power", () => {
  it("of no effect is alpha", () => {
    expect(achievedPower(0, 1, { alpha: 0.05 })).toBeCloseTo(0.05, 12);
  });

  it("of the minimum detectable effect is the power asked for", () => {
    const effect = minimumDetectableEffect(0.3, { alpha: 0.01, power: 0.9 });
    expect(achievedPower(effect, 0.3, { alpha: 0.01 })).toBeCloseTo(0.9, 6);
  });

  it("grows with the effect, whatever its sign", () => {
    expect(achievedPower(-2, 1)).toBe(achievedPower(2, 1));
    expect(achievedPower(3, 1) ?? 0).toBeGreaterThan(achievedPower(2, 1) ?? 1);
  });

  it("is null where the effect or its error is undefined", () => {
    expect(achievedPower(null, 1)).toBeNull();
    expect(achievedPower(1, null)).toBeNull();
    expect(achievedPower(0, 0)).toBeNull();
  });
});
