import { describe, expect, it } from "vitest";
import { estimateFinding, exactFinding, isConsistent, isProven, rateFinding } from "./finding.ts";

describe("a finding", () => {
  it("of a value is consistent, and proven, where its interval holds the value", () => {
    const finding = rateFinding("rate", 510, 10_000, { kind: "equals", value: 0.05 });
    expect([isConsistent(finding), isProven(finding)]).toEqual([true, true]);
    const far = rateFinding("rate", 700, 10_000, { kind: "equals", value: 0.05 });
    expect([isConsistent(far), isProven(far)]).toEqual([false, false]);
  });

  it("of a limit is proven only where its whole interval keeps it", () => {
    const near = estimateFinding("x", 0.051, 0.001, 100, { kind: "atMost", value: 0.05 });
    expect([isConsistent(near), isProven(near)]).toEqual([true, false]);
    const below = estimateFinding("x", 0.04, 0.001, 100, { kind: "atMost", value: 0.05 });
    expect([isConsistent(below), isProven(below)]).toEqual([true, true]);
    const above = estimateFinding("x", 0.06, 0.001, 100, { kind: "atMost", value: 0.05 });
    expect([isConsistent(above), isProven(above)]).toEqual([false, false]);
  });

  it("of a rate that may lie at its limit holds up to three standard errors above", () => {
    const bound = { kind: "notAbove", value: 0.05 } as const;
    // 0.05 and three standard errors of 10,000 simulations are 0.0565.
    expect(isProven(rateFinding("x", 565, 10_000, bound))).toBe(true);
    expect(isProven(rateFinding("x", 566, 10_000, bound))).toBe(false);
    expect(isProven(exactFinding("x", 0.05, bound))).toBe(true);
    expect(isProven(exactFinding("x", 0.0501, bound))).toBe(false);
    expect(isConsistent(exactFinding("x", 0.0501, bound))).toBe(false);
  });

  it("of a range is proven only inside it", () => {
    const bound = { kind: "within", lower: 0.945, upper: 0.955 } as const;
    expect(isProven(rateFinding("c", 95_000, 100_000, bound))).toBe(true);
    expect(isProven(rateFinding("c", 950, 1000, bound))).toBe(false);
    expect(isConsistent(rateFinding("c", 950, 1000, bound))).toBe(true);
    expect(isConsistent(rateFinding("c", 90_000, 100_000, bound))).toBe(false);
  });
});
