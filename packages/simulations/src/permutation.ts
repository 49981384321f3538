import { emptyMoments, type Moments, momentsOf } from "@assay/core/stats";
import type { Random } from "./random.ts";
import { meanScores } from "./rivals.ts";

/**
 * Returns whether a treatment of two arms of values is significantly better, by permutations of Welch's t: exact if
 * both arms have the same distribution, and about right if only their means are equal.
 *
 * `level` is one-sided. Where the answer is already certain, no more permutations are drawn.
 *
 * Source: A. Janssen, Statistics and Probability Letters 36 (1997); E. Chung and J. P. Romano, Annals of Statistics 41
 * (2013).
 */
export function risesByPermutation(
  control: readonly number[],
  treatment: readonly number[],
  level: number,
  permutations: number,
  random: Random,
): boolean {
  const values = Float64Array.from([...treatment, ...control]);
  const n = treatment.length;
  const [sum, squares] = [values.reduce((a, b) => a + b, 0), values.reduce((a, b) => a + b * b, 0)];
  const arm = (users: number, total: number, square: number): Moments => ({
    ...emptyMoments(),
    n: users,
    mean: total / users,
    m2: Math.max(0, square - total ** 2 / users),
  });
  const observed = meanScores(momentsOf(control), momentsOf(treatment)).welch;
  const most = Math.floor(level * (permutations + 1)) - 1;
  let above = 0;
  for (let done = 0; done < permutations && above <= most; done++) {
    let [total, square] = [0, 0];
    for (let user = 0; user < n; user++) {
      const drawn = user + Math.floor(random.uniform() * (values.length - user));
      const value = values[drawn]!;
      values[drawn] = values[user]!;
      values[user] = value;
      total += value;
      square += value * value;
    }
    const { welch } = meanScores(arm(control.length, sum - total, squares - square), arm(n, total, square));
    if (welch >= observed) above++;
  }
  return above <= most;
}
