import type { GroupStatistics } from "@assay/analysis";
import {
  type ArmProbabilities,
  armProbabilitySteps,
  epsilonGreedyWeights,
  type Posterior,
  readyToUpdate,
  thompsonWeights,
  ucb1Weights,
} from "@assay/core/stats/bayes";
import type { Steps } from "../../ground/slices.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { type Reward, rewardMetric, rewardsOf } from "./reward.ts";

/** The minimum number of users of every arm between two changes of weights. */
export const MIN_USERS = 100;
/**
 * The minimum number of users of all arms together between two changes, as a share of the users before. Periods then
 * grow with the experiment, and stay few.
 */
const MIN_SHARE = 0.02;
/** The minimum change of a weight. Smaller changes are not worth another period. */
const MIN_CHANGE = 0.01;
/** The maximum share of users spread evenly over the arms. */
const MAX_EXPLORATION = 0.2;
const MAX_FLOOR = 0.05;
const DIGITS = 1e6;

/** The next weights of a bandit and the data behind them, by arm, control first. */
export interface Allocation {
  rewards: Reward[];
  /** The probabilities of the arms; null if an arm has no posterior. Arms of weight 0 have probability 0. */
  probabilities: ArmProbabilities | null;
  /** The weights after the next update; null with too little data. */
  next: number[] | null;
  minWeight: number;
  /** The reason why an update does not change the weights; null if it does. */
  reason: "INSUFFICIENT_DATA" | "ONE_ARM" | "UNCHANGED" | null;
}

/**
 * Computes the next weights of an experiment from its periods. Arms of weight 0 stay out until an ADMIN sets another
 * weight.
 * @param weights in force, control first
 */
export function* allocate(
  record: ExperimentRecord,
  periods: readonly GroupStatistics[],
  weights: readonly number[],
): Steps<Allocation> {
  const live = weights.flatMap((weight, arm) => (weight > 0 ? [arm] : []));
  const minWeight = live.length === 0 ? 0 : Math.min(MAX_FLOOR, MAX_EXPLORATION / live.length);
  const rewards = rewardsOf(record, periods, live);
  const posteriors = live.flatMap((arm) => rewards[arm]?.posterior ?? []);
  const isKnown = live.length > 0 && posteriors.length === live.length && hasUsers(periods);
  const own = isKnown ? yield* probabilitiesOf(posteriors) : null;
  const probabilities = own && spread(own, live, weights.length);
  const current = { rewards, probabilities, minWeight };
  if (live.length < 2) return { ...current, next: null, reason: "ONE_ARM" };
  if (!own || !isReady(periods, live)) return { ...current, next: null, reason: "INSUFFICIENT_DATA" };
  const shares = sharesOf(
    record,
    own,
    live.map((arm) => rewards[arm]!),
    minWeight,
  );
  const next = weights.map((_, arm) => shares[live.indexOf(arm)] ?? 0);
  const isSame = next.every((weight, arm) => Math.abs(weight - weights[arm]!) < MIN_CHANGE);
  return { ...current, next, reason: isSame ? "UNCHANGED" : null };
}

function hasUsers(periods: readonly GroupStatistics[]): boolean {
  return periods.some(({ users }) => users.some((count) => count > 0));
}

function isReady(periods: readonly GroupStatistics[], live: readonly number[]): boolean {
  const total = (some: readonly GroupStatistics[]) =>
    some.reduce((sum, { users }) => sum + users.reduce((all, count) => all + count, 0), 0);
  const current = periods.at(-1)!;
  const enough = readyToUpdate(
    live.map((arm) => current.users[arm]!),
    { minimumUsers: MIN_USERS },
  );
  return enough && total([current]) >= MIN_SHARE * total(periods.slice(0, -1));
}

function* probabilitiesOf(posteriors: readonly Posterior[]): Steps<ArmProbabilities> {
  const { best, secondBest, expectedLoss } = yield* armProbabilitySteps(posteriors);
  const clamp = (values: number[]) => values.map((value) => Math.min(1, Math.max(0, value)));
  return {
    best: clamp(best),
    secondBest: clamp(secondBest),
    expectedLoss: expectedLoss.map((loss) => Math.max(0, loss)),
  };
}

/** Returns the probabilities of all arms, with 0 for those of weight 0. */
function spread(own: ArmProbabilities, live: readonly number[], arms: number): ArmProbabilities {
  const all = (values: number[]) => Array.from({ length: arms }, (_, arm) => values[live.indexOf(arm)] ?? 0);
  return { best: all(own.best), secondBest: all(own.secondBest), expectedLoss: all(own.expectedLoss) };
}

function sharesOf(
  record: ExperimentRecord,
  probabilities: ArmProbabilities,
  rewards: readonly Reward[],
  minWeight: number,
): number[] {
  const isLess = rewardMetric(record)?.direction === "DECREASE";
  const arms = rewards.map(({ trials, mean }) => ({ n: trials, mean: (isLess ? -1 : 1) * (mean ?? 0) }));
  switch (record.allocation) {
    case "EPSILON_GREEDY":
      return rounded(epsilonGreedyWeights(arms, { minWeight }));
    case "UCB1":
      return rounded(ucb1Weights(arms, { minWeight, range: rangeOf(rewards) }));
    default:
      return rounded(thompsonWeights(probabilities, { minWeight }));
  }
}

/**
 * The width of the range of rewards that UCB1 needs. Its bound holds for rewards in [0, 1], whose standard deviation is
 * at most 1/2; for unbounded rewards, the width is twice the pooled standard deviation of the arms.
 */
function rangeOf(rewards: readonly Reward[]): number {
  if (rewards.every(({ successes }) => successes !== null)) return 1;
  const users = rewards.reduce((sum, { trials }) => sum + trials, 0);
  const variance = rewards.reduce((sum, { trials, variance: own }) => sum + (trials / users) * (own ?? 0), 0);
  return 2 * Math.sqrt(variance);
}

/** Rounds weights to six digits, which suffice in records and definitions. The greatest weight takes the rest. */
function rounded(shares: readonly number[]): number[] {
  const units = shares.map((share) => Math.round(share * DIGITS));
  const greatest = units.indexOf(Math.max(...units));
  units[greatest]! += DIGITS - units.reduce((sum, unit) => sum + unit, 0);
  return units.map((unit) => unit / DIGITS);
}
