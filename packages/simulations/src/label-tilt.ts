import type { Proportion } from "@assay/core/stats";

/** The lifts of the mixture, as powers of 2 times the planned one, in steps of a half, up and down. */
const STEPS = [-4, -3, -2, -1, 0, 1, 2, 3, 4];

/**
 * Returns the evidence against equal rates, an e-value that stays valid at any number of looks: a mixture of likelihood
 * ratios of the users' arms given their outcomes, over log lifts around the planned one, of both signs. Reject equal
 * rates at 1 / alpha.
 *
 * Given an outcome, an independent assignment still has its configured share, so each user's factor has mean 1 whatever
 * the law of the outcomes. The common rate and the share so far stand for the true ones.
 */
export function labelTilt(control: Proportion, treatment: Proportion, plannedLogLift: number): number {
  const n = control.n + treatment.n;
  const successes = control.successes + treatment.successes;
  const [share, rate] = [treatment.n / n, successes / n];
  let [evidence, weights] = [0, 0];
  for (const step of STEPS) {
    const weight = 2 ** (-Math.abs(step) / 4);
    for (const lift of [1, -1].map((sign) => sign * plannedLogLift * 2 ** (step / 2))) {
      const ofSuccess = Math.log(1 - share + share * Math.exp(lift * (1 - rate)));
      const ofOthers = Math.log(1 - share + share * Math.exp(-lift * rate));
      const tilted = lift * (treatment.successes - rate * treatment.n);
      evidence += weight * Math.exp(tilted - successes * ofSuccess - (n - successes) * ofOthers);
      weights += weight;
    }
  }
  return evidence / weights;
}
