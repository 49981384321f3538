import {
  emptyMoments,
  type Moments,
  mergeMoments,
  momentsFromSums,
  momentsOf,
  varianceOf,
  welchTest,
} from "@assay/core/stats";
import {
  armProbabilities,
  betaPosterior,
  comparePeriods,
  epsilonGreedyWeights,
  thompsonWeights,
  topTwoWeights,
  ucb1Weights,
} from "@assay/core/stats/bayes";
import { lineChart } from "../chart.ts";
import { estimateFinding, type Finding, rateFinding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import type { Random } from "../random.ts";

const RATES = [0.1, 0.11, 0.14];
const BEST = Math.max(...RATES);
const PERIODS = 15;
const USERS = 900;
const MIN_WEIGHT = 0.05;
/** The rise of all rates over the periods, as in a season. */
const TREND = 0.1;

type Allocate = (arms: readonly Moments[]) => number[];

const even: Allocate = (arms) => arms.map(() => 1 / arms.length);
const posteriors = (arms: readonly Moments[]) =>
  arms.map(({ n, mean }) => betaPosterior(1 + mean * n, 1 + n - mean * n));
const floor = { minWeight: MIN_WEIGHT };

const ALLOCATIONS: { name: string; allocate: Allocate; simulations: number }[] = [
  { name: "fixed split", allocate: even, simulations: 2000 },
  {
    name: "Thompson",
    allocate: (arms) => thompsonWeights(armProbabilities(posteriors(arms)), floor),
    simulations: 1000,
  },
  {
    name: "top-two Thompson",
    allocate: (arms) => topTwoWeights(armProbabilities(posteriors(arms)), floor),
    simulations: 1000,
  },
  { name: "epsilon-greedy", allocate: (arms) => epsilonGreedyWeights(arms, floor), simulations: 2000 },
  { name: "UCB1", allocate: (arms) => ucb1Weights(arms, { ...floor, users: USERS }), simulations: 2000 },
];

/** Returns the users of each arm in a period, by its share. Rounding gives the rest to the last arm. */
function split(weights: readonly number[]): number[] {
  const users = weights.map((weight) => Math.floor(weight * USERS));
  users[users.length - 1]! += USERS - users.reduce((sum, n) => sum + n, 0);
  return users;
}

interface Run {
  /** The conversions lost against the best arm, up to each period. */
  regret: number[];
  weighted: number;
  naive: number;
  covered: boolean;
}

function run(random: Random, allocate: Allocate): Run {
  let sofar = RATES.map(emptyMoments);
  const periods: Moments[][] = [];
  const regret: number[] = [];
  let lost = 0;
  for (let period = 0; period < PERIODS; period++) {
    const users = split(period === 0 ? even(sofar) : allocate(sofar));
    const season = (TREND * period) / (PERIODS - 1);
    const now = users.map((n, arm) => {
      const conversions = random.binomial(n, RATES[arm]! + season);
      lost += n * (BEST - RATES[arm]!);
      return momentsFromSums(n, conversions, conversions);
    });
    periods.push(now);
    regret.push(lost);
    sofar = sofar.map((moments, arm) => mergeMoments(moments, now[arm]!));
  }
  const arm = (index: number) => periods.map((period) => period[index]!);
  const all = periods.map(() => USERS);
  const weighted = comparePeriods(arm(0), arm(2), all);
  const interval = weighted.confidenceInterval ?? [0, 0];
  const truth = RATES[2]! - RATES[0]!;
  return {
    regret,
    weighted: weighted.difference ?? Number.NaN,
    naive: welchTest(sofar[0]!, sofar[2]!).difference ?? Number.NaN,
    covered: interval[0] <= truth && truth <= interval[1],
  };
}

function mean(claim: string, values: readonly number[], bound: Finding["bound"]): Finding {
  const moments = momentsOf(values);
  return estimateFinding(
    claim,
    moments.mean,
    Math.sqrt((varianceOf(moments) ?? 0) / values.length),
    values.length,
    bound,
  );
}

function simulate(lab: Lab) {
  return ALLOCATIONS.map(({ name, allocate, simulations }) => {
    const random = lab.random(`bandit ${name}`);
    return { name, runs: Array.from({ length: lab.times(simulations) }, () => run(random, allocate)) };
  });
}

/** Bandits lose less than a fixed split, and estimates weighted by period stay unbiased. */
export const bandit: Proof = (lab) => {
  const results = simulate(lab);
  const truth = RATES[2]! - RATES[0]!;
  const fixed = results[0]!.runs[0]!.regret.at(-1)!;
  const thompson = results[1]!.runs;
  const regrets = results.slice(1).map(({ name, runs }) =>
    mean(
      `${name}: conversions lost, as a share of a fixed split's`,
      runs.map(({ regret }) => regret.at(-1)! / fixed),
      { kind: "atMost", value: 1 },
    ),
  );
  const covered = thompson.filter((each) => each.covered).length;
  return {
    title: "Bandits",
    setting:
      `Arms of 10, 11 and 14 %, all rising by ${100 * TREND} points over ${PERIODS} periods of ${USERS} users; ` +
      `weights are updated every period, with at least ${100 * MIN_WEIGHT} % per arm. The bias is that of the third arm's ` +
      "difference from the first, under Thompson sampling.",
    findings: [
      ...regrets,
      mean(
        "bias of the difference weighted by period",
        thompson.map(({ weighted }) => weighted - truth),
        { kind: "equals", value: 0 },
      ),
      mean(
        "bias of the difference of pooled users",
        thompson.map(({ naive }) => naive - truth),
        { kind: "atLeast", value: 0.005 },
      ),
      rateFinding("coverage of the interval weighted by period", covered, thompson.length, {
        kind: "equals",
        value: 0.95,
      }),
    ],
    pictures: [
      {
        file: "bandit.svg",
        caption: "Conversions lost against always showing the best arm, by period (mean of all simulations).",
        chart: lineChart(
          { x: "period", y: "conversions lost", yFormat: "number" },
          results.map(({ name, runs }) => ({
            name,
            points: Array.from({ length: PERIODS }, (_, i): [number, number] => [
              i + 1,
              runs.reduce((sum, { regret }) => sum + regret[i]!, 0) / runs.length,
            ]),
          })),
        ),
      },
    ],
  };
};
