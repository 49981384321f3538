import { centred } from "./moments.ts";
import { notNegative, sameLength } from "./range.ts";

/**
 * The count, means and sums of products of deviations of several values per user, such as numerator and denominator.
 *
 * `means` has an entry per value. `products` is a triangle: the row of a value has its products with values 0 to
 * itself.
 */
export interface JointMoments {
  n: number;
  means: number[];
  products: number[][];
}

/** Returns the joint moments of no users, for `values` values per user. */
export function emptyJointMoments(values: number): JointMoments {
  const rows = Array.from({ length: values }, (_, i) => new Array<number>(i + 1).fill(0));
  return { n: 0, means: new Array<number>(values).fill(0), products: rows };
}

/**
 * Adds one user's values to `moments`, in place.
 *
 * Source: B. P. Welford, Technometrics 4 (1962), for products.
 */
export function addToJointMoments(moments: JointMoments, values: ArrayLike<number>): void {
  const { means, products } = moments;
  const n = ++moments.n;
  for (let i = 0; i < means.length; i++) {
    const before = values[i]! - means[i]!;
    means[i]! += before / n;
    // The means up to i are updated already, so this is (value before) times (value after) for every pair.
    for (let j = 0; j <= i; j++) products[i]![j]! += before * (values[j]! - means[j]!);
  }
}

/**
 * Returns the joint moments of columns, one per value. Each column has an entry per user.
 *
 * @throws RangeError if the lengths of the columns differ.
 */
export function jointMomentsOf(...columns: readonly ArrayLike<number>[]): JointMoments {
  const moments = emptyJointMoments(columns.length);
  const n = columns[0]?.length ?? 0;
  sameLength("columns", n, columns);
  const row = new Array<number>(columns.length).fill(0);
  for (let user = 0; user < n; user++) {
    for (let i = 0; i < row.length; i++) row[i] = columns[i]![user]!;
    addToJointMoments(moments, row);
  }
  return moments;
}

/**
 * Merges the joint moments of two disjoint groups of users.
 *
 * Source: Chan, Golub and LeVeque, The American Statistician 37 (1983), for products.
 *
 * @throws RangeError if the numbers of values differ.
 */
export function mergeJointMoments(a: JointMoments, b: JointMoments): JointMoments {
  sameLength("means", a.means.length, [b.means]);
  const n = a.n + b.n;
  if (n === 0) return emptyJointMoments(a.means.length);
  const difference = a.means.map((mean, i) => b.means[i]! - mean);
  const share = (a.n / n) * b.n;
  return {
    n,
    means: a.means.map((mean, i) => mean + difference[i]! * (b.n / n)),
    products: a.products.map((row, i) =>
      row.map((value, j) => value + b.products[i]![j]! + difference[i]! * difference[j]! * share),
    ),
  };
}

/**
 * Returns the joint moments from a count, the sums of the values and their sums of products (a triangle), as a
 * warehouse gives them.
 *
 * @throws RangeError if n is negative.
 */
export function jointMomentsFromSums(
  n: number,
  sums: readonly number[],
  sumsOfProducts: readonly (readonly number[])[],
): JointMoments {
  notNegative("n", n);
  if (n === 0) return emptyJointMoments(sums.length);
  const products = sumsOfProducts.map((row, i) =>
    row.map((value, j) => {
      const product = centred(value, sums[i]!, sums[j]!, n);
      return i === j ? Math.max(0, product) : product;
    }),
  );
  return { n, means: sums.map((sum) => sum / n), products };
}

/**
 * Returns the covariance per user of two weighted sums of the values (denominator n - 1). It is a variance if both are
 * the same.
 *
 * If the weights are the gradient of a metric, this is the delta method for any function of the means.
 */
export function covarianceOf(moments: JointMoments, a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  let size = 0;
  moments.products.forEach((row, i) => {
    row.forEach((product, j) => {
      const weight = i === j ? a[i]! * b[i]! : a[i]! * b[j]! + a[j]! * b[i]!;
      sum += weight * product;
      size += Math.abs(weight * product);
    });
  });
  // What a full cancellation leaves is rounding, not variance.
  return Math.abs(sum) > 1e-14 * size ? sum / (moments.n - 1) : 0;
}
