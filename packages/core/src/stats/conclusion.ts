import { isSignificant } from "./comparison.ts";
import type { MarginTest } from "./margin.ts";

/** The hypothesis of an experiment: the treatment is better, not worse by the margin, or no different by the margin. */
export type Hypothesis = "SUPERIORITY" | "NON_INFERIORITY" | "EQUIVALENCE";

/** The conclusion of a comparison. */
export type Conclusion = "SUPERIOR" | "NON_INFERIOR" | "EQUIVALENT" | "INFERIOR" | "INCONCLUSIVE";

/** A hypothesis, with the direction of the metric that is better. */
export interface Claim {
  hypothesis: Hypothesis;
  direction: "INCREASE" | "DECREASE";
}

/**
 * Returns the p-value of a hypothesis about a margin, to compare with alpha / 2. For non-inferiority it is that of the
 * one-sided test on the side of harm, for equivalence the larger of both (TOST). `null` for SUPERIORITY, and if a test
 * is undefined.
 *
 * Each one-sided test has half of alpha, for equivalence as well. So the conclusion is what the two-sided interval at 1
 * - alpha shows.
 *
 * Source: ICH E9 (1998), 3.3.2 and 5.5; FDA, Non-Inferiority Clinical Trials to Establish Effectiveness (2016); D. J.
 * Schuirmann, Journal of Pharmacokinetics and Biopharmaceutics 15 (1987).
 */
export function marginPValue({ aboveLower, belowUpper }: MarginTest, { hypothesis, direction }: Claim): number | null {
  if (hypothesis === "SUPERIORITY") return null;
  if (hypothesis === "NON_INFERIORITY") return direction === "INCREASE" ? aboveLower : belowUpper;
  return aboveLower === null || belowUpper === null ? null : Math.max(aboveLower, belowUpper);
}

/**
 * Concludes from the two-sided p-value of a difference and the one-sided p-value of its margin.
 *
 * A treatment that is significantly worse and yet within the margin is NON_INFERIOR or EQUIVALENT: the margin is what
 * may be lost. A significantly better treatment is SUPERIOR; under a hypothesis of equivalence, only if it is not
 * EQUIVALENT.
 *
 * Source: G. Piaggio and others, Reporting of Noninferiority and Equivalence Randomized Trials: Extension of the CONSORT
 * 2010 Statement, JAMA 308 (2012), figure 1.
 */
export function conclude(
  { hypothesis, direction }: Claim,
  tested: { difference: number | null; pValue: number | null; marginPValue: number | null },
  { alpha = 0.05 }: { alpha?: number } = {},
): Conclusion {
  const isWithin = isSignificant(tested.marginPValue, alpha / 2);
  const isDifferent = isSignificant(tested.pValue, alpha);
  const gain = (tested.difference ?? 0) * (direction === "INCREASE" ? 1 : -1);
  if (hypothesis === "EQUIVALENCE" && isWithin) return "EQUIVALENT";
  if (isDifferent && gain > 0) return "SUPERIOR";
  if (hypothesis === "NON_INFERIORITY" && isWithin) return "NON_INFERIOR";
  return isDifferent && gain < 0 ? "INFERIOR" : "INCONCLUSIVE";
}

/** Returns whether a conclusion establishes the hypothesis. */
export function isEstablished(hypothesis: Hypothesis, conclusion: Conclusion): boolean {
  if (hypothesis === "EQUIVALENCE") return conclusion === "EQUIVALENT";
  return conclusion === "SUPERIOR" || (hypothesis === "NON_INFERIORITY" && conclusion === "NON_INFERIOR");
}
