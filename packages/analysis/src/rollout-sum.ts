/** A user's side in a stratum: not seen, out of the rollout, or in it. */
export const [ABSENT, OUT, IN] = [0, 1, 2] as const;

/** The comparison of users in the rollout with users outside of it, over all strata. */
export interface RolloutEstimate {
  /** Number of users with a value, counted once for each stratum in which they were seen. */
  n: { in: number; out: number };
  /** Mean over all strata as one, including sides without a counterpart; null without users. */
  mean: { in: number | null; out: number | null };
  /** Mean weighted over the strata that have users on both sides; null if there are none. */
  value: { in: number | null; out: number | null };
  /** `in` minus `out`. */
  difference: number | null;
  standardError: number | null;
  /** The number of users with the same information in two equal groups. */
  effectiveUsers: number;
}

/** An accumulator of strata. */
export interface RolloutSum {
  /** Adds a stratum: by user, the value and the side. */
  add(values: Float64Array, sides: Uint8Array): void;
  /** Returns the comparison of everything added so far. */
  estimate(isRate: boolean): RolloutEstimate;
}

/**
 * Creates the sum over the strata of a rollout with so many users, none added yet.
 *
 * Differences of the strata are weighted by n_in n_out / (n_in + n_out), the inverse of their variances if users vary
 * alike (Cochran, Biometrics 10, 1954). The error is that of the sum of each user's contributions over all strata, so
 * that a user seen in several does not count as several people (Liang and Zeger, Biometrika 73, 1986). It is the largest
 * of three: around each side's own mean, around their common mean, and with the variance of both sides together, as if
 * the sides had been drawn again. Without the last one, a small side on which nothing has happened yet would have hardly
 * any error. The error of a rate is never less than with one more success and failure a side (Agresti and Caffo, The
 * American Statistician 54, 2000).
 */
export function createRolloutSum(count: number): RolloutSum {
  const around = { own: new Float64Array(count), common: new Float64Array(count) };
  const n = { in: 0, out: 0 };
  const total = { in: 0, out: 0 };
  /** The sums of strata with users on both sides. */
  const compared = { n: { in: 0, out: 0 }, total: { in: 0, out: 0 } };
  let [weight, weightedIn, weightedOut] = [0, 0, 0];
  /** Squared errors summed over strata, as if no user were seen in two: around the common mean, and of both together. */
  const apart = { common: 0, pooled: 0 };
  return {
    add(values, sides) {
      const [size, sum] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      for (let user = 0; user < count; user++) {
        size[sides[user]!]!++;
        sum[sides[user]!]! += values[user]!;
      }
      const [nOut, nIn, sumOut, sumIn] = [size[OUT]!, size[IN]!, sum[OUT]!, sum[IN]!];
      addTo(n, nIn, nOut);
      addTo(total, sumIn, sumOut);
      if (nIn === 0 || nOut === 0) return;
      addTo(compared.n, nIn, nOut);
      addTo(compared.total, sumIn, sumOut);
      const own = (nIn * nOut) / (nIn + nOut);
      const [meanIn, meanOut, mean] = [sumIn / nIn, sumOut / nOut, (sumIn + sumOut) / (nIn + nOut)];
      let squares = 0;
      for (let user = 0; user < count; user++) {
        const side = sides[user]!;
        if (side === ABSENT) continue;
        const scale = side === IN ? own / nIn : -own / nOut;
        const deviation = values[user]! - mean;
        around.own[user]! += scale * (values[user]! - (side === IN ? meanIn : meanOut));
        around.common[user]! += scale * deviation;
        apart.common += (scale * deviation) ** 2;
        squares += deviation * deviation;
      }
      // The variance of both sides times own^2 (1 / nIn + 1 / nOut).
      apart.pooled += (own * squares) / (nIn + nOut - 1);
      weight += own;
      weightedIn += own * meanIn;
      weightedOut += own * meanOut;
    },
    estimate(isRate) {
      const mean = { in: n.in > 0 ? total.in / n.in : null, out: n.out > 0 ? total.out / n.out : null };
      if (weight === 0) {
        const value = { in: null, out: null };
        return { n, mean, value, difference: null, standardError: null, effectiveUsers: 0 };
      }
      const squares = (column: Float64Array) => column.reduce((all, one) => all + one * one, 0) / weight ** 2;
      const [own, common] = [squares(around.own), squares(around.common)];
      // How much larger the error is because the same users are seen again.
      const repeated = apart.common > 0 ? Math.max(1, (common * weight ** 2) / apart.common) : 1;
      const pooled = (apart.pooled / weight ** 2) * repeated;
      const least = isRate
        ? leastVariance(compared.total.in, compared.n.in) + leastVariance(compared.total.out, compared.n.out)
        : 0;
      const value = { in: weightedIn / weight, out: weightedOut / weight };
      return {
        n,
        mean,
        value,
        difference: value.in - value.out,
        standardError: Math.sqrt(Math.max(own, common, pooled, least)),
        effectiveUsers: 4 * weight,
      };
    },
  };
}

function addTo(sides: { in: number; out: number }, inside: number, outside: number): void {
  sides.in += inside;
  sides.out += outside;
}

/** Returns the variance of a rate with one more success and one more failure. */
function leastVariance(successes: number, n: number): number {
  const rate = (successes + 1) / (n + 2);
  return (rate * (1 - rate)) / (n + 2);
}
