import {
  addToMoments,
  alwaysValidTest,
  type Comparison,
  emptyMoments,
  mixtureTest,
  replayLooks,
  type SequentialTest,
  twoProportionTest,
  welchTest,
} from "@assay/core/stats";
import { lineChart } from "../chart.ts";
import { rateFinding } from "../finding.ts";
import type { Lab, Proof } from "../lab.ts";
import { SPEND, spend } from "../population.ts";

const DAYS = 100;
const ALPHA = 0.05;
/** The users of each arm per day. */
const REVENUE_USERS = 50;
const RATE_USERS = 500;
const RATE = 0.1;

/** The day of the first wrong rejection by each method, with one entry per simulated experiment. */
interface FirstDays {
  fixed: (number | null)[];
  alwaysValid: (number | null)[];
  mixture: (number | null)[];
  /** The number of experiments whose always-valid intervals all contained the true value. */
  covered: number;
}

/** Replays experiments of 100 days. `day` returns the comparison of all users so far, and their number. */
function replay(times: number, mixingVariance: number, start: () => () => { compared: Comparison; n: number }) {
  const first: FirstDays = { fixed: [], alwaysValid: [], mixture: [], covered: 0 };
  for (let i = 0; i < times; i++) {
    const nextDay = start();
    const [always, mixture]: [SequentialTest[], SequentialTest[]] = [[], []];
    let fixed: number | null = null;
    for (let day = 1; day <= DAYS; day++) {
      const { compared, n } = nextDay();
      if (compared.significant) fixed ??= day;
      always.push(alwaysValidTest(compared.difference, compared.standardError, n, { alpha: ALPHA }));
      mixture.push(mixtureTest(compared.difference, compared.standardError, mixingVariance, { alpha: ALPHA }));
    }
    const { looks, firstRejection } = replayLooks(always, { alpha: ALPHA });
    const interval = looks.at(-1)?.confidenceInterval;
    if (interval && interval[0] <= 0 && interval[1] >= 0) first.covered++;
    first.fixed.push(fixed);
    first.alwaysValid.push(firstRejection);
    first.mixture.push(replayLooks(mixture, { alpha: ALPHA }).firstRejection);
  }
  return first;
}

function revenue(lab: Lab, times: number): FirstDays {
  const random = lab.random("peeking at revenue");
  return replay(times, (0.1 * SPEND.mean) ** 2, () => {
    const [control, treatment] = [emptyMoments(), emptyMoments()];
    return () => {
      for (let user = 0; user < REVENUE_USERS; user++) {
        addToMoments(control, spend(random));
        addToMoments(treatment, spend(random));
      }
      // The normal reference distribution gives the same p-value to three digits, in a quarter of the time.
      const compared = welchTest(control, treatment, { alpha: ALPHA, referenceDistribution: "normal" });
      return { compared, n: control.n + treatment.n };
    };
  });
}

function rates(lab: Lab, times: number): FirstDays {
  const random = lab.random("peeking at rates");
  return replay(times, (0.1 * RATE) ** 2, () => {
    const [control, treatment] = [
      { successes: 0, n: 0 },
      { successes: 0, n: 0 },
    ];
    return () => {
      for (const arm of [control, treatment]) {
        arm.n += RATE_USERS;
        arm.successes += random.binomial(RATE_USERS, RATE);
      }
      return { compared: twoProportionTest(control, treatment, { alpha: ALPHA }), n: control.n + treatment.n };
    };
  });
}

const stopped = (days: readonly (number | null)[]) => days.filter((day) => day !== null).length;

function stoppedBy(days: readonly (number | null)[]): [day: number, share: number][] {
  return Array.from({ length: DAYS }, (_, i) => [
    i + 1,
    days.filter((day) => day !== null && day <= i + 1).length / days.length,
  ]);
}

/** With a look every day the sequential tests keep alpha, and the fixed test does not. */
export const peeking: Proof = (lab) => {
  const times = lab.times(10_000);
  const atMost = { kind: "atMost", value: ALPHA } as const;
  const cases: [string, FirstDays][] = [
    ["revenue", revenue(lab, times)],
    ["rates", rates(lab, times)],
  ];
  const shown = cases[0]![1];
  return {
    title: "A look every day for 100 days",
    setting:
      `No effect; ${REVENUE_USERS} users per arm and day with skewed revenue, and ${RATE_USERS} with a rate of 10 %. ` +
      "An experiment stops at the first day with p < 0.05. The mixing variance of mSPRT is for a lift of 10 %; " +
      "the always-valid test has its default tuning of 5,000 users.",
    findings: cases.flatMap(([kind, first]) => [
      rateFinding(`${kind}: always-valid rejects on any day`, stopped(first.alwaysValid), times, atMost),
      rateFinding(`${kind}: mSPRT rejects on any day`, stopped(first.mixture), times, atMost),
      rateFinding(`${kind}: all always-valid intervals hold the truth`, first.covered, times, {
        kind: "atLeast",
        value: 1 - ALPHA,
      }),
      rateFinding(`${kind}: the fixed test rejects on any day`, stopped(first.fixed), times, {
        kind: "atLeast",
        value: 3 * ALPHA,
      }),
    ]),
    pictures: [
      {
        file: "peeking.svg",
        caption: "Share of A/A experiments on revenue stopped by each day, under a look every day.",
        chart: lineChart(
          { x: "day", y: "stopped so far", yFormat: "percent" },
          [
            { name: "fixed test", points: stoppedBy(shown.fixed) },
            { name: "always-valid", points: stoppedBy(shown.alwaysValid) },
            { name: "mSPRT", points: stoppedBy(shown.mixture) },
          ],
          [{ value: ALPHA, label: "alpha" }],
        ),
      },
    ],
  };
};
