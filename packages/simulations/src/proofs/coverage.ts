import {
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
import { count, type Proof } from "../lab.ts";
import { beforeAndAfter, CLICKS_PER_SESSION, latencies, SPEND, sessions, spend } from "../population.ts";
import type { Random } from "../random.ts";
import { jointSample, sample } from "./false-positives.ts";

const NOMINAL = 0.95;
const HALF_A_POINT: Bound = { kind: "within", lower: 0.945, upper: 0.955 };

/** One kind of interval of a known truth. */
interface CoverageCase {
  claim: string;
  simulations: number;
  interval(random: Random): { interval: Interval | null; truth: number };
  bound?: Bound;
}

const rate = (random: Random, n: number, p: number) => ({ successes: random.binomial(n, p), n });

/** A comparison of rare conversions, in which both rates are drawn as well: coverage is an average over them. */
function rareConversions(random: Random) {
  const [pc, pt] = [0.01 * random.uniform(), 0.01 * random.uniform()];
  const [control, treatment] = [rate(random, 400, pc), rate(random, 400, pt)];
  return { control, treatment, truth: pt - pc };
}

const CASES: CoverageCase[] = [
  {
    claim: "means: difference of skewed revenue, 1,000 users an arm",
    simulations: 50_000,
    interval(random) {
      const [c, t] = [sample(1000, () => spend(random)), sample(1000, () => 1.2 * spend(random))];
      return { interval: welchTest(momentsOf(c), momentsOf(t)).confidenceInterval, truth: 0.2 * SPEND.mean };
    },
  },
  {
    claim: "lift of skewed revenue, 1,000 users an arm",
    simulations: 100_000,
    interval(random) {
      const [c, t] = [sample(1000, () => spend(random)), sample(1000, () => 1.2 * spend(random))];
      return { interval: welchTest(momentsOf(c), momentsOf(t)).relativeConfidenceInterval, truth: 0.2 };
    },
  },
  {
    claim: "proportions: difference of 20 % and 22 % of 2,000 users",
    simulations: 100_000,
    interval: (random) => ({
      interval: twoProportionTest(rate(random, 2000, 0.2), rate(random, 2000, 0.22)).confidenceInterval,
      truth: 0.02,
    }),
  },
  {
    claim: "lift of proportions, 20 % and 22 % of 2,000 users",
    simulations: 100_000,
    interval: (random) => ({
      interval: twoProportionTest(rate(random, 2000, 0.2), rate(random, 2000, 0.22)).relativeConfidenceInterval,
      truth: 0.1,
    }),
  },
  {
    claim: "Newcombe: rates of 0 to 1 % of 400 users",
    simulations: 50_000,
    interval(random) {
      const { control, treatment, truth } = rareConversions(random);
      return { interval: newcombeInterval(control, treatment), truth };
    },
    bound: { kind: "atLeast", value: 0.945 },
  },
  {
    claim: "the same rates by the z interval, for comparison",
    simulations: 50_000,
    interval(random) {
      const { control, treatment, truth } = rareConversions(random);
      return { interval: twoProportionTest(control, treatment, { variance: "unpooled" }).confidenceInterval, truth };
    },
    bound: { kind: "atMost", value: 0.945 },
  },
  {
    claim: "ratio: difference of clicks per session, 500 users an arm",
    simulations: 50_000,
    interval(random) {
      const control = jointSample(500, 2, () => sessions(random));
      const treatment = jointSample(500, 2, () => {
        const [clicks, visits] = sessions(random);
        return [clicks + 0.1 * visits, visits];
      });
      return { interval: ratioTest(control, treatment).confidenceInterval, truth: 0.1 };
    },
  },
  {
    claim: "lift of clicks per session, 500 users an arm",
    simulations: 50_000,
    interval(random) {
      const control = jointSample(500, 2, () => sessions(random));
      const treatment = jointSample(500, 2, () => {
        const [clicks, visits] = sessions(random);
        return [clicks + 0.1 * visits, visits];
      });
      return { interval: ratioTest(control, treatment).relativeConfidenceInterval, truth: 0.1 / CLICKS_PER_SESSION };
    },
  },
  {
    claim: "median of one arm, one observation a user, 2,000 users",
    simulations: 30_000,
    interval: (random) => ({
      interval: quantileEstimate({ values: sample(2000, random.exponential) }).confidenceInterval,
      truth: Math.LN2,
    }),
  },
  {
    claim: "90 % quantile: difference, several observations a user, 1,000 users an arm",
    simulations: 50_000,
    interval: (random) => ({
      interval: quantileTest(latencies(random, 1000), latencies(random, 1000, 0.1), { quantile: 0.9 })
        .confidenceInterval,
      truth: 0.1,
    }),
  },
  {
    claim: "CUPED: adjusted difference, correlation 0.7, 500 users an arm",
    simulations: 50_000,
    interval(random) {
      const control = jointSample(500, 2, () => beforeAndAfter(random));
      const treatment = jointSample(500, 2, () => {
        const [after, before] = beforeAndAfter(random);
        return [after + 0.1, before];
      });
      return { interval: cupedTest(control, treatment).adjusted.confidenceInterval, truth: 0.1 };
    },
  },
];

/** Nineteen of twenty 95 % intervals hold the truth. */
export const coverage: Proof = (lab) => {
  const findings = CASES.map(({ claim, simulations, interval, bound = HALF_A_POINT }) => {
    const random = lab.random(claim);
    const times = lab.times(simulations);
    const hits = count(times, () => {
      const answer = interval(random);
      return answer.interval && answer.interval[0] <= answer.truth && answer.truth <= answer.interval[1];
    });
    return rateFinding(claim, hits, times, bound);
  });
  return {
    title: "Coverage of 95 % intervals",
    setting:
      "The arms differ by a known amount; the share of simulations whose interval holds it. Newcombe's interval is " +
      "the one shown where an arm has fewer than 5 successes or failures; it errs on the safe side.",
    findings,
    pictures: [
      {
        file: "coverage.svg",
        caption: "Share of 95 % intervals that hold the truth, with its Monte Carlo interval.",
        chart: intervalChart("coverage", findings, NOMINAL),
      },
    ],
  };
};
