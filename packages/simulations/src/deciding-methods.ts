import {
  compareMeans,
  compareMeansAnytime,
  compareProportions,
  compareProportionsAnytime,
  type Decision,
  type Moments,
  normalQuantile,
  normalSf,
  type Proportion,
} from "@assay/core/stats";
import { type GroupSequentialLook, groupSequentialPower, spendingSchedule } from "@assay/core/stats/planning";
import type { Sample } from "./growing-arms.ts";
import { labelTilt } from "./label-tilt.ts";
import { risesByPermutation } from "./permutation.ts";
import type { Random } from "./random.ts";
import { anytimeBoundary, critical, exactPValues, meanScores, rateScores } from "./rivals.ts";

/** The level at which all methods decide. */
export const ALPHA = 0.05;
const Z = normalQuantile(1 - ALPHA / 2);

/** Methods that return whether they reject; the first one is ours. `look` counts from 0. */
export type Methods<Arm> = ((control: Arm, treatment: Arm, look: number) => boolean)[];
export const rateMethods: Methods<Proportion> = [
  (control, treatment) => compareProportions(control, treatment).significant,
  (control, treatment) => exactPValues(control, treatment).fisher < ALPHA,
  (control, treatment) => exactPValues(control, treatment).midP < ALPHA,
  (control, treatment) => Math.abs(rateScores(control, treatment).pooled) > Z,
];
export const meanMethods: Methods<Moments> = [
  (control, treatment) => compareMeans(control, treatment).significant,
  (control, treatment) => Math.abs(meanScores(control, treatment).pooled) > critical(control.n + treatment.n, ALPHA),
  (control, treatment) => Math.abs(meanScores(control, treatment).welch) > critical(control.n + treatment.n, ALPHA),
];
/** The level of a test whose alpha is shared by ten comparisons. */
export const SHARED_ALPHA = ALPHA / 10;
/** `meanMethods`, a rise of the treatment at half of alpha, and a difference at a shared alpha. */
export const meanLevels: Methods<Moments> = [
  ...meanMethods,
  (control, treatment) => meanScores(control, treatment).pooled > critical(control.n + treatment.n, ALPHA),
  (control, treatment) => rises(compareMeans(control, treatment)),
  (control, treatment) =>
    Math.abs(meanScores(control, treatment).pooled) > critical(control.n + treatment.n, SHARED_ALPHA),
  (control, treatment) => compareMeans(control, treatment).pValue! < SHARED_ALPHA,
];
/** Our decision for a rise at half of alpha, and that of the permutations of Welch's t. */
export const sampleMethods = (random: Random): Methods<Sample> => [
  (control, treatment) => rises(compareMeans(control, treatment)),
  (control, treatment) => risesByPermutation(control.values, treatment.values, ALPHA / 2, PERMUTATIONS, random),
];
const rises = ({ significant, difference }: Decision) => significant && difference! > 0;
/** The permutations of a test; 0.025 of one more is a whole number. */
const PERMUTATIONS = 399;
export const anytimeRates: Methods<Proportion> = [
  (control, treatment) => (compareProportionsAnytime(control, treatment).pValue ?? 1) < ALPHA,
  (control, treatment) =>
    Math.abs(rateScores(control, treatment).pooled) > anytimeBoundary(control.n + treatment.n, ALPHA),
  (control, treatment) =>
    Math.abs(rateScores(control, treatment).unpooled) > anytimeBoundary(control.n + treatment.n, ALPHA),
];
/** `anytimeRates`, for a rise of the treatment at half of alpha, and at a shared alpha. */
export const anytimeLevels: Methods<Proportion> = [
  ...anytimeRates,
  (control, treatment) => rateScores(control, treatment).pooled > anytimeBoundary(control.n + treatment.n, ALPHA),
  (control, treatment) =>
    Math.abs(rateScores(control, treatment).pooled) > anytimeBoundary(control.n + treatment.n, SHARED_ALPHA),
];
/** Returns a p-value that is computed once for arms that several methods read. */
function computedOnce(pValue: PValue): PValue {
  let [last, found] = ["", 1];
  return (control, treatment) => {
    const read = [control.successes, control.n, treatment.successes, treatment.n].join();
    if (read !== last) [last, found] = [read, pValue(control, treatment)];
    return found;
  };
}

/**
 * Methods for reading at any time that know the planned rates and users: our mixture test (msprt), label tilts and our
 * always-valid test tuned to these users; and always-valid by a pooled error, which knows no plan.
 */
export function plannedRates(control: number, treatment: number, users: number): Methods<Proportion> {
  return [...plannedPValues(control, treatment, users).map(significantAt(ALPHA)), anytimeRates[1]!];
}

/** The first three of `plannedRates`; then these for a rise of the treatment at half of alpha, and at a shared alpha. */
export function plannedLevels(control: number, treatment: number, users: number): Methods<Proportion> {
  const pValues = plannedPValues(control, treatment, users).map(computedOnce);
  const found = pValues.map(significantAt(ALPHA));
  const isRise = (c: Proportion, t: Proportion) => t.successes * c.n > c.successes * t.n;
  return [
    ...found,
    ...found.map(
      (rejects): Methods<Proportion>[0] =>
        (c, t, look) =>
          isRise(c, t) && rejects(c, t, look),
    ),
    ...pValues.map(significantAt(SHARED_ALPHA)),
  ];
}

type PValue = (control: Proportion, treatment: Proportion) => number;

function plannedPValues(control: number, treatment: number, users: number): PValue[] {
  const mixingVariance = (treatment - control) ** 2;
  return [
    (c, t) => compareProportionsAnytime(c, t, { mixingVariance }).pValue ?? 1,
    (c, t) => 1 / labelTilt(c, t, Math.log(treatment / control)),
    (c, t) => compareProportionsAnytime(c, t, { tuningParameter: users }).pValue ?? 1,
  ];
}

const significantAt =
  (alpha: number) =>
  (of: PValue): Methods<Proportion>[0] =>
  (c, t) =>
    of(c, t) < alpha;

export const anytimeMeans: Methods<Moments> = [
  (control, treatment) => (compareMeansAnytime(control, treatment).pValue ?? 1) < ALPHA,
  (control, treatment) =>
    Math.abs(meanScores(control, treatment).pooled) > anytimeBoundary(control.n + treatment.n, ALPHA),
  (control, treatment) =>
    Math.abs(meanScores(control, treatment).welch) > anytimeBoundary(control.n + treatment.n, ALPHA),
];

export const FIVE = [0.2, 0.4, 0.6, 0.8, 1];
export const ours = spendingSchedule("obrien_fleming", FIVE, { alpha: ALPHA });

/** Returns the classic boundary, C / root of the information, with alpha over five looks. */
function classicLooks(): GroupSequentialLook[] {
  const looksOf = (c: number) => FIVE.map((information) => ({ information, zBoundary: c / Math.sqrt(information) }));
  let [low, high] = [Z, 3];
  for (let step = 0; step < 50; step++) {
    const middle = (low + high) / 2;
    if (groupSequentialPower(looksOf(middle), 0).power > ALPHA) low = middle;
    else high = middle;
  }
  return looksOf(high);
}
export const classic = classicLooks();
export const plannedMethods: Methods<Proportion> = [
  (control, treatment, look) => compareProportions(control, treatment).pValue! < ours[look]!.nominalPValue,
  (control, treatment, look) => exactPValues(control, treatment).fisher < 2 * normalSf(classic[look]!.zBoundary!),
  (control, treatment, look) => Math.abs(rateScores(control, treatment).pooled) > classic[look]!.zBoundary!,
];
