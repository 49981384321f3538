import { addToMoments, emptyMoments, welchTest } from "@assay/core/stats";
import { type SpendingFunction, spendingSchedule } from "@assay/core/stats/planning";
import { rateFinding } from "../finding.ts";
import { count, type Proof } from "../lab.ts";
import { spend } from "../population.ts";

const ALPHA = 0.05;
/** The users of each arm at the last look. */
const USERS = 1000;

const PLANS: { claim: string; spending: SpendingFunction; fractions: number[] }[] = [
  { claim: "O'Brien-Fleming, 5 even looks", spending: "obrien_fleming", fractions: [0.2, 0.4, 0.6, 0.8, 1] },
  { claim: "Pocock, 5 even looks", spending: "pocock", fractions: [0.2, 0.4, 0.6, 0.8, 1] },
  {
    claim: "O'Brien-Fleming, looks at 15, 50, 60 and 100 %",
    spending: "obrien_fleming",
    fractions: [0.15, 0.5, 0.6, 1],
  },
  { claim: "Pocock, looks at 15, 50, 60 and 100 %", spending: "pocock", fractions: [0.15, 0.5, 0.6, 1] },
];

/** Group-sequential boundaries spend exactly alpha. The fixed test at the same looks spends far more. */
export const boundaries: Proof = (lab) => {
  const times = lab.times(20_000);
  const findings = PLANS.flatMap(({ claim, spending, fractions }) => {
    const looks = spendingSchedule(spending, fractions, { alpha: ALPHA }).map(({ informationFraction, zBoundary }) => ({
      users: Math.round(informationFraction * USERS),
      boundary: zBoundary ?? Infinity,
    }));
    const random = lab.random(claim);
    let fixed = 0;
    const crossed = count(times, () => {
      const [control, treatment] = [emptyMoments(), emptyMoments()];
      let crosses = false;
      let significant = false;
      for (const { users, boundary } of looks) {
        while (control.n < users) {
          addToMoments(control, spend(random));
          addToMoments(treatment, spend(random));
        }
        const test = welchTest(control, treatment, { alpha: ALPHA, referenceDistribution: "normal" });
        crosses ||= test.statistic !== null && Math.abs(test.statistic) >= boundary;
        significant ||= test.significant;
      }
      if (significant) fixed++;
      return crosses;
    });
    const exact = rateFinding(claim, crossed, times, { kind: "equals", value: ALPHA });
    if (claim !== PLANS[0]!.claim) return [exact];
    const naive = rateFinding("the fixed test at 5 even looks", fixed, times, { kind: "atLeast", value: 2 * ALPHA });
    return [exact, naive];
  });
  return {
    title: "Group-sequential boundaries",
    setting: `No effect; skewed revenue of ${USERS} users per arm in total. The table shows how often z crosses the boundary at any look.`,
    findings,
  };
};
