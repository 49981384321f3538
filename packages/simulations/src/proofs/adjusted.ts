import {
  type ArmEstimate,
  addToJointMoments,
  adjustArms,
  compareAdjusted,
  compareArms,
  compareArmsAnytime,
  compareProportions,
  compareProportionsAnytime,
  emptyJointMoments,
  type JointMoments,
  type Proportion,
} from "@assay/core/stats";
import { type Finding, rateFinding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;
const NOT_ABOVE = { kind: "notAbove", value: ALPHA } as const;
const DAYS = 60;
/**
 * The users that each arm needs before a look counts, and the conversions that the smaller arm expects, as in the
 * server.
 */
const MIN_USERS = 10;
const MIN_EXPECTED_CONVERSIONS = 20;
/** The users in control, of each hundred. */
const SPLITS = [50, 80, 95];
const CORRELATIONS = [0, 0.5, 0.9];

/** The outcome of a user after and before the exposure, from two correlated normal values. */
interface Law {
  outcome: (after: number) => number;
  covariate: (before: number) => number;
  isRate?: true;
}

const LAWS: Readonly<Record<string, Law>> = {
  normal: { outcome: (after) => after, covariate: (before) => before },
  "log-normal spending": { outcome: (z) => Math.exp(1.5 * z), covariate: (z) => Math.exp(1.5 * z) },
  "revenue, 20 % buy": {
    outcome: (z) => (z > 0.8416 ? Math.exp(1.5 * z) : 0),
    covariate: (z) => (z > 0.8416 ? Math.exp(1.5 * z) : 0),
  },
  "conversions, 5 %": { outcome: (z) => (z > 1.6449 ? 1 : 0), covariate: (z) => (z > 1.6449 ? 1 : 0), isRate: true },
  "conversions, 20 %, of skewed visits": {
    outcome: (z) => (z > 0.8416 ? 1 : 0),
    covariate: (z) => Math.exp(z),
    isRate: true,
  },
};

/** Creates one arm of an experiment with several covariates, whose users come over time. */
function createArm(random: Random, law: Law, correlation: number) {
  const moments = emptyJointMoments(4);
  return {
    moments,
    come(users: number, effect = 0): void {
      for (let user = 0; user < users; user++) {
        const before = random.normal();
        const after = correlation * before + Math.sqrt(1 - correlation ** 2) * random.normal();
        // Two more covariates: one of a group of users, one of chance.
        const group = before + random.normal() > 0.5 ? 1 : 0;
        addToJointMoments(moments, [law.outcome(after + effect), law.covariate(before), group, random.poisson(1)]);
      }
    },
  };
}

/** Returns the moments of the outcome and the first covariate. */
const withOneCovariate = ({ n, means, products }: JointMoments): JointMoments => ({
  n,
  means: means.slice(0, 2),
  products: products.slice(0, 2),
});

/** The ways to adjust: by the first covariate with a common slope, and by all of them with slopes per arm. */
const WAYS = {
  CUPED: (control: JointMoments, treatment: JointMoments) =>
    adjustArms(withOneCovariate(control), withOneCovariate(treatment), { slopes: "COMMON" }),
  regression: (control: JointMoments, treatment: JointMoments) => adjustArms(control, treatment),
} as const;
type Way = keyof typeof WAYS;
const NAMES = Object.keys(WAYS) as Way[];

interface Tests {
  means: (control: ArmEstimate, treatment: ArmEstimate) => { pValue: number | null };
  rates: (control: Proportion, treatment: Proportion) => { pValue: number | null };
}
const ONCE: Tests = { means: compareArms, rates: compareProportions };
const ANY_TIME: Tests = { means: compareArmsAnytime, rates: compareProportionsAnytime };

/**
 * Returns whether a test finds a difference, as the server decides: few conversions by their rates, others by adjusted
 * means.
 */
function finds(way: Way, { isRate }: Law, control: JointMoments, treatment: JointMoments, tests: Tests): boolean {
  if (Math.min(control.n, treatment.n) < MIN_USERS) return false;
  if (isRate) {
    const [c, t] = [control, treatment].map(({ n, means }) => ({ n, successes: Math.round(n * means[0]!) }));
    const rate = (c!.successes + t!.successes) / (c!.n + t!.n);
    const expected = Math.min(c!.n, t!.n) * Math.min(rate, 1 - rate);
    if (expected < MIN_EXPECTED_CONVERSIONS) return (tests.rates(c!, t!).pValue ?? 1) < ALPHA;
  }
  const arms = WAYS[way](control, treatment);
  return (tests.means(arms.control, arms.treatment).pValue ?? 1) < ALPHA;
}

/** An experiment without an effect. */
interface Cell {
  law: Law;
  correlation: number;
  control: number;
  treatment: number;
  random: Random;
}

/**
 * Returns, for each law, split and way to adjust, the finding of the worst correlation. Both ways adjust the same
 * users.
 *
 * @param full returns the number of simulations of a split: at 50/50 rates lie at alpha, so the worst of several needs
 * more
 */
function worstOf(
  lab: Lab,
  name: string,
  users: number,
  full: (split: number) => number,
  run: (cell: Cell) => Iterable<Way>,
): Finding[] {
  return Object.entries(LAWS).flatMap(([title, law]) =>
    SPLITS.flatMap((split) => {
      const where = `${name}, ${title}, ${split}/${100 - split}`;
      const control = (users * split) / 100;
      const times = lab.times(full(split));
      const rejected = CORRELATIONS.map((correlation) => {
        const random = lab.random(`adjusted, ${where}, ${correlation}`);
        const counts = { CUPED: 0, regression: 0 };
        for (let once = 0; once < times; once++) {
          for (const way of run({ law, correlation, control, treatment: users - control, random })) counts[way]++;
        }
        return counts;
      });
      return NAMES.map((way) => {
        const worst = rejected.reduce((a, b) => (b[way] > a[way] ? b : a));
        const claim = `${way}, ${where}, worst of ${CORRELATIONS.length} correlations`;
        return rateFinding(claim, worst[way], times, NOT_ABOVE);
      });
    }),
  );
}

/** Yields the ways by which one look finds a difference. */
function* oneLook({ law, correlation, control, treatment, random }: Cell): Iterable<Way> {
  const [c, t] = [createArm(random, law, correlation), createArm(random, law, correlation)];
  c.come(control);
  t.come(treatment);
  for (const way of NAMES) if (finds(way, law, c.moments, t.moments, ONCE)) yield way;
}

/** Returns the ways by which any of the looks finds a difference. Each look estimates the slopes anew. */
function dailyLooks({ law, correlation, control, treatment, random }: Cell): Iterable<Way> {
  const [c, t] = [createArm(random, law, correlation), createArm(random, law, correlation)];
  const found = new Set<Way>();
  for (let day = 1; day <= DAYS; day++) {
    c.come(onDay(control, day));
    t.come(onDay(treatment, day));
    for (const way of NAMES) {
      if (!found.has(way) && finds(way, law, c.moments, t.moments, ANY_TIME)) found.add(way);
    }
  }
  return found;
}

const onDay = (users: number, day: number) => Math.floor((users * day) / DAYS) - Math.floor((users * (day - 1)) / DAYS);

/** Checks the power that adjusting gains, at an effect with a power of one half without it. */
function powers(lab: Lab): Finding[] {
  const law = LAWS.normal!;
  const users = 1000;
  // The power at 1.96 standard errors, of which adjusting leaves sqrt(1 - rho^2), by scipy's norm.
  const theory = { 0.5: 0.6191620105, 0.9: 0.994403012 };
  return Object.entries(theory).flatMap(([name, power]) => {
    const correlation = Number(name);
    const random = lab.random(`adjusted power ${correlation}`);
    const times = lab.times(5000);
    let [before, after] = [0, 0];
    for (let once = 0; once < times; once++) {
      const [c, t] = [createArm(random, law, correlation), createArm(random, law, correlation)];
      c.come(users);
      t.come(users, 1.96 * Math.sqrt(2 / users));
      const { unadjusted, decision } = compareAdjusted(c.moments, t.moments);
      if (unadjusted.significant) before++;
      if (decision.significant) after++;
    }
    return [
      rateFinding(`power without adjusting, correlation ${correlation}`, before, times, { kind: "equals", value: 0.5 }),
      rateFinding(`power with regression, correlation ${correlation}`, after, times, { kind: "equals", value: power }),
    ];
  });
}

/** Adjusted decisions keep their level, at one look and at sixty, and find more. */
export const adjusted: Proof = (lab) => ({
  title: "Decisions by adjusted means",
  setting:
    "A/A comparisons of outcomes whose covariate has the given correlation on the normal scale, by CUPED (that covariate, one " +
    "slope) and by regression (two more covariates, slopes per arm): one look at 2,000 users by compareArms, and a look every " +
    "day for 60 days at 3,000 users by compareArmsAnytime, with slopes estimated anew at each look. Rates for which the " +
    "smaller arm expects fewer than 20 conversions decide unadjusted, as in the server. The last rows are the " +
    "power of a difference of 1.96 standard errors; theory leaves sqrt(1 - rho^2) of each.",
  findings: [
    ...worstOf(lab, "one look", 2000, (split) => (split === 50 ? 10_000 : 5000), oneLook),
    ...worstOf(lab, `${DAYS} daily looks`, 3000, () => 500, dailyLooks),
    ...powers(lab),
  ],
});
