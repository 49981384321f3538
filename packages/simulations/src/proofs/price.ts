import { normalQuantile } from "@assay/core/stats";
import { type GroupSequentialLook, groupSequentialInflation } from "@assay/core/stats/planning";
import {
  ALPHA,
  anytimeLevels,
  anytimeMeans,
  anytimeRates,
  classic,
  type Methods,
  meanLevels,
  meanMethods,
  ours,
  plannedLevels,
  plannedRates,
  rateMethods,
  SHARED_ALPHA,
  sampleMethods,
} from "../deciding-methods.ts";
import { type Bound, exactFinding, type Finding } from "../finding.ts";
import {
  type Cell,
  growingMeans,
  growingNormal,
  growingRates,
  growingSamples,
  type SkewedLaw,
} from "../growing-arms.ts";
import type { Lab, Proof } from "../lab.ts";
import { anyTime, EVERY_LOOK, oneLook, plannedLooks, type Rival, withoutEffect } from "../price-runs.ts";

/** The maximum price of validity: users, relative to those of the best valid method. */
const MOST: Bound = { kind: "atMost", value: 1.1 };
const squareOf = (alpha: number) => (normalQuantile(1 - alpha / 2) + normalQuantile(0.8)) ** 2;
const atMost = (value: number): Bound => ({ kind: "atMost", value });
const VALID: Bound = { kind: "notAbove", value: ALPHA };

const FISHER: Rival = [1, "Fisher's exact test", MOST];
const MID_P: Rival = [2, "mid-p", MOST];
const POOLED_Z: Rival = [3, "the pooled z-test", atMost(1.3)];

function rates(lab: Lab): Finding[] {
  return [0.5, 0.9, 0.99].flatMap((share) =>
    [growingRates(0.05, 0.06, share), growingRates(0.005, 0.0075, share), growingRates(0.0005, 0.001, share)].flatMap(
      (cell) => oneLook(lab, cell, rateMethods, [FISHER, MID_P, POOLED_Z], share === 0.99 ? 40_000 : 10_000),
    ),
  );
}

function means(lab: Lab): Finding[] {
  const rivals = (most: Bound): Rival[] => [
    [1, "the pooled t-test", most],
    [2, "Welch's t-test", most],
  ];
  const skewed = (share: number) => [
    growingMeans("log-normal spending", 0.3, share),
    growingMeans("revenue, 20 % buy", 0.3, share),
  ];
  const within = (lower: number, upper: number): Bound => ({ kind: "within", lower, upper });
  const asked = (rise: Bound, shared: Bound): Rival[] => [
    [0, "compareMeans", VALID],
    [1, "the pooled t-test", VALID],
    [2, "Welch's t-test", within(0.03, 0.1)],
    [3, "the pooled t-test for a rise at 2.5 %", rise],
    [4, "compareMeans for a rise at 2.5 %", { kind: "notAbove", value: ALPHA / 2 }],
    [5, "the pooled t-test at 0.5 %", shared],
    [6, "compareMeans at 0.5 %", { kind: "notAbove", value: SHARED_ALPHA }],
  ];
  const levels = [
    asked({ kind: "atLeast", value: ALPHA / 2 }, { kind: "atLeast", value: SHARED_ALPHA }),
    asked(within(0.02, 0.04), within(0.003, 0.01)),
  ];
  const permuted = (law: SkewedLaw, ...[most, full, multiples]: [Bound, number, number[]?]) =>
    oneLook(
      lab,
      growingSamples(law, 0.3, 0.95),
      sampleMethods(lab.random(`permutations of ${law}`)),
      [[1, "permutations of Welch's t for a rise", most]],
      full,
      multiples,
    );
  return [
    ...[0.5, 0.95].flatMap((share) => oneLook(lab, growingNormal(0.2, share), meanMethods, rivals(MOST), 10_000)),
    ...skewed(0.5).flatMap((cell) => oneLook(lab, cell, meanMethods, rivals(MOST), 4000)),
    ...skewed(0.95).flatMap((cell, index) => [
      ...oneLook(lab, cell, meanMethods, rivals(MOST), 4000),
      ...withoutEffect(lab, cell, { methods: meanLevels, looks: [1], full: 10_000 }, levels[index]!),
    ]),
    ...permuted("revenue, 20 % buy", MOST, 200),
    ...permuted("log-normal spending", MOST, 32_000, [0.4, 0.5, 0.6]),
  ];
}

/** Reads methods on 60 days, up to 20,000 users; the looks are multiples of the users of one look. */
const daily = <Arm>({ users }: Cell<Arm>, methods: Methods<Arm>, full: number) => ({
  ...{ methods, full },
  looks: Array.from({ length: 60 }, (_, day) => (20_000 * (day + 1)) / 60 / users),
  read: ", 60 looks up to 20,000 users",
});

/** The rates that are read at any time, with the share of users in control. */
const READ = [
  [0.05, 0.06, 0.5],
  [0.005, 0.0075, 0.5],
  [0.05, 0.06, 0.9],
  [0.005, 0.0075, 0.9],
] as const;

/** A pooled error is not valid for a rise in a small arm, so its limit is higher there. */
function atAnyTime(lab: Lab): Finding[] {
  const rivals = (most: Bound): Rival[] => [
    [1, "always-valid by a pooled error", most],
    [2, "always-valid as GrowthBook's", MOST],
  ];
  const rare = growingRates(0.005, 0.0075, 0.9);
  const asked: Rival[] = [
    [0, "compareProportionsAnytime", VALID],
    [1, "always-valid by a pooled error", VALID],
    [2, "always-valid as GrowthBook's", { kind: "atLeast", value: 1.5 * ALPHA }],
  ];
  const byDay: Rival[] = [
    [0, "compareProportionsAnytime", VALID],
    [3, "always-valid by a pooled error for a rise at 2.5 %", { kind: "atLeast", value: ALPHA / 2 }],
    [4, "always-valid by a pooled error at 0.5 %", { kind: "atLeast", value: SHARED_ALPHA }],
  ];
  const rarer = growingRates(0.005, 0.0075, 0.99);
  return [
    ...READ.flatMap(([control, treatment, share]) => {
      const cell = growingRates(control, treatment, share);
      const isRare = cell.name === rare.name;
      return anyTime(lab, cell, anytimeRates, rivals(isRare ? atMost(1.15) : MOST), isRare ? 10_000 : 4000);
    }),
    ...withoutEffect(lab, rare, { methods: anytimeRates, looks: EVERY_LOOK, full: 4000 }, asked),
    ...withoutEffect(lab, rare, daily(rare, anytimeLevels, 20_000), byDay),
    ...withoutEffect(lab, rarer, daily(rarer, anytimeLevels, 20_000), [
      ...byDay,
      [1, "always-valid by a pooled error", { kind: "atLeast", value: 1.5 * ALPHA }],
    ]),
    ...[0.5, 0.9].flatMap((share) => anyTime(lab, growingNormal(0.1, share), anytimeMeans, rivals(MOST), 2000)),
  ];
}

/** Compares methods that know the planned rates: msprt, which is the server's default, with others that are valid. */
function atAnyTimeByPlan(lab: Lab): Finding[] {
  const rivals: Rival[] = [
    [1, "label tilts around the planned lift", MOST],
    [2, "always_valid tuned to the planned users", MOST],
    [3, "always-valid by a pooled error, without a plan", MOST],
  ];
  const half: Bound = { kind: "notAbove", value: ALPHA / 2 };
  const shared: Bound = { kind: "notAbove", value: SHARED_ALPHA };
  const asked: Rival[] = [
    [0, "msprt", VALID],
    [1, "label tilts around the planned lift", VALID],
    [2, "always_valid tuned to the planned users", VALID],
    [3, "msprt for a rise at 2.5 %", half],
    [4, "label tilts around the planned lift for a rise at 2.5 %", half],
    [5, "always_valid tuned to the planned users for a rise at 2.5 %", half],
    [6, "msprt at 0.5 %", shared],
    [7, "label tilts around the planned lift at 0.5 %", shared],
    [8, "always_valid tuned to the planned users at 0.5 %", shared],
  ];
  return READ.flatMap(([control, treatment, share]) => {
    const cell = growingRates(control, treatment, share);
    const planned = { ...cell, name: `${cell.name}, by a plan` };
    const levels = plannedLevels(control, treatment, cell.users);
    return [
      ...anyTime(lab, planned, plannedRates(control, treatment, cell.users), rivals, 4000),
      ...(control === 0.005 && share === 0.9 ? withoutEffect(lab, planned, daily(planned, levels, 5000), asked) : []),
    ];
  });
}

function atPlannedLooks(lab: Lab): Finding[] {
  const rivals: Rival[] = [
    [1, "classic O'Brien-Fleming on Fisher's test", MOST],
    [2, "classic O'Brien-Fleming on the pooled z-test", atMost(1.2)],
  ];
  const inflation = (looks: readonly GroupSequentialLook[]) => groupSequentialInflation(looks, { alpha: ALPHA });
  const exact: [string, number][] = [
    ["normal theory: five looks by spending, of classic O'Brien-Fleming", inflation(ours) / inflation(classic)],
    ["normal theory: four fifths of alpha at the plan, of all of it", squareOf(0.8 * ALPHA) / squareOf(ALPHA)],
  ];
  return [
    ...[0.5, 0.9].flatMap((share) => [
      ...plannedLooks(lab, growingRates(0.05, 0.06, share), rivals),
      ...plannedLooks(lab, growingRates(0.005, 0.0075, share), rivals),
    ]),
    ...exact.map(([claim, value]) => exactFinding(claim, value, MOST)),
  ];
}

/** The users that a valid decision costs, compared with the best valid method and with invalid ones. */
export const price: Proof = (lab) => ({
  title: "Price of validity",
  setting:
    "Users that a decision needs for 80 % power, of those of another method on the same data: 1.05 is 5 % more users. The power of " +
    "one look and of five planned looks is simulated at five sizes and interpolated; at any time there are 64 looks, up to 3.2 times " +
    "the users of one look, and the 80 % quantile of the users at the stop counts. A limit of 1.1 is the aim: within 10 % of the best " +
    "valid method. A higher limit is of a rival that is not valid in all cells, as rows without an effect show: the pooled z-test, and, " +
    "at any time, the pooled error, which finds a rise in the small arm too often; the more often, the smaller the arm and the " +
    "earlier the looks. So by a plan, msprt, the default of the server, is compared with methods that are valid and know the plan as " +
    "well: always_valid tuned to the planned users, and label tilts, an e-process of the users' arms given their outcomes. " +
    "Permutations of Welch's t are exact if the arms have the same distribution, but need the value of every user, " +
    "of which results keep three moments. " +
    "GrowthBook's test is " +
    "its documented formula for the absolute difference, with tuning parameter 5,000. The last row is what the server adds: " +
    "with a plan, the planned look has four fifths of alpha.",
  findings: [...rates(lab), ...means(lab), ...atAnyTime(lab), ...atAnyTimeByPlan(lab), ...atPlannedLooks(lab)],
});
