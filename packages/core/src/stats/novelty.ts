import { isSignificant, testEstimate } from "./comparison.ts";
import { cochranQ, type Effect, type Heterogeneity, knownEffects, pooledEffect } from "./heterogeneity.ts";
import { checkAlpha } from "./range.ts";

/** A test of whether an effect wears off (novelty) or grows (primacy) over the days. */
export interface NoveltyTest {
  /** The change of the effect per unit of ln(day), with its known-variance error. */
  slope: number | null;
  slopeStandardError: number | null;
  slopeStatistic: number | null;
  slopePValue: number | null;
  early: Effect;
  late: Effect;
  lateMinusEarly: Effect & { pValue: number | null };
  heterogeneity: Heterogeneity;
  significant: boolean;
  status: "OK" | "INSUFFICIENT_DATA";
}

/**
 * Tests independent daily cohorts for novelty and primacy: by a regression of the effect on ln(day), and early against
 * late.
 *
 * `days` are the effects on the users first exposed on day 1, 2 ... in order. Undefined days are left out but count as
 * days.
 *
 * Source: inverse-variance weighted least squares, Hedges and Olkin, Statistical Methods for Meta-Analysis (1985), 8.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function noveltyTest(days: readonly Effect[], { alpha = 0.05 }: { alpha?: number } = {}): NoveltyTest {
  checkAlpha(alpha);
  const half = Math.floor(days.length / 2);
  const early = pooledEffect(days.slice(0, half));
  const late = pooledEffect(days.slice(half));
  const known = knownEffects(days.map((effect, i) => ({ ...effect, x: Math.log(i + 1) })));
  const centre = pooledEffect(known.map(({ x, standardError }) => ({ difference: x, standardError }))).difference ?? 0;
  let spread = 0;
  let product = 0;
  for (const { x, difference, standardError } of known) {
    const distance = (x - centre) / standardError;
    spread += distance * distance;
    product += distance * (difference / standardError);
  }
  // Without two different days nothing spreads.
  const fitted = spread > 0;
  const [slope, slopeStandardError] = [product / spread, 1 / Math.sqrt(spread)];
  const test = testEstimate(fitted ? slope : Number.NaN, slopeStandardError, null, alpha);
  const change: Effect & { pValue: number | null } = { difference: null, standardError: null, pValue: null };
  if (early.difference !== null && late.difference !== null) {
    change.difference = late.difference - early.difference;
    change.standardError = Math.hypot(early.standardError ?? 0, late.standardError ?? 0);
    change.pValue = testEstimate(change.difference, change.standardError, null, alpha).pValue;
  }
  return {
    slope: fitted ? slope : null,
    slopeStandardError: fitted ? slopeStandardError : null,
    slopeStatistic: test.statistic,
    slopePValue: test.pValue,
    early,
    late,
    lateMinusEarly: change,
    heterogeneity: cochranQ(days),
    significant: isSignificant(test.pValue, alpha),
    status: fitted ? "OK" : "INSUFFICIENT_DATA",
  };
}
