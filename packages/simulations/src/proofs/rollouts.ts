import { createRolloutSum, IN, judgeRollout, OUT, type RolloutClaim, type RolloutEstimate } from "@assay/analysis";
import { rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import { spend } from "../population.ts";
import type { Random } from "../random.ts";

const USERS = 2000;
const PERCENTAGES = [5, 20, 50];
/** The days, and so the looks, of each stage. */
const DAYS = 10;
/** The share of users who visit in a stage. */
const SEEN = 0.8;
const ALPHA = 0.05;
const MARGIN = 0.04;
/** The shapes of the beta distribution of users' rates of events. */
const SHAPES = [2, 18] as const;
const RATE = SHAPES[0] / (SHAPES[0] + SHAPES[1]);

/** The outcome of a user with this inclination in a stage, with the flag or without. */
type Outcome = (random: Random, inclination: number, hasFlag: boolean) => number;

const happens = (random: Random, chance: number) => (random.uniform() < chance ? 1 : 0);
const alike: Outcome = (random, inclination) => happens(random, inclination);
const doubled: Outcome = (random, inclination, hasFlag) => happens(random, inclination * (hasFlag ? 2 : 1));
/** An outcome that is lower by the margin on average: exactly the difference at which a stage must not begin. */
const worse: Outcome = (random, inclination, hasFlag) =>
  happens(random, inclination * (hasFlag ? 1 - MARGIN / RATE : 1));
const revenue: Outcome = (random) => spend(random);

/** Simulates one rollout from 5 % to 50 % with a look every day, and returns the result of each look. */
function rollOut(random: Random, outcome: Outcome, isRate: boolean): RolloutEstimate[] {
  const buckets = Float64Array.from({ length: USERS }, random.uniform);
  const inclinations = Float64Array.from({ length: USERS }, () => random.beta(...SHAPES));
  const past: { values: Float64Array; sides: Uint8Array }[] = [];
  const looks: RolloutEstimate[] = [];
  for (const percentage of PERCENTAGES) {
    const values = new Float64Array(USERS);
    const sides = new Uint8Array(USERS);
    const days = Float64Array.from({ length: USERS }, () => (random.uniform() < SEEN ? random.uniform() * DAYS : DAYS));
    for (let day = 0; day < DAYS; day++) {
      for (let user = 0; user < USERS; user++) {
        if (Math.floor(days[user]!) !== day) continue;
        const hasFlag = buckets[user]! < percentage / 100;
        sides[user] = hasFlag ? IN : OUT;
        values[user] = outcome(random, inclinations[user]!, hasFlag);
      }
      const sum = createRolloutSum(USERS);
      for (const stratum of [...past, { values, sides }]) sum.add(stratum.values, stratum.sides);
      looks.push(sum.estimate(isRate));
    }
    past.push({ values, sides });
  }
  return looks;
}

const judge = (estimate: RolloutEstimate, claim: Pick<RolloutClaim, "comparison" | "margin">, alpha = ALPHA) =>
  judgeRollout(estimate, estimate.n, { ...claim, alpha, minUsers: 30 });

/** Returns whether any look finds users in the rollout worse off: the condition for a rollback. */
const isTakenBack = (looks: readonly RolloutEstimate[], alpha = ALPHA) =>
  looks.some((look) => judge(look, { comparison: "GREATER_THAN", margin: 0 }, alpha).verdict === "HOLDS");

const isCovered = (looks: readonly RolloutEstimate[], truth: number) =>
  looks.every((look) => {
    const { interval } = judge(look, { comparison: "GREATER_THAN", margin: 0 });
    return interval === null || (interval[0] <= truth && interval[1] >= truth);
  });

/** Rollouts with a known true effect and a look every day. */
export const rollouts: Proof = (lab: Lab) => {
  const times = lab.times(5000);
  const atMost = { kind: "atMost", value: ALPHA } as const;
  const atLeast = { kind: "atLeast", value: 1 - ALPHA } as const;
  const random = lab.random("rollouts");
  const rates = Array.from({ length: times }, () => rollOut(random, alike, true));
  const revenues = Array.from({ length: times }, () => rollOut(random, revenue, false));
  const begins = (simulation: () => RolloutEstimate[]) =>
    count(times, () =>
      simulation().some((look) => judge(look, { comparison: "GREATER_THAN", margin: -MARGIN }).verdict === "HOLDS"),
    );
  const either = count(
    times,
    (index) => isTakenBack(rates[index]!, ALPHA / 2) || isTakenBack(revenues[index]!, ALPHA / 2),
  );
  return {
    title: "Rollouts that are looked at every day",
    setting:
      `${USERS.toLocaleString("en-GB")} users, of whom ${PERCENTAGES.join(", ")} % have the flag for ${DAYS} days each; ` +
      `${SEEN * 100} % are seen in a stage, each with their own constant rate (${RATE * 100} % on average), or with ` +
      "skewed revenue. Users in and out are compared over all stages so far, as rollout schedules and safety do, at each of " +
      "the 30 looks. A flag is taken back at the first look that establishes the difference to be above 0.",
    findings: [
      rateFinding(
        "a healthy rollout is taken back for a rate",
        count(times, (i) => isTakenBack(rates[i]!)),
        times,
        atMost,
      ),
      rateFinding(
        "a healthy rollout is taken back for revenue",
        count(times, (i) => isTakenBack(revenues[i]!)),
        times,
        atMost,
      ),
      rateFinding("a healthy rollout is taken back for either of the two", either, times, atMost),
      rateFinding(
        "rate: all intervals hold the truth",
        count(times, (i) => isCovered(rates[i]!, 0)),
        times,
        atLeast,
      ),
      rateFinding(
        "revenue: all intervals hold the truth",
        count(times, (i) => isCovered(revenues[i]!, 0)),
        times,
        atLeast,
      ),
      rateFinding(
        "a stage begins although the flag is worse by its whole margin",
        begins(() => rollOut(random, worse, true)),
        times,
        atMost,
      ),
      rateFinding(
        "a rollout that doubles the rate is taken back",
        count(times, () => isTakenBack(rollOut(random, doubled, true))),
        times,
        { kind: "atLeast", value: 0.9 },
      ),
    ],
  };
};
