import {
  type ArmEstimate,
  type Comparison,
  compareEstimates,
  type Interval,
  isSignificant,
  type TestOptions,
  testEstimate,
  undefinedComparison,
} from "./comparison.ts";
import { twoSidedNormalQuantile } from "./normal.ts";
import { between, checkAlpha, notNegative } from "./range.ts";

/** The users of an arm, and how many of them converted. */
export interface Proportion {
  successes: number;
  n: number;
}

/** A comparison of two conversion rates. */
export interface ProportionComparison extends Comparison {
  /** The variance that the statistic and the p-value use. */
  variance: "unpooled" | "pooled";
  /** Newcombe's interval of the difference, if an arm has fewer than 5 successes or failures. */
  newcombeInterval: Interval | null;
}

/** Options of a test of two proportions. */
export interface ProportionTestOptions extends TestOptions {
  /** The variance to use. By default it is unpooled, and pooled only if the unpooled one is zero. */
  variance?: "unpooled" | "pooled";
}

const SMALL_COUNT = 5;

/** @throws RangeError unless 0 <= successes <= n. */
export function checkProportion(name: string, { successes, n }: Proportion): void {
  notNegative(`${name}.n`, n);
  between(`${name}.successes`, successes, 0, n);
}

/** Returns the conversion rate of an arm as a comparable estimate, with the variance p (1 - p). */
export function rateEstimate({ successes, n }: Proportion): ArmEstimate {
  if (n === 0) return { n, value: 0, variance: null };
  return { n, value: successes / n, variance: (successes / n) * ((n - successes) / n) };
}

/**
 * Returns Wilson's score interval of one proportion; `null` without users.
 *
 * Source: E. B. Wilson, JASA 22 (1927).
 *
 * @throws RangeError unless 0 <= successes <= n and alpha lies strictly between 0 and 1.
 */
export function wilsonInterval(arm: Proportion, { alpha = 0.05 }: { alpha?: number } = {}): Interval | null {
  checkProportion("arm", arm);
  checkAlpha(alpha);
  const { n, successes } = arm;
  if (n === 0) return null;
  const z = twoSidedNormalQuantile(alpha);
  const q = (z * z) / n;
  const p = successes / n;
  const half = z * Math.sqrt((p * (1 - p) + q / 4) / n);
  // At the ends the formula is exact only up to rounding.
  const lower = successes === 0 ? 0 : (p + q / 2 - half) / (1 + q);
  const upper = successes === n ? 1 : (p + q / 2 + half) / (1 + q);
  return [lower, upper];
}

/**
 * Returns Newcombe's hybrid score interval of a difference of proportions; `null` if an arm has no users.
 *
 * Source: R. G. Newcombe, Statistics in Medicine 17 (1998), method 10.
 *
 * @throws RangeError unless 0 <= successes <= n in both arms and alpha lies strictly between 0 and 1.
 */
export function newcombeInterval(
  control: Proportion,
  treatment: Proportion,
  options: { alpha?: number } = {},
): Interval | null {
  const wc = wilsonInterval(control, options);
  const wt = wilsonInterval(treatment, options);
  if (wc === null || wt === null) return null;
  const pc = control.successes / control.n;
  const pt = treatment.successes / treatment.n;
  return [pt - pc - Math.hypot(pt - wt[0], wc[1] - pc), pt - pc + Math.hypot(wt[1] - pt, pc - wc[0])];
}

/**
 * Tests two conversion rates by a two-sided z-test with the unpooled variance p (1 - p).
 *
 * With fewer than two users in an arm the status is `INSUFFICIENT_DATA`. If neither arm varies (0 of n against n of n),
 * the unpooled statistic does not exist: then the p-value is that of the pooled test, and the interval is Newcombe's. A
 * `variance` option selects the bare formula, without either rule.
 *
 * Source: A. Agresti, Categorical Data Analysis (3rd ed. 2013), 3.1 and 3.2; lift by the delta method.
 *
 * @throws RangeError unless 0 <= successes <= n in both arms and alpha lies strictly between 0 and 1.
 */
export function twoProportionTest(
  control: Proportion,
  treatment: Proportion,
  { alpha = 0.05, referenceDistribution = "normal", variance }: ProportionTestOptions = {},
): ProportionComparison {
  checkProportion("control", control);
  checkProportion("treatment", treatment);
  const compared = compareEstimates(rateEstimate(control), rateEstimate(treatment), { alpha, referenceDistribution });
  const enough = variance !== undefined || Math.min(control.n, treatment.n) >= 2;
  const result = enough ? compared : undefinedComparison("INSUFFICIENT_DATA", compared.difference);
  const small = [control, treatment].some((arm) => Math.min(arm.successes, arm.n - arm.successes) < SMALL_COUNT);
  const score = newcombeInterval(control, treatment, { alpha });
  const answer = { ...result, variance: "unpooled" as const, newcombeInterval: small ? score : null };
  const pooled = variance === "pooled" || (variance === undefined && result.status === "ZERO_VARIANCE");
  if (!pooled || result.difference === null || result.standardError === null) return answer;

  const both = rateEstimate({ successes: control.successes + treatment.successes, n: control.n + treatment.n });
  const standardError = Math.sqrt((both.variance ?? 0) * (1 / control.n + 1 / treatment.n));
  // All users of both arms have the same value, so there is nothing to test with either variance.
  if (standardError === 0) return answer;
  const test = testEstimate(result.difference, standardError, result.df, alpha);
  return {
    ...answer,
    ...test,
    standardError,
    confidenceInterval: result.status === "ZERO_VARIANCE" ? score : test.confidenceInterval,
    significant: isSignificant(test.pValue, alpha),
    status: "OK",
    variance: "pooled",
  };
}
