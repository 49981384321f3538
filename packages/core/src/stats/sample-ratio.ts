import { chiSquareLogSf } from "./chi-square.ts";
import { notNegative, positive, sameLength, strictlyBetween } from "./range.ts";
import { deviance, stirlingError } from "./saddle-point.ts";

/** A test of whether the observed split of users is the configured one. */
export interface SampleRatioTest {
  chiSquare: number;
  df: number;
  pValue: number;
  /** Base-10 logarithm of the p-value, exact even if the p-value itself underflows. */
  log10PValue: number;
  /** The expected users per arm, in the order of the weights. */
  expected: number[];
  warning: boolean;
}

/** The counts of one period, with the weights in force. */
export interface SampleRatioPeriod {
  observed: readonly number[];
  weights: readonly number[];
}

/** The evidence against the configured split. It is valid at any number of looks. */
export interface AnytimeSampleRatioTest {
  /**
   * The natural logarithm of the evidence (e-value). If the split is the configured one, the evidence is on average at
   * most 1 at any look.
   */
  logEvidence: number;
  /** 1 / evidence, at most 1. */
  pValue: number;
  warning: boolean;
}

/** Returns Pearson's chi-square of counts against expected counts, without the cells whose expected count is zero. */
export function pearson(observed: readonly number[], expected: readonly number[]): number {
  return observed.reduce((sum, n, i) => (expected[i]! > 0 ? sum + (n - expected[i]!) ** 2 / expected[i]! : sum), 0);
}

/**
 * Tests the sample ratio where weights changed: compares the observed totals with the expected counts summed over
 * periods.
 *
 * Arms that never had weight are left out. Without users, or with a single arm, p = 1.
 *
 * Source: K. Pearson, Philosophical Magazine 50 (1900); Fabijan et al., KDD 2019.
 *
 * @throws RangeError for negative counts or weights, unequal lengths, or a period with users but without weight.
 */
export function periodSampleRatioTest(
  periods: readonly SampleRatioPeriod[],
  { threshold = 0.001 }: { threshold?: number } = {},
): SampleRatioTest {
  strictlyBetween("threshold", threshold, 0, 1);
  const arms = periods[0]?.weights.length ?? 0;
  const expected = new Array<number>(arms).fill(0);
  const counted = new Array<number>(arms).fill(0);
  const weighted = new Array<boolean>(arms).fill(false);
  for (const { observed, weights } of periods) {
    sameLength("observed and weights", arms, [observed, weights]);
    let users = 0;
    let total = 0;
    for (let i = 0; i < arms; i++) {
      const weight = notNegative("weight", weights[i]!);
      const count = notNegative("observed", observed[i]!);
      if (weight === 0) continue;
      weighted[i] = true;
      counted[i]! += count;
      users += count;
      total += weight;
    }
    if (observed.some((count) => count > 0)) positive("the sum of weights", total);
    for (let i = 0; i < arms; i++) if (total > 0) expected[i]! += users * (weights[i]! / total);
  }
  const chiSquare = pearson(counted, expected);
  const df = Math.max(0, weighted.filter(Boolean).length - 1);
  const log = df === 0 ? 0 : chiSquareLogSf(chiSquare, df);
  const pValue = Math.exp(log);
  return { chiSquare, df, pValue, log10PValue: log / Math.LN10, expected, warning: pValue < threshold };
}

/**
 * Tests the observed users per arm against the configured weights by Pearson's chi-square. The weights need not sum to
 * 1.
 *
 * Arms of weight 0 are left out, and df is the number of the other arms minus 1. `warning` is true at p < `threshold`
 * (0.001).
 *
 * Source: K. Pearson, Philosophical Magazine 50 (1900); Fabijan et al., KDD 2019.
 *
 * @throws RangeError for negative counts or weights, unequal lengths, or no positive weight.
 */
export function sampleRatioTest(
  observed: readonly number[],
  weights: readonly number[],
  options: { threshold?: number } = {},
): SampleRatioTest {
  return periodSampleRatioTest([{ observed, weights }], options);
}

/**
 * Tests the sample ratio so that it may be read after every user: by a Dirichlet mixture of splits around the
 * configured one.
 *
 * `concentration` is the number of users that the mixture counts for. A higher one finds small deviations sooner and
 * large ones later. A new period begins when the weights change. Arms of weight 0 are left out. A warning at p <
 * `threshold` (0.001) is false in at most that share of experiments, at any number of looks. This test needs more users
 * to find a mismatch than one chi-square test.
 *
 * Source: Lindon and Malek, Anytime-valid inference for multinomial count data, NeurIPS 2022.
 *
 * @throws RangeError for negative counts or weights, unequal lengths, or a period with users but without weight.
 */
export function anytimeSampleRatioTest(
  periods: readonly SampleRatioPeriod[],
  { threshold = 0.001, concentration = 1000 }: { threshold?: number; concentration?: number } = {},
): AnytimeSampleRatioTest {
  // Throws if the periods are not valid.
  periodSampleRatioTest(periods, { threshold });
  positive("concentration", concentration);
  let logEvidence = 0;
  for (const { observed, weights } of periods) {
    const arms = weights.flatMap((weight, arm) => (weight > 0 ? [{ weight, n: observed[arm]! }] : []));
    const total = arms.reduce((sum, { weight }) => sum + weight, 0);
    const users = arms.reduce((sum, { n }) => sum + n, 0);
    // The ratio of two Dirichlet densities, as deviances from the split, so that no large logarithms cancel.
    const all = concentration + users;
    logEvidence += densityOf(concentration, 0) - densityOf(all, 0);
    for (const { weight, n } of arms) {
      const prior = (concentration * weight) / total;
      const expected = (all * weight) / total;
      logEvidence += densityOf(prior + n, n - (users * weight) / total, expected) - densityOf(prior, 0);
    }
  }
  const pValue = Math.min(1, Math.exp(-logEvidence));
  return { logEvidence, pValue, warning: pValue < threshold };
}

/**
 * Returns the deviance of a pseudo-count from its expectation, with the terms of Stirling's formula that do not cancel.
 */
function densityOf(count: number, excess: number, expected = count): number {
  return deviance(count, expected, excess) - Math.log(count) / 2 + stirlingError(count);
}
