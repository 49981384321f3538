import { compareProportions, compareProportionsAnytime, normalQuantile } from "@assay/core/stats";
import {
  groupSequentialInflation,
  groupSequentialPower,
  type SpendingFunction,
  type SpendingLook,
  spendingSchedule,
  stagewiseEstimate,
} from "@assay/core/stats/planning";
import { exactFinding, type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;
const POWER = 0.8;
/** The users that each arm needs before a look counts, as in the server. */
const MIN_USERS = 10;
const SPENDING: [SpendingFunction, string][] = [
  ["obrien_fleming", "O'Brien-Fleming"],
  ["pocock", "Pocock"],
];
/** The users in control, of each hundred, the rate of both arms, and the planned users. */
const CELLS = [50, 80, 95, 99].flatMap((split) =>
  [
    [0.05, 2000],
    [0.005, 20_000],
    [0.0005, 200_000],
  ].map(([rate, users]) => ({ split, rate: rate!, users: users! })),
);

const percent = (rate: number) => `${Number((100 * rate).toPrecision(3))} %`;

/** Draws the times of four looks, and of a last look at up to a tenth more users than planned. */
function lookTimes(random: Random): { fractions: number[]; information: number[] } {
  const early = Array.from({ length: 4 }, () => 0.05 + 0.9 * random.uniform()).sort((a, b) => a - b);
  const apart = early.filter((at, index) => index === 0 || at - early[index - 1]! > 0.01);
  return { fractions: [...apart, 1], information: [...apart, 1 + 0.1 * random.uniform()] };
}

/** Returns whether rates without an effect cross a boundary at any look. */
function crosses(
  random: Random,
  { split, rate, users }: (typeof CELLS)[number],
  looks: readonly SpendingLook[],
): boolean {
  const [control, treatment] = [
    { successes: 0, n: 0 },
    { successes: 0, n: 0 },
  ];
  return looks.some(({ information, nominalPValue }) => {
    for (const [arm, share] of [[control, split / 100] as const, [treatment, 1 - split / 100] as const]) {
      const more = Math.round(information * users * share) - arm.n;
      arm.successes += random.binomial(more, rate);
      arm.n += more;
    }
    const counts = Math.min(control.n, treatment.n) >= MIN_USERS;
    return counts && compareProportions(control, treatment).pValue! < nominalPValue;
  });
}

function falsePositives(lab: Lab): Finding[] {
  return SPENDING.flatMap(([spending, name]) =>
    CELLS.map((cell) => {
      const claim = `${name}, ${cell.split}/${100 - cell.split}, ${cell.users.toLocaleString("en-GB")} users, ${percent(cell.rate)}`;
      const random = lab.random(claim);
      const times = lab.times(2000);
      const crossed = count(times, () => {
        const { fractions, information } = lookTimes(random);
        return crosses(random, cell, spendingSchedule(spending, fractions, { alpha: ALPHA, information }));
      });
      return rateFinding(claim, crossed, times, { kind: "notAbove", value: ALPHA });
    }),
  );
}

/**
 * Checks the estimates after a test has stopped, at an effect that one look at the planned size finds with 80 % power.
 */
function estimates(lab: Lab): Finding[] {
  const drift = normalQuantile(1 - ALPHA / 2) + normalQuantile(POWER);
  return SPENDING.flatMap(([spending, name]) => {
    const looks = spendingSchedule(spending, [0.2, 0.4, 0.6, 0.8, 1], { alpha: ALPHA });
    const random = lab.random(`estimates ${name}`);
    const times = lab.times(2000);
    let [high, raw, covered] = [0, 0, 0];
    for (let run = 0; run < times; run++) {
      let score = 0;
      let before = 0;
      for (const [index, { information, zBoundary }] of looks.entries()) {
        score += drift * (information - before) + Math.sqrt(information - before) * random.normal();
        before = information;
        const z = score / Math.sqrt(information);
        if (Math.abs(z) <= (zBoundary ?? Infinity) && index < looks.length - 1) continue;
        const { estimate, confidenceInterval } = stagewiseEstimate(
          looks.slice(0, index + 1),
          z,
          1 / Math.sqrt(information),
          { alpha: ALPHA },
        );
        if (estimate > drift) high++;
        if (z / Math.sqrt(information) > drift) raw++;
        if (confidenceInterval[0] <= drift && drift <= confidenceInterval[1]) covered++;
        break;
      }
    }
    return [
      rateFinding(`${name}: the estimate at the stop is too high`, high, times, { kind: "equals", value: 0.5 }),
      rateFinding(`${name}: the difference at the stop is too high`, raw, times, { kind: "atLeast", value: 0.5 }),
      rateFinding(`${name}: the interval holds the effect`, covered, times, { kind: "equals", value: 1 - ALPHA }),
    ];
  });
}

/** Compares the cost of planned looks with one look and with a test at any time; the last by simulation. */
function costs(lab: Lab): Finding[] {
  const plans = SPENDING.map(([spending, name]): [SpendingLook[], string] => [
    spendingSchedule(spending, [0.2, 0.4, 0.6, 0.8, 1], { alpha: ALPHA }),
    name,
  ]);
  const exact = plans.flatMap(([looks, name]) => {
    const inflation = groupSequentialInflation(looks, { alpha: ALPHA, power: POWER });
    const drift = Math.sqrt(inflation) * (normalQuantile(1 - ALPHA / 2) + normalQuantile(POWER));
    const mean = inflation * groupSequentialPower(looks, drift).expectedInformation;
    return [
      exactFinding(`${name}: users planned, of those of one look`, inflation, { kind: "within", lower: 1, upper: 1.3 }),
      exactFinding(`${name}: users on average, of those of one look`, mean, { kind: "atMost", value: 1 }),
    ];
  });
  const [looks] = plans[0]!;
  const users = 16_314;
  const random = lab.random("planned looks and any time");
  const times = lab.times(2000);
  let [planned, anytime] = [0, 0];
  for (let run = 0; run < times; run++) {
    const [control, treatment] = [
      { successes: 0, n: 0 },
      { successes: 0, n: 0 },
    ];
    let [isPlanned, isAnytime] = [false, false];
    for (const { information, nominalPValue } of looks) {
      const more = Math.round((information * users) / 2) - control.n;
      for (const [arm, rate] of [[control, 0.05] as const, [treatment, 0.06] as const]) {
        arm.successes += random.binomial(more, rate);
        arm.n += more;
      }
      isPlanned ||= compareProportions(control, treatment).pValue! < nominalPValue;
      isAnytime ||= compareProportionsAnytime(control, treatment).pValue! < ALPHA;
    }
    if (isPlanned) planned++;
    if (isAnytime) anytime++;
  }
  return [
    ...exact,
    rateFinding("O'Brien-Fleming finds 5 % to 6 %", planned, times, { kind: "within", lower: 0.74, upper: 0.84 }),
    rateFinding("always-valid finds it at the same looks", anytime, times, { kind: "atMost", value: 0.6 }),
  ];
}

/** Planned looks keep alpha at any times, estimate without bias, and cost few users. */
export const plannedLooks: Proof = (lab) => ({
  title: "Planned looks",
  setting:
    "Rates without an effect, at five looks at random times, the last one with up to a tenth more users than planned: how " +
    "often p is below the level of the boundary at any look. Then, with an effect that one look at the plan finds with 80 % " +
    "power, what is said at the stop. Last, the users of five even looks, and how often 5 % against 6 % is found with the " +
    "16,314 users of one look.",
  findings: [...falsePositives(lab), ...estimates(lab), ...costs(lab)],
});
