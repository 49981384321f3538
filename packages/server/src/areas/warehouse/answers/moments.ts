import type { JointMoments, Moments } from "@assay/core/stats";
import type { Row } from "../engines/engine.ts";
import { type CellColumn, namesOf, productOf } from "../sql/columns.ts";
import { numberOf } from "./reading.ts";

/** Reads the moments of a column. Corrects sums of deviations for the rounding of the mean. */
export function toMoments(row: Row | null, column: CellColumn): Moments {
  if (!row) return { n: 0, mean: 0, m2: 0, m3: 0 };
  const { cube } = namesOf(column);
  const { mean, error, squares, rest, ...one } = toDeviations(row, column);
  if (one.m2 === null) return { n: one.n, mean, m2: 0, m3: 0 };
  return {
    n: one.n,
    mean,
    m2: one.m2,
    m3: numberOf(row, cube) - 3 * error * squares + 2 * error * error * rest,
  };
}

/** Reads the joint moments of columns. */
export function toJointMoments(row: Row | null, columns: readonly CellColumn[]): JointMoments {
  const own = columns.map((column) => (row ? toDeviations(row, column) : { n: 0, mean: 0, m2: null, rest: 0 }));
  return {
    n: own[0]?.n ?? 0,
    means: own.map(({ mean }) => mean),
    products: own.map((one, i) => [
      ...own.slice(0, i).map((other, j) =>
        // A constant column has no covariance.
        row === null || one.m2 === null || other.m2 === null
          ? 0
          : numberOf(row, productOf(columns[i]!, columns[j]!)) - (one.rest * other.rest) / one.n,
      ),
      one.m2 ?? 0,
    ]),
  };
}

/** The squared deviations `m2` are null for constant values: those have no variance, not even by rounding. */
function toDeviations(row: Row, column: CellColumn) {
  const names = namesOf(column);
  const n = numberOf(row, "n");
  const least = numberOf(row, names.least);
  if (least === numberOf(row, names.greatest)) return { n, mean: least, m2: null, rest: 0, error: 0, squares: 0 };
  const rest = numberOf(row, names.sum);
  const squares = numberOf(row, names.square);
  const error = rest / n;
  return { n, mean: numberOf(row, names.mean) + error, m2: Math.max(0, squares - error * rest), rest, error, squares };
}
