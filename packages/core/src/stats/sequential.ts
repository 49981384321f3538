import { finiteOrNull, type Interval, isSignificant } from "./comparison.ts";
import { checkAlpha, positive } from "./range.ts";

/** A test of an estimate at any time; `null` if the standard error is 0 or undefined. */
export interface SequentialTest {
  logLikelihoodRatio: number | null;
  pValue: number | null;
  halfWidth: number | null;
  confidenceInterval: Interval | null;
}

/** The result after a look, from this look and all before it. */
export interface SequentialLook {
  pValue: number | null;
  /** The intersection of all intervals so far; `null` if none is defined or the intersection is empty. */
  confidenceInterval: Interval | null;
  /** Whether the intervals so far have no common point. That is improbable unless the model is wrong. */
  empty: boolean;
  significant: boolean;
}

export const NO_TEST: SequentialTest = {
  logLikelihoodRatio: null,
  pValue: null,
  halfWidth: null,
  confidenceInterval: null,
};

/** Returns the natural logarithm of the likelihood ratio of a mixture of effects to no effect. */
export function logRatioOf(z: number, ratio: number): number {
  return 0.5 * ((ratio / (1 + ratio)) * z * z - Math.log1p(ratio));
}

/** Returns the least size of z that rejects at level alpha, for this ratio of a mixture. */
export function criticalOf(ratio: number, alpha: number): number {
  return Math.sqrt((1 + 1 / ratio) * (Math.log1p(ratio) - 2 * Math.log(alpha)));
}

/** Returns the mixture test for a ratio of the mixing variance to the squared standard error, which has no unit. */
export function mixture(
  difference: number | null,
  standardError: number | null,
  ratio: number,
  alpha: number,
): SequentialTest {
  const error = standardError ?? Number.NaN;
  if (error < 0) throw new RangeError(`standardError must not be negative, got ${error}`);
  const z = (difference ?? Number.NaN) / error;
  const logLikelihoodRatio = finiteOrNull(logRatioOf(z, ratio));
  const halfWidth = finiteOrNull(error * criticalOf(ratio, alpha));
  if (difference === null || logLikelihoodRatio === null || halfWidth === null) return NO_TEST;
  return {
    logLikelihoodRatio,
    pValue: Math.min(1, Math.exp(-logLikelihoodRatio)),
    halfWidth,
    confidenceInterval: [difference - halfWidth, difference + halfWidth],
  };
}

/**
 * Tests a difference by the mixture sequential probability ratio test, with a normal mixture of effects around 0.
 *
 * `mixingVariance` is the variance of plausible effects, in squared units of the difference. It must not change between
 * looks.
 *
 * Source: Johari, Pekelis and Walsh, Always Valid Inference, Operations Research 70 (2022); Robbins (1970).
 *
 * @throws RangeError for a negative standard error, and unless the mixing variance is positive and alpha lies strictly
 * between 0 and 1.
 */
export function mixtureTest(
  difference: number | null,
  standardError: number | null,
  mixingVariance: number,
  { alpha = 0.05 }: { alpha?: number } = {},
): SequentialTest {
  positive("mixingVariance", mixingVariance);
  return mixture(difference, standardError, mixingVariance / (standardError ?? 0) ** 2, checkAlpha(alpha));
}

/**
 * Returns rho of the always-valid test, which sets how quickly the interval narrows. It is best at about
 * `tuningParameter` users.
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
  const level = -2 * Math.log(checkAlpha(alpha));
  return Math.sqrt((level + Math.log(level + 1)) / positive("tuningParameter", tuningParameter));
}

/**
 * Tests a difference by the asymptotic confidence sequence: the mixture test with mixing variance rho^2 n se^2.
 *
 * `n` is the number of users in both arms together.
 *
 * Source: Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas, arXiv 2103.06476, equation 9.
 *
 * @throws RangeError for a negative standard error, and unless n and the tuning parameter are positive and alpha lies
 * strictly between 0 and 1.
 */
export function alwaysValidTest(
  difference: number | null,
  standardError: number | null,
  n: number,
  options: { alpha?: number; tuningParameter?: number } = {},
): SequentialTest {
  const rho = alwaysValidRho(options);
  return mixture(difference, standardError, rho * rho * positive("n", n), options.alpha ?? 0.05);
}

/**
 * Combines looks in their order: the p-value is a running minimum, the interval a running intersection.
 *
 * An undefined look keeps the previous result. `firstRejection` counts looks from 1.
 *
 * @throws RangeError unless alpha lies strictly between 0 and 1.
 */
export function replayLooks(
  tests: readonly Pick<SequentialTest, "pValue" | "confidenceInterval">[],
  { alpha = 0.05 }: { alpha?: number } = {},
): { looks: SequentialLook[]; firstRejection: number | null } {
  checkAlpha(alpha);
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
