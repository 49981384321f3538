import { type Moments, type Proportion, tQuantile, varianceOf } from "@assay/core/stats";

/** Tests of other tools and of textbooks, at level alpha, to compare ours with. */

/**
 * Returns the probabilities that the treatment has exactly its successes, or more, or fewer, given the margins of the
 * table.
 */
function hypergeometric(control: Proportion, treatment: Proportion): { equal: number; above: number; below: number } {
  const successes = control.successes + treatment.successes;
  // Probabilities as multiples of that of the observed table, outwards until they no longer count.
  const tail = (step: 1 | -1) => {
    let [x, one, sum] = [treatment.successes, 1, 0];
    for (;;) {
      const [a, b] = step === 1 ? [x, x + 1] : [x - 1, x];
      const rise = ((treatment.n - a) * (successes - a)) / (b * (control.n - successes + b));
      one *= step === 1 ? rise : 1 / rise;
      if (!(one > 1e-17 * (1 + sum))) return sum;
      sum += one;
      x += step;
    }
  };
  const [upper, lower] = [tail(1), tail(-1)];
  const equal = 1 / (1 + upper + lower);
  return { equal, above: upper * equal, below: lower * equal };
}

/** Returns p-values as twice the smaller tail of Fisher's exact test. Mid-p counts half of the observed table. */
export function exactPValues(control: Proportion, treatment: Proportion): { fisher: number; midP: number } {
  const { equal, above, below } = hypergeometric(control, treatment);
  const least = Math.min(above, below);
  return { fisher: Math.min(1, 2 * (least + equal)), midP: Math.min(1, 2 * least + equal) };
}

/** Returns z of two rates, with one rate of both arms in the error (pooled), and with one of each (unpooled). */
export function rateScores(control: Proportion, treatment: Proportion): { pooled: number; unpooled: number } {
  const [c, t] = [control.successes / control.n, treatment.successes / treatment.n];
  const both = (control.successes + treatment.successes) / (control.n + treatment.n);
  const unpooled = Math.sqrt((c * (1 - c)) / control.n + (t * (1 - t)) / treatment.n);
  const pooled = Math.sqrt(both * (1 - both) * (1 / control.n + 1 / treatment.n));
  return { pooled: (t - c) / pooled || 0, unpooled: (t - c) / unpooled || 0 };
}

/** Returns z of two means, with one variance of both arms in the error (pooled), and with one of each (Welch). */
export function meanScores(control: Moments, treatment: Moments): { pooled: number; welch: number } {
  const [vc, vt] = [varianceOf(control) ?? 0, varianceOf(treatment) ?? 0];
  const both = ((control.n - 1) * vc + (treatment.n - 1) * vt) / (control.n + treatment.n - 2);
  const difference = treatment.mean - control.mean;
  return {
    pooled: difference / Math.sqrt(both * (1 / control.n + 1 / treatment.n)),
    welch: difference / Math.sqrt(vc / control.n + vt / treatment.n),
  };
}

/** Returns the critical value of a t-test of this many users. */
export const critical = (users: number, alpha: number) => -tQuantile(alpha / 2, users - 2);

/**
 * Returns the boundary of |z| for reading at any time, for `n` users of both arms: GrowthBook's sequential test
 * (frequentist engine) with its default tuning parameter.
 *
 * Source: docs.growthbook.io/statistics/sequential: Waudby-Smith et al., arXiv 2103.06476v7, equations 9 and 161.
 */
export function anytimeBoundary(n: number, alpha: number, tuningParameter = 5000): number {
  const square = (-2 * Math.log(alpha) + Math.log(-2 * Math.log(alpha) + 1)) / tuningParameter;
  const grown = n * square + 1;
  return Math.sqrt(((2 * grown) / (n * square)) * Math.log(Math.sqrt(grown) / alpha));
}
