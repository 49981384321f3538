import { cochranQ, mainEffects, momentsOf, noveltyTest, welchTest } from "@assay/core/stats";
import { rateFinding } from "../finding.ts";
import { count, type Proof } from "../lab.ts";
import { SPEND, spend } from "../population.ts";
import { sample } from "./false-positives.ts";

const DAYS = 14;
const USERS = 200;
const EFFECT = 0.1;

/** The tests rarely report constant effects as novel, heterogeneous or existing. */
export const novelty: Proof = (lab) => {
  const random = lab.random("novelty");
  const times = lab.times(10_000);
  const found = { slope: 0, halves: 0, heterogeneity: 0 };
  const arm = (effect: number) => momentsOf(sample(USERS, () => spend(random) + effect));
  for (let i = 0; i < times; i++) {
    const test = noveltyTest(Array.from({ length: DAYS }, () => welchTest(arm(0), arm(EFFECT))));
    if (test.significant) found.slope++;
    if (test.lateMinusEarly.pValue !== null && test.lateMinusEarly.pValue < 0.05) found.halves++;
  }
  const normal = lab.random("heterogeneity");
  const segments = lab.times(50_000);
  found.heterogeneity = count(segments, () => {
    const { pValue } = cochranQ(
      Array.from({ length: 6 }, (_, i) => ({ difference: EFFECT + normal.normal() * (i + 1), standardError: i + 1 })),
    );
    return pValue !== null && pValue < 0.05;
  });

  const factors = lab.random("main effects");
  const designs = lab.times(50_000);
  const cell = (a: number, b: number) => ({
    levels: [a, b],
    moments: momentsOf(sample(40 + 30 * a, () => factors.normal() * (1 + b) + 0.5 * b)),
  });
  const effects = count(designs, () => {
    const [first] = mainEffects([cell(0, 0), cell(0, 1), cell(1, 0), cell(1, 1)]);
    return first?.comparison.significant ?? null;
  });
  const alpha = { kind: "equals", value: 0.05 } as const;
  return {
    title: "Novelty, heterogeneity, main effects",
    setting:
      `${DAYS} daily cohorts of ${USERS} users per arm (revenue, standard deviation ` +
      `${SPEND.standardDeviation.toFixed(2)}) with the same effect of ${EFFECT}; six segments with one effect ` +
      "and known errors; a two-by-two design in which only the second factor has an effect. p < 0.05.",
    findings: [
      rateFinding("novelty: slope on ln(day)", found.slope, times, alpha),
      rateFinding("novelty: late half against early half", found.halves, times, alpha),
      rateFinding("Cochran's Q of segments", found.heterogeneity, segments, alpha),
      rateFinding("main effect of a factor without effect", effects, designs, alpha),
    ],
  };
};
