import {
  addToJointMoments,
  cupedTest,
  emptyJointMoments,
  type JointMoments,
  type Moments,
  momentsOf,
  quantileTest,
  ratioTest,
  twoProportionTest,
  welchTest,
  winsorBounds,
  winsorise,
} from "@assay/core/stats";
import { intervalChart } from "../chart.ts";
import { type Bound, rateFinding } from "../finding.ts";
import { count, type Proof } from "../lab.ts";
import { beforeAndAfter, latencies, sessions, spend } from "../population.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;

/** One way to compare two identical arms. `rejects` returns whether it finds a false difference. */
interface NullCase {
  claim: string;
  simulations: number;
  rejects(random: Random): boolean;
  bound?: Bound;
}

/** Returns `n` draws, one per user. */
export function sample(n: number, draw: () => number): number[] {
  return Array.from({ length: n }, draw);
}

/** Returns the joint moments of `n` users, each with `values` values. */
export function jointSample(n: number, values: number, draw: () => ArrayLike<number>): JointMoments {
  const moments = emptyJointMoments(values);
  for (let user = 0; user < n; user++) addToJointMoments(moments, draw());
  return moments;
}

function spenders(random: Random, n = 1000): Moments {
  return momentsOf(sample(n, () => spend(random)));
}

function clickers(random: Random): JointMoments {
  return jointSample(500, 2, () => sessions(random));
}

/** Returns clicks and sessions as if each session were a separate user. */
function sessionsAsUnits({ n, means }: JointMoments) {
  return { successes: Math.round(means[0]! * n), n: Math.round(means[1]! * n) };
}

const CASES: NullCase[] = [
  {
    claim: "Welch's t, skewed revenue, 1,000 users an arm",
    simulations: 50_000,
    rejects: (random) => welchTest(spenders(random), spenders(random)).significant,
  },
  {
    claim: "Welch's t, unequal arms and variances (30 and 60 users)",
    simulations: 100_000,
    rejects: (random) =>
      welchTest(momentsOf(sample(30, () => 3 * random.normal())), momentsOf(sample(60, random.normal))).significant,
  },
  {
    claim: "Welch's t, winsorised at 1 % and 99 % of both arms together",
    simulations: 20_000,
    rejects(random) {
      const [c, t] = [sample(1000, () => spend(random)), sample(1000, () => spend(random))];
      const bounds = winsorBounds([c, t], 0.01, 0.99) ?? [0, 0];
      return welchTest(momentsOf(winsorise(c, bounds)), momentsOf(winsorise(t, bounds))).significant;
    },
  },
  {
    claim: "two proportions, 10 % of 2,000 and 3,000 users",
    simulations: 100_000,
    rejects: (random) =>
      twoProportionTest(
        { successes: random.binomial(2000, 0.1), n: 2000 },
        { successes: random.binomial(3000, 0.1), n: 3000 },
      ).significant,
  },
  {
    claim: "ratio by the delta method, clicks per session of 500 users an arm",
    simulations: 20_000,
    rejects: (random) => ratioTest(clickers(random), clickers(random)).significant,
  },
  {
    claim: "the same ratio wrongly tested as a proportion of sessions",
    simulations: 5_000,
    rejects: (random) =>
      twoProportionTest(sessionsAsUnits(clickers(random)), sessionsAsUnits(clickers(random))).significant,
    bound: { kind: "atLeast", value: ALPHA },
  },
  {
    claim: "median of one observation a user, 1,000 users an arm",
    simulations: 10_000,
    rejects: (random) =>
      quantileTest({ values: sample(1000, random.exponential) }, { values: sample(1000, random.exponential) })
        .significant,
  },
  {
    claim: "90 % quantile of several observations a user, 1,000 users an arm",
    simulations: 10_000,
    rejects: (random) => quantileTest(latencies(random, 1000), latencies(random, 1000), { quantile: 0.9 }).significant,
  },
  {
    claim: "the same quantile with observations wrongly taken for users",
    simulations: 5_000,
    rejects(random) {
      const [c, t] = [latencies(random, 1000), latencies(random, 1000)];
      return quantileTest({ values: c.values }, { values: t.values }, { quantile: 0.9 }).significant;
    },
    bound: { kind: "atLeast", value: ALPHA },
  },
  {
    claim: "the median of whole numbers, where 2 % of 20,000 users share each",
    simulations: 2_000,
    rejects(random) {
      const arm = () => ({ values: sample(20_000, () => Math.floor(24.6 * random.exponential())) });
      return quantileTest(arm(), arm()).significant;
    },
    bound: { kind: "atMost", value: ALPHA },
  },
  {
    claim: "CUPED, skewed outcome and covariate, 500 users an arm",
    simulations: 50_000,
    rejects: (random) =>
      cupedTest(
        jointSample(500, 2, () => beforeAndAfter(random)),
        jointSample(500, 2, () => beforeAndAfter(random)),
      ).adjusted.significant,
  },
];

/** The tests of two arms reject a true null hypothesis with probability alpha. */
export const falsePositives: Proof = (lab) => {
  const findings = CASES.map(({ claim, simulations, rejects, bound = { kind: "equals", value: ALPHA } }) => {
    const random = lab.random(claim);
    const times = lab.times(simulations);
    return rateFinding(
      claim,
      count(times, () => rejects(random)),
      times,
      bound,
    );
  });
  return {
    title: "False positives of a comparison of two equal arms",
    setting: "Both arms come from the same population. The table shows the share of simulations with p < 0.05.",
    findings,
    pictures: [
      {
        file: "false-positives.svg",
        caption: "Share of A/A comparisons that find a difference, with its Monte Carlo interval, against alpha.",
        chart: intervalChart(
          "false-positive rate",
          findings.filter(({ bound }) => bound.kind === "equals"),
          ALPHA,
        ),
      },
    ],
  };
};
