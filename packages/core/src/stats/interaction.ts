import { chiSquareSf } from "./chi-square.ts";
import { dot, factorise, solveFactored } from "./cholesky.ts";
import {
  type Comparison,
  compareEstimates,
  compareWeighted,
  finiteOrNull,
  isSignificant,
  type TestOptions,
  undefinedComparison,
} from "./comparison.ts";
import { type Moments, varianceOf } from "./moments.ts";
import { between, checkAlpha, sameLength } from "./range.ts";
import { pearson } from "./sample-ratio.ts";
import { meanEstimate } from "./welch.ts";

/** Options of a test of interaction. The minimum number of users in each cell is 100 by default. */
export interface InteractionOptions extends TestOptions {
  minimumUsers?: number;
}

/**
 * How the effect of experiment A depends on the arm in B. The difference is the effect at b1 minus the effect at b0.
 */
export interface Interaction extends Comparison {
  effectWithoutB: number | null;
  effectWithB: number | null;
}

/** A chi-square test. Its numbers are `null` if it is undefined, and `status` is the reason. */
export interface ChiSquareTest {
  chiSquare: number | null;
  df: number;
  pValue: number | null;
  significant: boolean;
  status: "OK" | "INSUFFICIENT_DATA" | "ZERO_VARIANCE";
}

/** Returns the chi-square test of a statistic. If the statistic is `null`, `status` is the reason. */
function chiSquareTest(
  chiSquare: number | null,
  df: number,
  alpha: number,
  status: ChiSquareTest["status"],
): ChiSquareTest {
  const pValue = chiSquare === null ? null : chiSquareSf(chiSquare, df);
  return { chiSquare, df, pValue, significant: isSignificant(pValue, alpha), status: pValue === null ? status : "OK" };
}

/**
 * Tests the interaction of two experiments with two arms each, (a1b1 - a0b1) - (a1b0 - a0b0), by Welch's t over four
 * cells.
 *
 * `cells[a][b]` are the moments of the users with arm a of the one and arm b of the other.
 *
 * Source: B. L. Welch, Biometrika 34 (1947), for four variances.
 *
 * @throws RangeError unless there are two by two cells and alpha lies strictly between 0 and 1.
 */
export function interactionTest(
  cells: readonly (readonly Moments[])[],
  { minimumUsers = 100, ...options }: InteractionOptions = {},
): Interaction {
  sameLength("cells and their rows", 2, [cells, ...cells]);
  checkAlpha(options.alpha ?? 0.05);
  const cell = (a: number, b: number) => meanEstimate(cells[a]![b]!);
  const enough = cells.flat().every(({ n }) => n >= minimumUsers);
  // The effect at b0 serves as the control of the effect at b1. It may be near 0, so a lift over it is meaningless.
  const effectAt = (b: number) => [
    { weight: 1, estimate: cell(1, b) },
    { weight: -1, estimate: cell(0, b) },
  ];
  const comparison = compareWeighted(effectAt(0), effectAt(1), options);
  return {
    ...(enough ? comparison : undefinedComparison("INSUFFICIENT_DATA", comparison.difference)),
    effectWithoutB: compareEstimates(cell(0, 0), cell(1, 0)).difference,
    effectWithB: compareEstimates(cell(0, 1), cell(1, 1)).difference,
  };
}

/**
 * Tests the interaction of two experiments with K and L arms by Wald's chi-square with (K - 1)(L - 1) degrees of
 * freedom.
 *
 * `cells[a][b]` are the moments of the users with arm a of the one and arm b of the other; arms 0 are the controls.
 *
 * Source: A. Wald, Transactions of the American Mathematical Society 54 (1943).
 *
 * @throws RangeError unless there are at least two by two cells, all rows have the same length and alpha lies strictly
 * between 0 and 1.
 */
export function interactionWaldTest(
  cells: readonly (readonly Moments[])[],
  { alpha = 0.05, minimumUsers = 100 }: Omit<InteractionOptions, "referenceDistribution"> = {},
): ChiSquareTest {
  checkAlpha(alpha);
  const columns = cells[0]?.length ?? 0;
  between("arms", Math.min(cells.length, columns), 2, Infinity);
  sameLength("rows of cells", columns, cells);
  const df = (cells.length - 1) * (columns - 1);
  if (cells.flat().some(({ n }) => n < Math.max(2, minimumUsers))) {
    return chiSquareTest(null, df, alpha, "INSUFFICIENT_DATA");
  }
  const contrasts = Array.from({ length: df }, (_, i) => ({
    a: 1 + Math.floor(i / (columns - 1)),
    b: 1 + (i % (columns - 1)),
  }));
  const mean = (a: number, b: number) => cells[a]![b]!.mean;
  const variance = (a: number, b: number) => (varianceOf(cells[a]![b]!) ?? 0) / cells[a]![b]!.n;
  const vector = contrasts.map(({ a, b }) => mean(a, b) - mean(a, 0) - mean(0, b) + mean(0, 0));
  // Two contrasts share the corner cell, and the margin cells of a common arm.
  const covariance = contrasts.map((p) =>
    contrasts.map(
      (q) =>
        variance(0, 0) +
        (p.a === q.a ? variance(p.a, 0) : 0) +
        (p.b === q.b ? variance(0, p.b) : 0) +
        (p.a === q.a && p.b === q.b ? variance(p.a, p.b) : 0),
    ),
  );
  const factor = factorise([...vector.keys()], (i, j) => covariance[i]![j]!);
  const isDefinite = factor.kept.length === df;
  const chiSquare = isDefinite ? finiteOrNull(dot(vector, solveFactored(factor, vector))) : null;
  return chiSquareTest(chiSquare, df, alpha, "ZERO_VARIANCE");
}

/**
 * Tests whether the assignments of two experiments depend on each other, by Pearson's chi-square of the table of users.
 *
 * Source: K. Pearson, Philosophical Magazine 50 (1900).
 *
 * @throws RangeError unless all rows have the same length and alpha lies strictly between 0 and 1.
 */
export function assignmentDependenceTest(
  counts: readonly (readonly number[])[],
  { alpha = 0.05 }: { alpha?: number } = {},
): ChiSquareTest {
  checkAlpha(alpha);
  const columns = counts[0]?.length ?? 0;
  sameLength("rows of counts", columns, counts);
  const add = (sum: number, n: number) => sum + n;
  const rowTotals = counts.map((row) => row.reduce(add, 0));
  const columnTotals = Array.from({ length: columns }, (_, j) => counts.reduce((sum, row) => sum + row[j]!, 0));
  const total = rowTotals.reduce(add, 0);
  const used = (totals: readonly number[]) => totals.filter((n) => n > 0).length;
  const df = Math.max(0, used(rowTotals) - 1) * Math.max(0, used(columnTotals) - 1);
  if (df === 0) return chiSquareTest(null, df, alpha, "INSUFFICIENT_DATA");
  const expected = rowTotals.flatMap((row) => columnTotals.map((column) => row * (column / total)));
  return chiSquareTest(pearson(counts.flat(), expected), df, alpha, "OK");
}
