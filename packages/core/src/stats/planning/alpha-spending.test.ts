import { describe, expect, it } from "vitest";
import { normalQuantile } from "../normal.ts";
import { type SpendingFunction, spendingSchedule, spentAlpha } from "./alpha-spending.ts";

const equal = (looks: number) => Array.from({ length: looks }, (_, i) => (i + 1) / looks);
const functions: SpendingFunction[] = ["obrien_fleming", "obrien_fleming_total", "pocock", "power", "hsd"];

describe("alpha spending", () => {
  it.each(functions)("by %s spends alpha in full by the end, and never takes any back", (spending) => {
    const looks = spendingSchedule(spending, equal(6), { alpha: 0.05 });
    expect(looks.at(-1)?.cumulativeAlpha).toBeCloseTo(0.05, 2);
    for (const look of looks) expect(look.incrementalAlpha).toBeGreaterThan(0);
  });

  it("in a single look is the fixed test", () => {
    const [look] = spendingSchedule("pocock", [1], { alpha: 0.05 });
    expect(look?.zBoundary).toBeCloseTo(-normalQuantile(0.025), 12);
    expect(look?.nominalPValue).toBeCloseTo(0.05, 12);
  });

  it("has the published O'Brien-Fleming boundaries for five looks", () => {
    const boundaries = spendingSchedule("obrien_fleming", equal(5)).map(({ zBoundary }) => zBoundary ?? Number.NaN);
    [4.8769, 3.357, 2.6803, 2.2898, 2.031].forEach((z, i) => {
      expect(Math.abs(boundaries[i]! - z)).toBeLessThan(6e-5);
    });
  });

  it("falls monotonically for O'Brien-Fleming over a hundred looks", () => {
    const looks = spendingSchedule("obrien_fleming", equal(100));
    looks.slice(1).forEach((look, i) => {
      expect(look.zBoundary!).toBeLessThan(looks[i]!.zBoundary!);
    });
  });

  it("has no boundary where no alpha worth a number is spent yet", () => {
    const [first] = spendingSchedule("obrien_fleming", [0.01, 1], { alpha: 1e-6 });
    expect(first).toMatchObject({ zBoundary: null, nominalPValue: 0 });
  });

  it("stays exact for looks that all but coincide", () => {
    const apart = spendingSchedule("pocock", [0.5, 1]);
    const close = spendingSchedule("pocock", [0.4999, 0.5, 1]);
    expect(Math.abs(close[2]!.zBoundary! - apart[1]!.zBoundary!)).toBeLessThan(1e-3);
  });

  it("refuses fractions that do not rise within (0, 1], and unknown functions", () => {
    expect(() => spendingSchedule("pocock", [0.5, 0.5])).toThrow(RangeError);
    expect(() => spendingSchedule("pocock", [0.5, 1.2])).toThrow(RangeError);
    expect(() => spentAlpha("pocock", 0)).toThrow(RangeError);
    expect(() => spentAlpha("linear" as SpendingFunction, 0.5)).toThrow(/unknown/);
  });
});
