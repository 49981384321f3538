import { alwaysValidTest, anytimeSampleRatioTest, type Interval } from "@assay/core/stats";
import type { RolloutStatistics, RolloutStratum } from "./rollout.ts";
import type { RolloutEstimate } from "./rollout-sum.ts";

export type RolloutComparison = "GREATER_THAN" | "GREATER_THAN_OR_EQUAL" | "LESS_THAN" | "LESS_THAN_OR_EQUAL";

/** The claim about the difference between users in and out of a rollout. */
export interface RolloutClaim {
  comparison: RolloutComparison;
  /** The margin for the difference. */
  margin: number;
  /** The number of different users that each side needs before a decision. */
  minUsers: number;
  /** The error probability over all looks together. */
  alpha: number;
}

/** Whether a claim is established, refuted, or undecided. */
export type Verdict = "HOLDS" | "REFUTED" | "OPEN";

/** A verdict on a claim, valid at any number of looks. */
export interface Judgement {
  verdict: Verdict;
  /**
   * Interval of the difference; contains the true one at all looks together with probability 1 - alpha. Null without an
   * error estimate.
   */
  interval: Interval | null;
}

/**
 * Judges a claim by the always-valid interval of the difference: established if the whole interval is on the claimed
 * side of the margin, refuted if it is on the other. The interval is the asymptotic confidence sequence of
 * `core/stats`, with the effective number of users for n, so that its mixing variance stays the same while the
 * percentage, and with it the information per user, changes.
 */
export function judgeRollout(
  { difference, standardError, effectiveUsers }: RolloutEstimate,
  users: { in: number; out: number },
  { comparison, margin, minUsers, alpha }: RolloutClaim,
): Judgement {
  if (effectiveUsers === 0) return { verdict: "OPEN", interval: null };
  const { confidenceInterval: interval } = alwaysValidTest(difference, standardError, effectiveUsers, { alpha });
  if (interval === null || Math.min(users.in, users.out) < minUsers) return { verdict: "OPEN", interval };
  const [above, below] = [interval[0] > margin, interval[1] < margin];
  const isGreater = comparison.startsWith("GREATER");
  if (isGreater ? above : below) return { verdict: "HOLDS", interval };
  return { verdict: (isGreater ? below : above) ? "REFUTED" : "OPEN", interval };
}

/**
 * Returns whether the ratio of users in and out in the newest stratum differs from its percentage (p < 0.001 at any
 * time).
 */
export function isSampleRatioMismatch(
  { strata: counts }: Pick<RolloutStatistics, "strata">,
  strata: readonly RolloutStratum[],
): boolean {
  const [seen, stratum] = [counts.at(-1), strata.at(-1)];
  if (!seen || !stratum || seen.in + seen.out === 0) return false;
  const weights = [stratum.percentage, 100 - stratum.percentage];
  return anytimeSampleRatioTest([{ observed: [seen.in, seen.out], weights }]).warning;
}
