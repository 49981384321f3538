import {
  type Comparison,
  cupedTest,
  type Interval,
  momentsOf,
  newcombeInterval,
  quantileEstimate,
  quantileTest,
  ratioTest,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";
import { intervalChart } from "../chart.ts";
import { type Bound, rateFinding } from "../finding.ts";
import type { Proof } from "../lab.ts";
import { beforeAndAfter, CLICKS_PER_SESSION, latencies, SPEND, sessions, spend } from "../population.ts";
import type { Random } from "../random.ts";
import { jointSample, sample } from "./false-positives.ts";

const NOMINAL = 0.95;
const HALF_A_POINT: Bound = { kind: "within", lower: 0.945, upper: 0.955 };

/** An interval and the true value that it should contain. */
type Held = [interval: Interval | null, truth: number];

/** The intervals of one simulated experiment, each with its true value. */
interface CoverageCase {
  claims: string[];
  simulations: number;
  intervals(random: Random): Held[];
  bounds?: Bound[];
}

const rate = (random: Random, n: number, p: number) => ({ successes: random.binomial(n, p), n });

/** Draws two arms of rare conversions with random rates. Coverage is an average over the rates. */
function rareConversions(random: Random) {
  const [pc, pt] = [0.01 * random.uniform(), 0.01 * random.uniform()];
  const [control, treatment] = [rate(random, 400, pc), rate(random, 400, pt)];
  return { control, treatment, truth: pt - pc };
}

const absoluteAndLift = (test: Comparison, difference: number, lift: number): Held[] => [
  [test.confidenceInterval, difference],
  [test.relativeConfidenceInterval, lift],
];

const CASES: CoverageCase[] = [
  {
    claims: ["means: difference of skewed revenue, 1,000 users an arm", "lift of skewed revenue, 1,000 users an arm"],
    simulations: 100_000,
    intervals(random) {
      const [c, t] = [sample(1000, () => spend(random)), sample(1000, () => 1.2 * spend(random))];
      return absoluteAndLift(welchTest(momentsOf(c), momentsOf(t)), 0.2 * SPEND.mean, 0.2);
    },
  },
  {
    claims: [
      "proportions: difference of 20 % and 22 % of 2,000 users",
      "lift of proportions, 20 % and 22 % of 2,000 users",
    ],
    simulations: 100_000,
    intervals: (random) =>
      absoluteAndLift(twoProportionTest(rate(random, 2000, 0.2), rate(random, 2000, 0.22)), 0.02, 0.1),
  },
  {
    claims: ["Newcombe: rates of 0 to 1 % of 400 users", "the same rates by the z interval, for comparison"],
    simulations: 50_000,
    intervals(random) {
      const { control, treatment, truth } = rareConversions(random);
      const z = twoProportionTest(control, treatment, { variance: "unpooled" });
      return [
        [newcombeInterval(control, treatment), truth],
        [z.confidenceInterval, truth],
      ];
    },
    bounds: [
      { kind: "atLeast", value: 0.945 },
      { kind: "atMost", value: 0.945 },
    ],
  },
  {
    claims: [
      "ratio: difference of clicks per session, 500 users an arm",
      "lift of clicks per session, 500 users an arm",
    ],
    simulations: 50_000,
    intervals(random) {
      const control = jointSample(500, 2, () => sessions(random));
      const treatment = jointSample(500, 2, () => {
        const [clicks, visits] = sessions(random);
        return [clicks + 0.1 * visits, visits];
      });
      return absoluteAndLift(ratioTest(control, treatment), 0.1, 0.1 / CLICKS_PER_SESSION);
    },
  },
  {
    claims: ["median of one arm, one observation a user, 2,000 users"],
    simulations: 30_000,
    intervals: (random) => [
      [quantileEstimate({ values: sample(2000, random.exponential) }).confidenceInterval, Math.LN2],
    ],
  },
  {
    claims: ["90 % quantile: difference, several observations a user, 1,000 users an arm"],
    simulations: 50_000,
    intervals(random) {
      const [control, treatment] = [latencies(random, 1000), latencies(random, 1000, 0.1)];
      return [[quantileTest(control, treatment, { quantile: 0.9 }).confidenceInterval, 0.1]];
    },
  },
  {
    claims: ["CUPED: adjusted difference, correlation 0.7, 500 users an arm"],
    simulations: 50_000,
    intervals(random) {
      const control = jointSample(500, 2, () => beforeAndAfter(random));
      const treatment = jointSample(500, 2, () => {
        const [after, before] = beforeAndAfter(random);
        return [after + 0.1, before];
      });
      return [[cupedTest(control, treatment).adjusted.confidenceInterval, 0.1]];
    },
  },
];

/** Nineteen of twenty 95 % intervals contain the true value. */
export const coverage: Proof = (lab) => {
  const findings = CASES.flatMap(({ claims, simulations, intervals, bounds = [] }) => {
    const random = lab.random(claims.join());
    const times = lab.times(simulations);
    const hits = claims.map(() => 0);
    for (let i = 0; i < times; i++) {
      intervals(random).forEach(([interval, truth], k) => {
        if (interval && interval[0] <= truth && truth <= interval[1]) hits[k]!++;
      });
    }
    return claims.map((claim, k) => rateFinding(claim, hits[k]!, times, bounds[k] ?? HALF_A_POINT));
  });
  return {
    title: "Coverage of 95 % intervals",
    setting:
      "The arms differ by a known amount. The table shows the share of simulations whose interval contains it. " +
      "Newcombe's interval applies if an arm has fewer than 5 successes or failures; it is conservative.",
    findings,
    pictures: [
      {
        file: "coverage.svg",
        caption: "Share of 95 % intervals that hold the truth, with its Monte Carlo interval.",
        chart: intervalChart(
          "coverage",
          findings.filter(({ bound }) => bound.kind === "within"),
          NOMINAL,
        ),
      },
    ],
  };
};
