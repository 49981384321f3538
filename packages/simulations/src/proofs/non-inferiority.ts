import {
  addToMoments,
  armMarginTest,
  armMarginTestAnytime,
  emptyMoments,
  type MarginTest,
  meanEstimate,
  momentsOf,
  type Proportion,
  proportionMarginTest,
  proportionMarginTestAnytime,
  rateEstimate,
} from "@assay/core/stats";
import { type Bound, exactFinding, type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import { LAWS } from "../population.ts";
import type { Random } from "../random.ts";

/** The level of each one-sided test. */
const LEVEL = 0.025;
const NOT_ABOVE: Bound = { kind: "notAbove", value: LEVEL };
const MARGIN = 0.1;
const DAYS = 60;
/** The users that each arm needs before a look counts, as in the server. */
const MIN_USERS = 10;
/** The users in control, of each hundred. */
const SPLITS = [50, 80, 95];
const RATES = [0.5, 0.05, 0.005];
/** Sizes at which every outcome is enumerated. */
const ENUMERATED = [20, 200, 2000];

/** The border at which the treatment lies, and the p-value that errs there. */
const BORDERS = {
  lower: { factor: 1 - MARGIN, pValue: ({ aboveLower }: MarginTest) => aboveLower },
  upper: { factor: 1 + MARGIN, pValue: ({ belowUpper }: MarginTest) => belowUpper },
} as const;
type Border = (typeof BORDERS)[keyof typeof BORDERS];
const borders = Object.entries(BORDERS);

const nameOf = (split: number) => `${split}/${100 - split}`;
const percent = (rate: number) => `${Number((100 * rate).toPrecision(3))} %`;
const users = (n: number) => `${n.toLocaleString("en-GB")} users`;
const armsOf = (n: number, split: number) => {
  const control = Math.round((n * split) / 100);
  return { control, treatment: n - control };
};
const errs = (pValue: number | null) => pValue !== null && pValue < LEVEL;

/** Returns the probabilities of 0 to n successes. */
function binomialOf(n: number, p: number): number[] {
  let log = n * Math.log1p(-p);
  return Array.from({ length: n + 1 }, (_, k) => {
    if (k > 0) log += Math.log((n - k + 1) / k) + Math.log(p / (1 - p));
    return Math.exp(log);
  });
}

/** Returns the exact probability that the test finds a treatment at a border within the margin. */
function exactRate(n: number, split: number, rate: number, { factor, pValue }: Border): number {
  const { control, treatment } = armsOf(n, split);
  const [pc, pt] = [binomialOf(control, rate), binomialOf(treatment, factor * rate)];
  let total = 0;
  for (const [xc, c] of pc.entries()) {
    if (c < 1e-9) continue;
    for (const [xt, t] of pt.entries()) {
      if (c * t < 1e-11) continue;
      const test = proportionMarginTest({ successes: xc, n: control }, { successes: xt, n: treatment }, MARGIN);
      if (errs(pValue(test))) total += c * t;
    }
  }
  return total;
}

function oneLook(lab: Lab): Finding[] {
  return SPLITS.flatMap((split) => {
    const cells = borders.flatMap(([, border]) =>
      RATES.flatMap((rate) => ENUMERATED.map((n) => ({ n, rate, value: exactRate(n, split, rate, border) }))),
    );
    const worst = cells.reduce((a, b) => (b.value > a.value ? b : a));
    const claim = `rates ${nameOf(split)}, worst of ${cells.length} exact cells (${users(worst.n)}, ${percent(worst.rate)})`;
    return [
      exactFinding(claim, worst.value, NOT_ABOVE),
      ...RATES.flatMap((rate) =>
        borders.map(([side, border]) =>
          drawn(lab, `rates ${nameOf(split)}, ${side} border`, 100_000, split, rate, border),
        ),
      ),
    ];
  });
}

function drawn(lab: Lab, name: string, n: number, split: number, rate: number, { factor, pValue }: Border): Finding {
  const claim = `${name}, ${users(n)}, ${percent(rate)}`;
  const random = lab.random(`margin ${claim}`);
  const times = lab.times(20_000);
  const { control, treatment } = armsOf(n, split);
  const arm = (size: number, p: number): Proportion => ({ successes: random.binomial(size, p), n: size });
  const once = () => pValue(proportionMarginTest(arm(control, rate), arm(treatment, factor * rate), MARGIN));
  return rateFinding(
    claim,
    count(times, () => errs(once())),
    times,
    NOT_ABOVE,
  );
}

function means(lab: Lab): Finding[] {
  return (["counts", "log-normal spending", "revenue, 20 % buy"] as const).flatMap((law) =>
    [50, 80].flatMap((split) =>
      borders.map(([side, { factor, pValue }]) => {
        const claim = `means of ${law} ${nameOf(split)}, ${side} border, ${users(5000)}`;
        const random = lab.random(`margin ${claim}`);
        const times = lab.times(4000);
        const sizes = armsOf(5000, split);
        const arm = (n: number, by: number) =>
          meanEstimate(momentsOf(Array.from({ length: n }, () => by * LAWS[law](random))));
        const once = () => pValue(armMarginTest(arm(sizes.control, 1), arm(sizes.treatment, factor), MARGIN));
        return rateFinding(
          claim,
          count(times, () => errs(once())),
          times,
          NOT_ABOVE,
        );
      }),
    ),
  );
}

/** Returns the users that come to an arm on one of the days, if `n` come on all days. */
const onDay = (n: number, day: number) => Math.floor((n * day) / DAYS) - Math.floor((n * (day - 1)) / DAYS);

function anyDay(look: (day: number) => boolean): boolean {
  for (let day = 1; day <= DAYS; day++) if (look(day)) return true;
  return false;
}

function dailyRates(lab: Lab): Finding[] {
  const cells = [
    [0.5, 2000],
    [0.05, 10_000],
    [0.005, 100_000],
  ] as const;
  return SPLITS.flatMap((split) =>
    cells.flatMap(([rate, n]) =>
      borders.flatMap(([side, border]) =>
        (["msprt", "always_valid"] as const).map((method) => {
          const claim = `${method}, 60 looks, rates ${nameOf(split)}, ${side} border, ${users(n)}, ${percent(rate)}`;
          const random = lab.random(`margin ${claim}`);
          const times = lab.times(2000);
          const sizes = armsOf(n, split);
          return rateFinding(
            claim,
            count(times, () => errsOnAnyDay(random, sizes, rate, border, method)),
            times,
            NOT_ABOVE,
          );
        }),
      ),
    ),
  );
}

function errsOnAnyDay(
  random: Random,
  sizes: { control: number; treatment: number },
  rate: number,
  { factor, pValue }: Border,
  method: "msprt" | "always_valid",
): boolean {
  const [control, treatment] = [
    { successes: 0, n: 0 },
    { successes: 0, n: 0 },
  ];
  const come = (arm: Proportion, n: number, p: number) => {
    arm.n += n;
    arm.successes += random.binomial(n, p);
  };
  let mixingVariance: number | undefined;
  return anyDay((day) => {
    come(control, onDay(sizes.control, day), rate);
    come(treatment, onDay(sizes.treatment, day), factor * rate);
    if (Math.min(control.n, treatment.n) < MIN_USERS) return false;
    if (method === "msprt") mixingVariance ??= (0.1 * rateEstimate(control).value) ** 2 || undefined;
    if (method === "msprt" && mixingVariance === undefined) return false;
    const options = mixingVariance === undefined ? {} : { mixingVariance };
    return errs(pValue(proportionMarginTestAnytime(control, treatment, MARGIN, options)));
  });
}

function dailyMeans(lab: Lab): Finding[] {
  return [50, 95].flatMap((split) =>
    borders.map(([side, { factor, pValue }]) => {
      const claim = `always_valid, 60 looks, means of log-normal spending ${nameOf(split)}, ${side} border, ${users(3000)}`;
      const random = lab.random(`margin ${claim}`);
      const times = lab.times(1000);
      const sizes = armsOf(3000, split);
      const draw = LAWS["log-normal spending"];
      const once = () => {
        const [control, treatment] = [emptyMoments(), emptyMoments()];
        return anyDay((day) => {
          for (let user = onDay(sizes.control, day); user > 0; user--) addToMoments(control, draw(random));
          for (let user = onDay(sizes.treatment, day); user > 0; user--) addToMoments(treatment, factor * draw(random));
          if (Math.min(control.n, treatment.n) < MIN_USERS) return false;
          return errs(pValue(armMarginTestAnytime(meanEstimate(control), meanEstimate(treatment), MARGIN)));
        });
      };
      return rateFinding(claim, count(times, once), times, NOT_ABOVE);
    }),
  );
}

/** What happens if "no significant harm" counts as proof. A margin replaces that reading. */
function comparison(lab: Lab): Finding {
  const claim = "not significantly worse, read as proof, rates 50/50, 2,000 users, 5 %, for comparison";
  const random = lab.random(`margin ${claim}`);
  const times = lab.times(20_000);
  const arm = (p: number): Proportion => ({ successes: random.binomial(1000, p), n: 1000 });
  // A margin of almost nothing is the one-sided test of any harm.
  const once = () => proportionMarginTest(arm(0.05), arm(0.045), 1e-9).belowUpper;
  return rateFinding(
    claim,
    count(times, () => !errs(once())),
    times,
    { kind: "atLeast", value: 0.5 },
  );
}

/** The tests rarely find a treatment non-inferior that is worse by the whole margin. */
export const nonInferiority: Proof = (lab) => ({
  title: "Non-inferiority and equivalence",
  setting:
    `Treatments whose lift lies exactly at a border of a margin of ${percent(MARGIN)}: the share that is found within it, ` +
    `at ${percent(LEVEL)} one-sided. The lower border is that of a metric that should rise, the upper one of a metric that ` +
    "should fall; both are the borders of equivalence, whose error is at most the larger one. Rates of up to " +
    `${users(ENUMERATED.at(-1)!)} are enumerated, so they are exact. The rows of 60 looks are read every day.`,
  findings: [...oneLook(lab), ...means(lab), ...dailyRates(lab), ...dailyMeans(lab), comparison(lab)],
});
