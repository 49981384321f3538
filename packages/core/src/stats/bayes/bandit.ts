import { type Comparison, compareWeighted, type TestOptions, type WeightedEstimate } from "../comparison.ts";
import type { Moments } from "../moments.ts";
import { between, positive, sameLength } from "../range.ts";
import { meanEstimate } from "../welch.ts";
import type { ArmProbabilities } from "./posterior.ts";

/** Options of an allocation. `minWeight` is the minimum share of users of each arm, 0 by default. */
export interface AllocationOptions {
  minWeight?: number;
}

/** The number of users of an arm so far, and their mean reward. */
export interface ArmReward {
  n: number;
  mean: number;
}

/**
 * Raises shares so that every arm has at least the minimum f: f + (1 - K f) w for K arms.
 *
 * @throws RangeError unless 0 <= minWeight <= 1 / K.
 */
export function withFloor(weights: readonly number[], { minWeight = 0 }: AllocationOptions = {}): number[] {
  const arms = weights.length;
  between("minWeight", minWeight, 0, arms === 0 ? 1 : 1 / arms);
  return weights.map((weight) => minWeight + (1 - arms * minWeight) * weight);
}

/**
 * Returns the shares of users by Thompson sampling: each arm's chance to be the best.
 *
 * Source: W. R. Thompson, Biometrika 25 (1933).
 *
 * @throws RangeError unless 0 <= minWeight <= 1 / K.
 */
export function thompsonWeights({ best }: ArmProbabilities, options: AllocationOptions = {}): number[] {
  return withFloor(best, options);
}

/**
 * Returns the shares of users by top-two Thompson sampling at even odds: (P best + P second best) / 2.
 *
 * Source: D. Russo, Operations Research 68 (2020).
 *
 * @throws RangeError unless 0 <= minWeight <= 1 / K.
 */
export function topTwoWeights({ best, secondBest }: ArmProbabilities, options: AllocationOptions = {}): number[] {
  if (best.length < 2) return withFloor(best, options);
  return withFloor(
    best.map((p, i) => (p + secondBest[i]!) / 2),
    options,
  );
}

/**
 * Returns the shares of users by epsilon-greedy: `epsilon` is spread evenly, and the arm with the greatest mean gets
 * the rest.
 *
 * Source: Sutton and Barto, Reinforcement Learning (2nd ed. 2018), 2.2.
 *
 * @throws RangeError unless epsilon lies in [0, 1] and 0 <= minWeight <= 1 / K.
 */
export function epsilonGreedyWeights(
  arms: readonly ArmReward[],
  { epsilon = 0.1, ...options }: AllocationOptions & { epsilon?: number } = {},
): number[] {
  between("epsilon", epsilon, 0, 1);
  const top = Math.max(...arms.map(({ mean }) => mean));
  const ties = arms.filter(({ mean }) => mean === top).length;
  return withFloor(
    arms.map(({ mean }) => epsilon / arms.length + (mean === top ? (1 - epsilon) / ties : 0)),
    options,
  );
}

/** The number of steps into which the next users are divided. Each step goes to one arm. */
const STEPS = 1000;

/**
 * Returns the shares of the next `users` users by UCB1. It plays UCB1's choices forward and keeps the means as they
 * are.
 *
 * `range` is the width of the reward's range, 1 for rates; `users` defaults to as many as there were so far.
 *
 * Source: Auer, Cesa-Bianchi and Fischer, Machine Learning 47 (2002).
 *
 * @throws RangeError unless range is positive and 0 <= minWeight <= 1 / K.
 */
export function ucb1Weights(
  arms: readonly ArmReward[],
  { users, range = 1, ...options }: AllocationOptions & { users?: number; range?: number } = {},
): number[] {
  positive("range", range);
  const counts = arms.map(({ n }) => n);
  let total = counts.reduce((sum, n) => sum + n, 0);
  const step = positive("users", users ?? Math.max(total, STEPS)) / STEPS;
  const chosen = arms.map(() => 0);
  for (let i = 0; i < STEPS; i++) {
    let top = 0;
    let most = -Infinity;
    arms.forEach(({ mean }, k) => {
      const n = counts[k]!;
      const index = n > 0 ? mean + range * Math.sqrt((2 * Math.log(Math.max(total, 1))) / n) : Infinity;
      if (index > most) [top, most] = [k, index];
    });
    if (arms.length === 0) break;
    counts[top]! += step;
    chosen[top]! += 1;
    total += step;
  }
  return withFloor(
    chosen.map((count) => count / STEPS),
    options,
  );
}

/** Returns whether every arm has the minimum number of users for an update (100 by default). */
export function readyToUpdate(
  users: readonly number[],
  { minimumUsers = 100 }: { minimumUsers?: number } = {},
): boolean {
  return users.length > 0 && users.every((n) => n >= minimumUsers);
}

/**
 * Compares a treatment with its control where shares changed between periods. Each period counts by all its users.
 *
 * Pooling the users of an arm instead would mix a change over time into the difference. Periods in which an arm has
 * fewer than two users are left out.
 *
 * Source: post-stratification, W. G. Cochran, Sampling Techniques (3rd ed. 1977), 5A.
 *
 * @throws RangeError unless all three lists have one entry per period, and alpha lies strictly between 0 and 1.
 */
export function comparePeriods(
  control: readonly Moments[],
  treatment: readonly Moments[],
  users: readonly number[],
  options: TestOptions = {},
): Comparison {
  sameLength("control, treatment and users", users.length, [control, treatment]);
  const usable = users.map((n, i) => (control[i]!.n >= 2 && treatment[i]!.n >= 2 ? n : 0));
  const total = usable.reduce((sum, n) => sum + n, 0);
  const weigh = (arm: readonly Moments[]) =>
    arm
      .map((moments, i): WeightedEstimate => ({ weight: usable[i]! / total, estimate: meanEstimate(moments) }))
      .filter(({ weight }) => weight > 0);
  return compareWeighted(weigh(control), weigh(treatment), options);
}
