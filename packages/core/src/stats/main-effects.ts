import { type Comparison, compareWeighted, type TestOptions, type WeightedEstimate } from "./comparison.ts";
import type { Moments } from "./moments.ts";
import { sameLength } from "./range.ts";
import { meanEstimate } from "./welch.ts";

/** A cell of a factorial experiment: the level of each factor, and the moments of its users. */
export interface FactorialCell {
  levels: readonly number[];
  moments: Moments;
}

/** The effect of a level of a factor against level 0, averaged over the other factors. */
export interface MainEffect {
  factor: number;
  level: number;
  comparison: Comparison;
}

/**
 * Returns the main effects of a factorial experiment: every level of every factor against level 0.
 *
 * Cells that agree on all other factors count evenly, regardless of their numbers of users. Cells without a partner are
 * left out. Factors and levels are numbered from 0.
 *
 * Source: Box, Hunter and Hunter, Statistics for Experimenters (2nd ed. 2005), 5; Welch's t over all cells.
 *
 * @throws RangeError if the numbers of factors of the cells differ, or alpha lies outside (0, 1).
 */
export function mainEffects(cells: readonly FactorialCell[], options: TestOptions = {}): MainEffect[] {
  const factors = cells[0]?.levels.length ?? 0;
  sameLength(
    "levels",
    factors,
    cells.map(({ levels }) => levels),
  );
  const effects: MainEffect[] = [];
  for (let factor = 0; factor < factors; factor++) {
    const partner = (cell: FactorialCell) =>
      cells.find(({ levels }) => levels.every((level, i) => level === (i === factor ? 0 : cell.levels[i])));
    const levels = [...new Set(cells.map((cell) => cell.levels[factor]!))].filter((level) => level !== 0);
    for (const level of levels.sort((a, b) => a - b)) {
      const pairs = cells
        .filter((cell) => cell.levels[factor] === level && partner(cell))
        .map((cell) => ({ treatment: cell.moments, control: partner(cell)!.moments }));
      const weigh = (moments: Moments): WeightedEstimate => ({
        weight: 1 / pairs.length,
        estimate: meanEstimate(moments),
      });
      const comparison = compareWeighted(
        pairs.map(({ control }) => weigh(control)),
        pairs.map(({ treatment }) => weigh(treatment)),
        options,
      );
      effects.push({ factor, level, comparison });
    }
  }
  return effects;
}
