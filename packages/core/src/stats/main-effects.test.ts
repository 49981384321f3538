import { describe, expect, it } from "vitest";
import { mainEffects } from "./main-effects.ts";
import { momentsOf } from "./moments.ts";
import { welchTest } from "./welch.ts";

const at = (mean: number, levels: number[]) => ({ levels, moments: momentsOf([mean - 1, mean, mean + 1, mean]) });

describe("main effects", () => {
  it("are each factor's own effect, averaged over the other factors", () => {
    const cells = [at(0, [0, 0]), at(2, [1, 0]), at(5, [0, 1]), at(9, [1, 1])];
    const effects = mainEffects(cells);
    expect(effects.map(({ factor, level, comparison }) => [factor, level, comparison.difference])).toEqual([
      [0, 1, 3],
      [1, 1, 6],
    ]);
  });

  it("compare every further level with level 0", () => {
    const effects = mainEffects([at(1, [0]), at(4, [2]), at(3, [1])]);
    expect(effects.map(({ level, comparison }) => [level, comparison.difference])).toEqual([
      [1, 2],
      [2, 3],
    ]);
  });

  it("of a single factor are Welch's t-test", () => {
    const cells = [at(1, [0]), at(3, [1])];
    expect(mainEffects(cells)[0]?.comparison).toEqual(welchTest(cells[0]!.moments, cells[1]!.moments));
  });

  it("count cells evenly, however many users each has", () => {
    const many = { levels: [1, 1], moments: momentsOf([...new Array(400)].map((_, i) => 9 + (i % 2))) };
    const cells = [at(0, [0, 0]), at(2, [1, 0]), at(5, [0, 1]), many];
    expect(mainEffects(cells)[0]?.comparison.difference).toBeCloseTo((2 + 4.5) / 2, 12);
  });

  it("leave out cells without a partner", () => {
    const cells = [at(0, [0, 0]), at(2, [1, 0]), at(9, [1, 1])];
    expect(mainEffects(cells)[0]?.comparison.difference).toBe(2);
    expect(mainEffects([at(2, [1])])[0]?.comparison).toMatchObject({ difference: null, status: "INSUFFICIENT_DATA" });
    expect(mainEffects([])).toEqual([]);
  });

  it("refuse cells of different designs", () => {
    expect(() => mainEffects([at(0, [0]), at(0, [0, 1])])).toThrow(RangeError);
  });
});
