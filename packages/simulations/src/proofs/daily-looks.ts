import {
  addToMoments,
  anytimeSampleRatioTest,
  compareArmsAnytime,
  compareProportions,
  compareProportionsAnytime,
  emptyMoments,
  holm,
  sampleRatioTest,
} from "@assay/core/stats";
import { anyDay, come, counts, createMeanTest, createRateTest, emptyArm, onDay } from "../daily.ts";
import { type Bound, type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import { LAWS } from "../population.ts";
import type { Random } from "../random.ts";

const ALPHA = 0.05;
const LEVEL: Bound = { kind: "notAbove", value: ALPHA };
/** The users in control, of each hundred. */
const SPLITS = [50, 80, 95, 99];

const nameOf = (split: number) => `${split}/${100 - split}`;
const percent = (rate: number) => `${Number((100 * rate).toPrecision(3))} %`;

function rates(lab: Lab): Finding[] {
  const cells = SPLITS.flatMap((split) =>
    [
      [0.5, 200],
      [0.5, 1_000_000],
      [0.05, 2000],
      [0.005, 20_000],
      [0.0005, 200_000],
    ].map(([rate, users]) => ({ split, rate: rate!, users: users! })),
  );
  return cells.flatMap(({ split, rate, users }) =>
    (["msprt", "always_valid"] as const).map((method) => {
      const claim = `${method}, rates ${nameOf(split)}, ${users.toLocaleString("en-GB")} users, ${percent(rate)}`;
      const random = lab.random(claim);
      const times = lab.times(2000);
      const rejects = () => {
        const [control, treatment, test] = [emptyArm(), emptyArm(), createRateTest(method)];
        return anyDay((day) => {
          come(random, control, onDay((users * split) / 100, day), rate);
          come(random, treatment, onDay((users * (100 - split)) / 100, day), rate);
          return test(control, treatment) < ALPHA;
        });
      };
      return rateFinding(claim, count(times, rejects), times, LEVEL);
    }),
  );
}

function means(lab: Lab): Finding[] {
  const cells = Object.entries(LAWS).flatMap(([law, draw]) => SPLITS.map((split) => ({ law, draw, split })));
  return cells.flatMap(({ law, draw, split }) =>
    (["msprt", "always_valid"] as const).map((method) => {
      const claim = `${method}, means of ${law} ${nameOf(split)}, 3,000 users`;
      const random = lab.random(claim);
      const times = lab.times(1000);
      const rejects = () => {
        const [control, treatment, test] = [emptyMoments(), emptyMoments(), createMeanTest(method)];
        return anyDay((day) => {
          for (let user = onDay(30 * split, day); user > 0; user--) addToMoments(control, draw(random));
          for (let user = onDay(30 * (100 - split), day); user > 0; user--) addToMoments(treatment, draw(random));
          return test(control, treatment) < ALPHA;
        });
      };
      return rateFinding(claim, count(times, rejects), times, LEVEL);
    }),
  );
}

/** Several arms and metrics: one control serves all pairs, and one false effect in any of them is an error. */
function families(lab: Lab): Finding[] {
  return [
    [3, 2],
    [5, 5],
  ].flatMap(([arms, metrics]) =>
    (["msprt", "always_valid"] as const).map((method) => {
      const claim = `${method}, Holm over ${arms} treatments and ${metrics} primary metrics`;
      const random = lab.random(claim);
      const times = lab.times(500);
      const rejects = () => {
        const controls = Array.from({ length: metrics! }, emptyArm);
        const treatments = Array.from({ length: arms! }, () => Array.from({ length: metrics! }, emptyArm));
        const tests = treatments.map((own) => own.map(() => createRateTest(method)));
        const least = treatments.map((own) => own.map(() => 1));
        return anyDay((day) => {
          for (const arm of [...controls, ...treatments.flat()]) come(random, arm, onDay(3000, day), 0.1);
          for (const [arm, own] of treatments.entries()) {
            for (const [metric, treatment] of own.entries()) {
              const p = tests[arm]![metric]!(controls[metric]!, treatment);
              least[arm]![metric] = Math.min(least[arm]![metric]!, p);
            }
          }
          return holm(least.flat()).some((p) => p! < ALPHA);
        });
      };
      return rateFinding(claim, count(times, rejects), times, LEVEL);
    }),
  );
}

/** One look at the planned size on day 30 with four fifths of alpha, and tests at any time with the rest. */
function plans(lab: Lab): Finding[] {
  const planned = 30;
  const start = (random: Random) => {
    const [control, treatment, test] = [emptyArm(), emptyArm(), createRateTest("msprt")];
    return () => {
      come(random, control, 100, 0.1);
      come(random, treatment, 100, 0.1);
      return { atAnyTime: test(control, treatment), once: compareProportions(control, treatment).pValue! };
    };
  };
  const finding = (
    claim: string,
    bound: Bound,
    decides: (day: number, look: { atAnyTime: number; once: number }) => boolean,
  ) => {
    const random = lab.random("plans");
    const times = lab.times(2000);
    const rejects = () => {
      const next = start(random);
      return anyDay((day) => decides(day, next()));
    };
    return rateFinding(claim, count(times, rejects), times, bound);
  };
  return [
    finding(
      "the planned look at 0.8 alpha, or msprt at 0.2 alpha",
      LEVEL,
      (day, { atAnyTime, once }) => atAnyTime < 0.2 * ALPHA || (day === planned && once < 0.8 * ALPHA),
    ),
    finding(
      "the one-look p-value read on each day from the planned one, for comparison",
      { kind: "atLeast", value: 2 * ALPHA },
      (day, { once }) => day >= planned && once < ALPHA,
    ),
  ];
}

/** Checks the warning of a wrong split, with a look every day. */
function splits(lab: Lab): Finding[] {
  const find = (claim: string, bound: Bound, warns: (observed: number[], weights: number[]) => boolean) =>
    SPLITS.map((split) => {
      const own = `${claim} ${nameOf(split)}`;
      const random = lab.random(own);
      const times = lab.times(20_000);
      const weights = [split, 100 - split];
      const rejects = () => {
        const observed = [0, 0];
        return anyDay(() => {
          const control = random.binomial(200, split / 100);
          observed[0]! += control;
          observed[1]! += 200 - control;
          return warns(observed, weights);
        });
      };
      return rateFinding(own, count(times, rejects), times, bound);
    });
  return [
    ...find(
      "sample-ratio warning at any time,",
      { kind: "notAbove", value: 0.001 },
      (observed, weights) => anytimeSampleRatioTest([{ observed, weights }]).warning,
    ),
    ...find(
      "the same by a chi-square test every day, for comparison,",
      { kind: "atLeast", value: 0.002 },
      (observed, weights) => sampleRatioTest(observed, weights).warning,
    ).slice(0, 1),
  ];
}

/** Checks how often all intervals of 60 days contain the true lift. */
function coverage(lab: Lab): Finding[] {
  const claim = "all intervals of the lift of rates hold it, 80/20, 4 % and 5 % of 6,000 users";
  const random = lab.random(claim);
  const times = lab.times(1000);
  const misses = () => {
    const [control, treatment] = [emptyArm(), emptyArm()];
    return anyDay((day) => {
      come(random, control, onDay(4800, day), 0.04);
      come(random, treatment, onDay(1200, day), 0.05);
      if (!counts(control, treatment)) return false;
      const { relativeConfidenceInterval: lift } = compareProportionsAnytime(control, treatment);
      return lift !== null && (lift[0] > 0.25 || lift[1] < 0.25);
    });
  };
  const skewed = "all intervals of the lift of revenue hold it, 95/5, 3,000 users";
  const other = lab.random(skewed);
  const draw = LAWS["revenue, 20 % buy"];
  const missesRevenue = () => {
    const [control, treatment] = [emptyMoments(), emptyMoments()];
    return anyDay((day) => {
      for (let user = onDay(2850, day); user > 0; user--) addToMoments(control, draw(other));
      for (let user = onDay(150, day); user > 0; user--) addToMoments(treatment, 1.2 * draw(other));
      if (!counts(control, treatment)) return false;
      const [c, t] = [control, treatment].map(({ n, mean, m2 }) => ({ n, value: mean, variance: m2 / (n - 1) }));
      const { relativeConfidenceInterval: lift } = compareArmsAnytime(c!, t!);
      return lift !== null && (lift[0] > 0.2 || lift[1] < 0.2);
    });
  };
  return [
    rateFinding(`missed: ${claim}`, count(times, misses), times, LEVEL),
    rateFinding(`missed: ${skewed}`, count(times, missesRevenue), times, LEVEL),
  ];
}

/** The tests that decide at any time keep their level over sixty looks. */
export const dailyLooks: Proof = (lab) => ({
  title: "Decisions by a look every day for 60 days",
  setting:
    "A/A experiments whose users come evenly over 60 days, read every day: the share that ever finds a difference, by " +
    "compareProportionsAnytime and compareMeansAnytime. msprt is tuned for a lift of 10 % of the first rate or mean " +
    "that is not 0. Looks with fewer than 10 users in an arm do not count. The last rows are intervals of arms that differ.",
  findings: [...rates(lab), ...means(lab), ...families(lab), ...plans(lab), ...splits(lab), ...coverage(lab)],
});
