import {
  compareMeans,
  compareProportions,
  type Decision,
  momentsOf,
  type Proportion,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";
import { exactFinding, type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import { LAWS } from "../population.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;
const NOT_ABOVE = { kind: "notAbove", value: ALPHA } as const;
/** The users in control, of each hundred. */
const SPLITS = [50, 80, 95, 99];
const RATES = [0.5, 0.05, 0.005, 0.0005];
/** The sizes at which every outcome is enumerated, and those at which outcomes are drawn. */
const ENUMERATED = [20, 200, 2000];
const DRAWN = [20_000, 1_000_000];

const armsOf = (users: number, split: number) => {
  const control = Math.round((users * split) / 100);
  return { control, treatment: users - control };
};
const nameOf = (split: number) => `${split}/${100 - split}`;
const percent = (rate: number) => `${Number((100 * rate).toPrecision(3))} %`;

/** The logarithms ln n! for n up to 2,000. */
const logFactorials = [0];
for (let n = 1; n <= 2000; n++) logFactorials.push(logFactorials[n - 1]! + Math.log(n));

/** Returns the probabilities of 0 to n successes. */
function binomialOf(n: number, p: number): number[] {
  return Array.from({ length: n + 1 }, (_, k) =>
    Math.exp(
      logFactorials[n]! - logFactorials[k]! - logFactorials[n - k]! + k * Math.log(p) + (n - k) * Math.log1p(-p),
    ),
  );
}

type RateTest = (control: Proportion, treatment: Proportion) => boolean;
const decides: RateTest = (control, treatment) => compareProportions(control, treatment).significant;
const wald: RateTest = (control, treatment) => twoProportionTest(control, treatment).significant;

/** Returns the exact false-positive rate: the probability of all outcomes for which the test rejects. */
function exactRate(users: number, split: number, rate: number, rejects: RateTest): number {
  const { control, treatment } = armsOf(users, split);
  if (treatment < 1) return 0;
  const [pc, pt] = [binomialOf(control, rate), binomialOf(treatment, rate)];
  let total = 0;
  for (const [xc, c] of pc.entries()) {
    if (c < 1e-9) continue;
    for (const [xt, t] of pt.entries()) {
      if (c * t < 1e-11) continue;
      if (rejects({ successes: xc, n: control }, { successes: xt, n: treatment })) total += c * t;
    }
  }
  return total;
}

function ratesOf(lab: Lab): Finding[] {
  return SPLITS.flatMap((split) => {
    const exact = RATES.flatMap((rate) =>
      ENUMERATED.map((users) => ({ users, rate, value: exactRate(users, split, rate, decides) })),
    );
    const worst = exact.reduce((a, b) => (b.value > a.value ? b : a));
    const where = `${worst.users.toLocaleString("en-GB")} users, ${percent(worst.rate)}`;
    return [
      exactFinding(`rates ${nameOf(split)}, worst of ${exact.length} exact cells (${where})`, worst.value, NOT_ABOVE),
      ...DRAWN.flatMap((users) =>
        RATES.map((rate) => {
          const claim = `rates ${nameOf(split)}, ${users.toLocaleString("en-GB")} users, ${percent(rate)}`;
          const random = lab.random(claim);
          const times = lab.times(20_000);
          const { control, treatment } = armsOf(users, split);
          const arm = (n: number) => ({ successes: random.binomial(n, rate), n });
          return rateFinding(
            claim,
            count(times, () => decides(arm(control), arm(treatment))),
            times,
            NOT_ABOVE,
          );
        }),
      ),
    ];
  });
}

function meansOf(lab: Lab): Finding[] {
  return Object.entries(LAWS).flatMap(([law, draw]) =>
    SPLITS.flatMap((split) =>
      [500, 5000].map((users) => {
        const claim = `means of ${law} ${nameOf(split)}, ${users.toLocaleString("en-GB")} users`;
        const random = lab.random(claim);
        const times = lab.times(4000);
        const rejects = () => compareOnce(random, users, split, draw, compareMeans)?.significant ?? false;
        return rateFinding(claim, count(times, rejects), times, NOT_ABOVE);
      }),
    ),
  );
}

function compareOnce<T>(
  random: Random,
  users: number,
  split: number,
  draw: (random: Random) => number,
  compare: (control: ReturnType<typeof momentsOf>, treatment: ReturnType<typeof momentsOf>) => T,
): T {
  const { control, treatment } = armsOf(users, split);
  const arm = (n: number) => momentsOf(Array.from({ length: n }, () => draw(random)));
  return compare(arm(control), arm(treatment));
}

/** Checks the reference tests in the same cells, which shows why they do not decide. */
function references(lab: Lab): Finding[] {
  const tooMany = { kind: "atLeast", value: 2 * ALPHA } as const;
  const claim = "Welch's test of revenue (2 % buy) 95/5, 1,000 users, for comparison";
  const random = lab.random(claim);
  const times = lab.times(4000);
  const rejects = () => compareOnce(random, 1000, 95, LAWS["revenue, 2 % buy"], welchTest).significant;
  return [
    exactFinding(
      "unpooled z-test of rates 95/5, 1,000 users, 2 %, for comparison",
      exactRate(1000, 95, 0.02, wald),
      tooMany,
    ),
    rateFinding(claim, count(times, rejects), times, tooMany),
  ];
}

/** Checks how often the interval of the lift contains the true lift. */
function liftsOf(lab: Lab): Finding[] {
  const holds = ({ relativeConfidenceInterval: interval }: Decision, truth: number) =>
    interval === null || (interval[0] <= truth && interval[1] >= truth);
  const atLeast = { kind: "atLeast", value: 0.94 } as const;
  const rates = [
    [200, 0.005],
    [500, 0.02],
    [5000, 0.05],
  ] as const;
  return [
    ...rates.map(([users, rate]) => {
      const claim = `lift of rates, ${percent(rate)} and ${percent(1.5 * rate)} of ${users} users an arm`;
      const random = lab.random(claim);
      const times = lab.times(20_000);
      const once = () =>
        compareProportions(
          { successes: random.binomial(users, rate), n: users },
          { successes: random.binomial(users, 1.5 * rate), n: users },
        );
      return rateFinding(
        claim,
        count(times, () => holds(once(), 0.5)),
        times,
        atLeast,
      );
    }),
    ...[50, 95].map((split) => {
      const claim = `lift of skewed revenue ${nameOf(split)}, 4,000 users`;
      const random = lab.random(claim);
      const times = lab.times(5000);
      const { control, treatment } = armsOf(4000, split);
      const draw = LAWS["revenue, 20 % buy"];
      const arm = (n: number, factor: number) => momentsOf(Array.from({ length: n }, () => factor * draw(random)));
      return rateFinding(
        claim,
        count(times, () => holds(compareMeans(arm(control, 1), arm(treatment, 1.2)), 0.2)),
        times,
        { kind: "atLeast", value: 0.93 },
      );
    }),
  ];
}

/** The tests that decide keep their level in every cell of the grid. */
export const oneLook: Proof = (lab) => ({
  title: "Decisions by one look",
  setting:
    "A/A comparisons by compareProportions and compareMeans, over splits, rates, sizes and skewed laws. Rates of up to " +
    `${ENUMERATED.at(-1)!.toLocaleString("en-GB")} users are enumerated, so they are exact. The limit is alpha and three ` +
    "standard errors of the simulation. Intervals of the lift are those of arms that differ.",
  findings: [...ratesOf(lab), ...meansOf(lab), ...references(lab), ...liftsOf(lab)],
});
