/** A pivot below this share of its variable's variance is rounding: the variables before it determine the variable. */
const LEAST_SHARE = 1e-10;

/** A symmetric matrix as the product of a triangle and its transpose, without the variables that depend on others. */
export interface Factor {
  /** The indexes of the variables that are left, ascending. */
  kept: number[];
  /** One row for each variable that is left: its entries up to the diagonal. */
  rows: number[][];
}

/**
 * Factors a symmetric, positive semi-definite matrix, leaving out each variable that is constant or a linear
 * combination of those before it.
 *
 * Source: Cholesky's decomposition, Golub and Van Loan, Matrix Computations (4th ed. 2013), 4.2.
 *
 * @param entry returns the entry of two variables; the first is not below the second
 */
export function factorise(variables: readonly number[], entry: (i: number, j: number) => number): Factor {
  const factor: Factor = { kept: [], rows: [] };
  for (const variable of variables) {
    const row: number[] = [];
    let pivot = entry(variable, variable);
    const least = LEAST_SHARE * pivot;
    for (const [index, other] of factor.kept.entries()) {
      const known = factor.rows[index]!;
      let value = entry(variable, other);
      for (let i = 0; i < index; i++) value -= row[i]! * known[i]!;
      row.push(value / known[index]!);
      pivot -= row[index]! ** 2;
    }
    if (!(pivot > least)) continue;
    factor.kept.push(variable);
    factor.rows.push([...row, Math.sqrt(pivot)]);
  }
  return factor;
}

/** Returns the scalar product of two vectors. */
export function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * b[i]!, 0);
}

/** Solves A x = `right` for x, where A is the factored matrix. Entries are in the order of `kept`. */
export function solveFactored({ rows }: Factor, right: readonly number[]): number[] {
  const answer = [...right];
  for (let i = 0; i < rows.length; i++) {
    for (let j = 0; j < i; j++) answer[i]! -= rows[i]![j]! * answer[j]!;
    answer[i]! /= rows[i]![i]!;
  }
  for (let i = rows.length - 1; i >= 0; i--) {
    for (let j = i + 1; j < rows.length; j++) answer[i]! -= rows[j]![i]! * answer[j]!;
    answer[i]! /= rows[i]![i]!;
  }
  return answer;
}
