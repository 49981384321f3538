import type { AnytimeOptions } from "./anytime.ts";
import { mixingRatio } from "./anytime.ts";
import type { ArmEstimate, TestOptions } from "./comparison.ts";
import { commonError, fiellerInterval, standardErrors } from "./decision.ts";
import { normalSf, twoSidedNormalQuantile } from "./normal.ts";
import { checkProportion, type Proportion } from "./proportions.ts";
import { checkAlpha, strictlyBetween } from "./range.ts";
import { score } from "./score.ts";
import { criticalOf, logRatioOf } from "./sequential.ts";
import { tSf } from "./student-t.ts";

/**
 * One-sided p-values of a lift against a margin, which is a share of the control's value. `aboveLower` tests that the
 * lift is above -margin, `belowUpper` that it is below +margin. `null` where the data do not suffice.
 *
 * Compare each with alpha / 2: then it agrees with the two-sided interval of the lift at 1 - alpha.
 */
export interface MarginTest {
  aboveLower: number | null;
  belowUpper: number | null;
}

const UNDEFINED: MarginTest = { aboveLower: null, belowUpper: null };

/** Returns the ratios treatment / control at a lift of -margin and of +margin. */
function borders(control: number, margin: number): { lower: number; upper: number } {
  strictlyBetween("margin", margin, 0, 1);
  const sign = control < 0 ? -1 : 1;
  return { lower: 1 - sign * margin, upper: 1 + sign * margin };
}

/**
 * Tests two conversion rates against a margin of their lift, by the score of `compareProportions` at the ratios 1 -
 * margin and 1 + margin instead of 1.
 *
 * Both p-values are `null` without a success in either arm, and with fewer than two users in an arm.
 *
 * Source: C. Farrington and G. Manning, Statistics in Medicine 9 (1990), with the score of Gart and Nam, Biometrics 46
 * (1990).
 *
 * @throws RangeError unless 0 <= successes <= n in both arms and the margin lies strictly between 0 and 1.
 */
export function proportionMarginTest(control: Proportion, treatment: Proportion, margin: number): MarginTest {
  checkProportion("control", control);
  checkProportion("treatment", treatment);
  const { lower, upper } = borders(1, margin);
  if (Math.min(control.n, treatment.n) < 2 || control.successes + treatment.successes === 0) return UNDEFINED;
  const z = (ratio: number) => score(control, treatment, "ratio", ratio, 1).z;
  return { aboveLower: normalSf(z(lower)), belowUpper: normalSf(-z(upper)) };
}

/**
 * Tests two arms against a margin of their lift by their estimates. Each p-value is the largest of three: those of
 * Welch's and of the pooled t-test of the treatment against a multiple of the control, and that of the normal test
 * behind the interval of the lift.
 *
 * So if a p-value is below alpha / 2, the interval of `compareArms` lies on the right side of the margin. If the
 * control may be 0, that interval is undefined and a share of the control means nothing: then the answer is `null`.
 *
 * Source: E. C. Fieller, Journal of the Royal Statistical Society B 16 (1954); D. Hauschke, M. Kieser, E. Diletti and
 * M. Burke, Statistics in Medicine 18 (1999).
 *
 * @throws RangeError unless the margin and alpha lie strictly between 0 and 1.
 */
export function armMarginTest(
  control: ArmEstimate,
  treatment: ArmEstimate,
  margin: number,
  { alpha = 0.05, referenceDistribution = "t" }: TestOptions = {},
): MarginTest {
  checkAlpha(alpha);
  const { lower, upper } = borders(control.value, margin);
  const errors = standardErrors(control, treatment);
  if (errors === null || !(errors.own > 0)) return UNDEFINED;
  if (fiellerInterval(control, treatment, twoSidedNormalQuantile(alpha)) === null) return UNDEFINED;
  const sf = (z: number, own: number) => (referenceDistribution === "normal" ? normalSf(z) : tSf(z, own));
  const pValue = (ratio: number, side: 1 | -1) => {
    const multiple = times(control, ratio);
    const distance = side * (treatment.value - multiple.value);
    const found = standardErrors(multiple, treatment) ?? errors;
    const { own, pooled, df } = found;
    const values = [
      sf(distance / own, df.own),
      sf(distance / pooled, df.pooled),
      normalSf(distance / commonError(found, distance)),
    ];
    const largest = Math.max(...values);
    return Number.isNaN(largest) ? null : largest;
  };
  return { aboveLower: pValue(lower, 1), belowUpper: pValue(upper, -1) };
}

/** Returns the arm with all its values multiplied by a factor. */
function times({ n, value, variance }: ArmEstimate, factor: number): ArmEstimate {
  return { n, value: factor * value, variance: variance === null ? null : factor * factor * variance };
}

/**
 * Returns half of a two-sided p-value on the right side of the margin; 1 on the other side, and where there is no
 * evidence.
 */
function oneSided(logRatio: number, isBeyond: boolean): number {
  return isBeyond && logRatio > 0 ? Math.exp(-logRatio) / 2 : 1;
}

/**
 * Tests two conversion rates against a margin of their lift at any time. A p-value is below alpha / 2 if and only if
 * the interval of `compareProportionsAnytime` lies on the right side of the margin.
 *
 * Source: as `compareProportionsAnytime`, at the ratios 1 - margin and 1 + margin.
 *
 * @throws RangeError as `compareProportionsAnytime`, and unless the margin lies strictly between 0 and 1.
 */
export function proportionMarginTestAnytime(
  control: Proportion,
  treatment: Proportion,
  margin: number,
  options: AnytimeOptions = {},
): MarginTest {
  checkProportion("control", control);
  checkProportion("treatment", treatment);
  const { lower, upper } = borders(1, margin);
  const ratioOf = mixingRatio(control.n + treatment.n, options);
  if (Math.min(control.n, treatment.n) === 0 || score(control, treatment, "difference", 0, 0).variance === 0) {
    return UNDEFINED;
  }
  const pValue = (ratio: number, side: 1 | -1) => {
    const { z, variance } = score(control, treatment, "ratio", ratio, 0);
    return oneSided(variance === 0 ? Math.abs(z) : logRatioOf(z, ratioOf(variance)), side * z > 0);
  };
  return { aboveLower: pValue(lower, 1), belowUpper: pValue(upper, -1) };
}

/**
 * Tests two arms against a margin of their lift at any time, by their estimates. A p-value is below alpha / 2 if and
 * only if the interval of `compareArmsAnytime` lies on the right side of the margin.
 *
 * Source: as `compareArmsAnytime`, for the treatment against a multiple of the control.
 *
 * @throws RangeError as `compareArmsAnytime`, and unless the margin lies strictly between 0 and 1.
 */
export function armMarginTestAnytime(
  control: ArmEstimate,
  treatment: ArmEstimate,
  margin: number,
  options: AnytimeOptions = {},
): MarginTest {
  const { lower, upper } = borders(control.value, margin);
  const ratioOf = mixingRatio(control.n + treatment.n, options);
  const errors = standardErrors(control, treatment);
  const largest = errors === null ? 0 : Math.max(errors.own, errors.pooled);
  if (!(largest > 0)) return UNDEFINED;
  const ratio = ratioOf(largest ** 2);
  const { alpha = 0.05 } = options;
  if (fiellerInterval(control, treatment, criticalOf(ratio, checkAlpha(alpha))) === null) return UNDEFINED;
  const pValue = (border: number, side: 1 | -1) => {
    const multiple = times(control, border);
    const distance = treatment.value - multiple.value;
    const found = standardErrors(multiple, treatment)!;
    const z = distance / Math.max(found.own, commonError(found, distance));
    return Number.isNaN(z) ? null : oneSided(logRatioOf(z, ratio), side * z > 0);
  };
  return { aboveLower: pValue(lower, 1), belowUpper: pValue(upper, -1) };
}
