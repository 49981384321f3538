import { finiteOrNull, type Interval, isSignificant } from "./comparison.ts";
import { positive, strictlyBetween } from "./range.ts";

/** An estimate tested so that it may be looked at any time; `null` where its standard error is 0 or undefined. */
export interface SequentialTest {
  logLikelihoodRatio: number | null;
  pValue: number | null;
  halfWidth: number | null;
  confidenceInterval: Interval | null;
}

/** What is known after a look, from it and all looks before. */
export interface SequentialLook {
  pValue: number | null;
  /** Intersection of all intervals so far; `null` where none is defined or nothing is left. */
  confidenceInterval: Interval | null;
  /** Whether the intervals so far have no point in common, which the model's error alone makes improbable. */
  empty: boolean;
  significant: boolean;
}

/**
 * The mixture sequential probability ratio test of a difference, against a normal mixture of effects around 0.
 *
 * `mixingVariance` is the variance of plausible effects in the squared units of the difference; it must not change
 * between looks.
 *
 * Source: Johari, Pekelis and Walsh, Always Valid Inference, Operations Research 70 (2022); Robbins (1970).
 *
 * @throws RangeError unless the mixing variance is positive and alpha lies strictly between 0 and 1.
 */
export function mixtureTest(
  difference: number | null,
  standardError: number | null,
  mixingVariance: number,
  { alpha = 0.05 }: { alpha?: number } = {},
): SequentialTest {
  positive("mixingVariance", mixingVariance);
  strictlyBetween("alpha", alpha, 0, 1);
  const undefinedTest = { logLikelihoodRatio: null, pValue: null, halfWidth: null, confidenceInterval: null };
  if (difference === null || standardError === null || !(standardError > 0)) return undefinedTest;
  const variance = standardError ** 2;
  // All through the ratio of the variances, whose size does not depend on the metric's unit.
  const ratio = mixingVariance / variance;
  const z = difference / standardError;
  const logLikelihoodRatio = finiteOrNull(0.5 * ((ratio / (1 + ratio)) * z * z - Math.log1p(ratio)));
  const halfWidth = finiteOrNull(
    standardError * Math.sqrt((1 + 1 / ratio) * (Math.log1p(ratio) - 2 * Math.log(alpha))),
  );
  if (logLikelihoodRatio === null || halfWidth === null) return undefinedTest;
  return {
    logLikelihoodRatio,
    pValue: Math.min(1, Math.exp(-logLikelihoodRatio)),
    halfWidth,
    confidenceInterval: [difference - halfWidth, difference + halfWidth],
  };
}

/**
 * The always-valid rho: how quickly the interval narrows, best at about `tuningParameter` users.
 *
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, arXiv 2103.06476, equation 9.
 *
 * @throws RangeError unless the tuning parameter is positive and alpha lies strictly between 0 and 1.
 */
export function alwaysValidRho({
  alpha = 0.05,
  tuningParameter = 5000,
}: {
  alpha?: number;
  tuningParameter?: number;
} = {}): number {
  const level = -2 * Math.log(strictlyBetween("alpha", alpha, 0, 1));
  return Math.sqrt((level + Math.log(level + 1)) / positive("tuningParameter", tuningParameter));
}

/**
 * The asymptotic confidence sequence of a difference: the mixture test with mixing variance rho^2 n se^2.
 *
 * `n` is the number of users in both arms together.
 *
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, arXiv 2103.06476, equation 9.
 *
 * @throws RangeError unless n and the tuning parameter are positive and alpha lies strictly between 0 and 1.
 */
export function alwaysValidTest(
  difference: number | null,
  standardError: number | null,
  n: number,
  options: { alpha?: number; tuningParameter?: number } = {},
): SequentialTest {
  const rho = alwaysValidRho(options);
  if (standardError === null || !(standardError > 0)) return mixtureTest(difference, null, 1, options);
  // The test depends on the ratio of both variances alone, so the unit can be one standard error.
  const test = mixtureTest(
    difference === null ? null : difference / standardError,
    1,
    rho * rho * positive("n", n),
    options,
  );
  const halfWidth = test.halfWidth === null ? null : finiteOrNull(test.halfWidth * standardError);
  if (difference === null || halfWidth === null) return { ...test, halfWidth: null, confidenceInterval: null };
  return { ...test, halfWidth, confidenceInterval: [difference - halfWidth, difference + halfWidth] };
}

/**
 * Looks in the order they were taken: p is a running minimum, the interval a running intersection.
 *
 * An undefined look leaves what was known before it. `firstRejection` counts looks from 1.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function replayLooks(
  tests: readonly SequentialTest[],
  { alpha = 0.05 }: { alpha?: number } = {},
): { looks: SequentialLook[]; firstRejection: number | null } {
  strictlyBetween("alpha", alpha, 0, 1);
  let pValue: number | null = null;
  let interval: Interval | null = null;
  const looks = tests.map((test): SequentialLook => {
    if (test.pValue !== null) pValue = Math.min(pValue ?? 1, test.pValue);
    if (test.confidenceInterval) {
      const [lower, upper]: Interval = interval ?? test.confidenceInterval;
      interval = [Math.max(lower, test.confidenceInterval[0]), Math.min(upper, test.confidenceInterval[1])];
    }
    const empty = interval !== null && interval[0] > interval[1];
    return { pValue, confidenceInterval: empty ? null : interval, empty, significant: isSignificant(pValue, alpha) };
  });
  const first = looks.findIndex(({ significant }) => significant);
  return { looks, firstRejection: first < 0 ? null : first + 1 };
}
