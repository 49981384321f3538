import { createBucketer, createPicker } from "@assay/core";
import { EXPOSURE } from "../events/journal.ts";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";

/** A stretch of time with one rollout percentage, strictly between 0 and 100. */
export interface RolloutStratum {
  percentage: number;
  /** Milliseconds since 1970: from (in) to (out). */
  from: number;
  to: number;
}

/**
 * What is compared, per user and stratum. RATE: whether they sent the event; COUNT: how often; MEAN: the mean of the
 * values they sent, among those who sent any.
 */
export interface RolloutMetric {
  eventType: string;
  aggregation: "RATE" | "COUNT" | "MEAN";
}

export interface RolloutOptions {
  flagKey: string;
  /** Of the flag's variants, fractions that sum to 1; `[1]` of a flag without any. */
  weights: number[];
  strata: RolloutStratum[];
  /** Users who get the flag, or do not, whatever their bucket. */
  named: string[];
  metrics: RolloutMetric[];
}

/** Users in the rollout against those out of it, over all strata. */
export interface RolloutEstimate {
  /** Users with a value, counted once for each stratum they were seen in. */
  n: { in: number; out: number };
  /** Over all strata as one, also of a side that has nothing to be compared with; null without users. */
  mean: { in: number | null; out: number | null };
  /** Weighted over the strata that have users on both sides; null where none has. */
  value: { in: number | null; out: number | null };
  /** `in` less `out`. */
  difference: number | null;
  standardError: number | null;
  /** Users that two equal groups would need to say as much. */
  effectiveUsers: number;
}

/** A rollout as the experiment it is. */
export interface RolloutStatistics {
  /** Different users seen while they were in, and while they were out; raising the percentage moves some. */
  users: { in: number; out: number };
  /** Of each stratum. */
  strata: { in: number; out: number }[];
  /** In the order of the metrics asked for. */
  estimates: RolloutEstimate[];
}

const [ABSENT, OUT, IN] = [0, 1, 2];

/**
 * Compares the users in a rollout with those out of it: a randomised experiment that every partial rollout is, since the
 * bucket alone decides. Everyone counts who sent an event of any type in a stratum, on the side where the stratum's
 * percentage puts their bucket, whether they asked for the flag or not. Left out are users who are named in the flag's
 * targeting and those with an exposure that says a rule gave them the flag.
 *
 * Differences of the strata are weighted by n_in n_out / (n_in + n_out), the inverse of their variances where users vary
 * alike (Cochran, Biometrics 10, 1954). The error is that of the sum of each user's contributions over all strata, so
 * that somebody seen in several does not count as several people (Liang and Zeger, Biometrika 73, 1986); it is the
 * larger of the one around each side's own mean and the one around their common mean, and of a rate never less than with
 * one more success and failure a side (Agresti and Caffo, The American Statistician 54, 2000).
 */
export function computeRollout(log: EventLog, options: RolloutOptions): RolloutStatistics {
  const { strata, metrics, weights } = options;
  const count = log.users.length;
  const hashes = createHashes(log, options);
  const seen = { in: new Uint8Array(count), out: new Uint8Array(count) };
  const perStratum: RolloutStatistics["strata"] = [];
  const sums = metrics.map(() => createSum(count));
  for (const stratum of strata) {
    const cells = metrics.map((metric) => createCells(log, metric, count));
    const sides = new Uint8Array(count);
    const picker = createPicker(weights, stratum.percentage);
    const { times, users, kinds } = log.rows;
    for (let row = 0; row < log.rows.length; row++) {
      if (times[row]! < stratum.from || times[row]! >= stratum.to || log.kinds[kinds[row]!]!.type === JOIN) continue;
      const user = users[row]!;
      if (sides[user] === ABSENT) {
        const hash = hashes(user);
        if (hash === null) continue;
        sides[user] = picker.pick(hash) >= 0 ? IN : OUT;
      }
      for (const cell of cells) cell.add(row, user);
    }
    const present = { in: 0, out: 0 };
    for (let user = 0; user < count; user++) {
      if (sides[user] === ABSENT) continue;
      const side = sides[user] === IN ? "in" : "out";
      present[side]++;
      seen[side][user] = 1;
    }
    perStratum.push(present);
    for (const [index, cell] of cells.entries()) sums[index]!.add(cell.values, cell.sidesOf(sides));
  }
  const countOf = (side: Uint8Array) => side.reduce((sum, one) => sum + one, 0);
  return {
    users: { in: countOf(seen.in), out: countOf(seen.out) },
    strata: perStratum,
    estimates: sums.map((sum, index) => sum.estimate(metrics[index]!.aggregation === "RATE")),
  };
}

/** The bucket of a user by index; null for those who are left out. */
function createHashes(log: EventLog, { flagKey, named }: RolloutOptions): (user: number) => number | null {
  const bucketOf = createBucketer(flagKey);
  const leftOut = new Set(named);
  const forced = new Set<number>();
  const isForced = log.kinds.map((kind) => kind.type === EXPOSURE && kind.flagKey === flagKey && kind.forced);
  if (isForced.includes(true)) {
    for (let row = 0; row < log.rows.length; row++) {
      if (isForced[log.rows.kinds[row]!]) forced.add(log.rows.users[row]!);
    }
  }
  return (user) => {
    const id = log.users[user]!;
    // An erased user keeps the index, not the name.
    return id === "" || leftOut.has(id) || forced.has(user) ? null : bucketOf(id);
  };
}

/** One metric of everybody in one stratum. */
function createCells(log: EventLog, { eventType, aggregation }: RolloutMetric, count: number) {
  const values = new Float64Array(count);
  const numbers = aggregation === "MEAN" ? new Uint32Array(count) : null;
  const isOwn = log.kinds.map(({ type }) => type === eventType && type !== EXPOSURE);
  const { kinds, values: given } = log.rows;
  return {
    values,
    add(row: number, user: number): void {
      if (!isOwn[kinds[row]!]) return;
      if (aggregation === "RATE") values[user] = 1;
      else if (numbers === null) values[user]! += 1;
      else if (!Number.isNaN(given[row]!)) {
        const n = ++numbers[user]!;
        values[user]! += (given[row]! - values[user]!) / n;
      }
    },
    /** Who has a value, and on which side. */
    sidesOf: (sides: Uint8Array): Uint8Array =>
      numbers === null ? sides : sides.map((side, user) => (numbers[user]! > 0 ? side : ABSENT)),
  };
}

/** Adds strata up; what each user contributes is kept apart, for the error. */
export function createSum(count: number) {
  const around = { own: new Float64Array(count), common: new Float64Array(count) };
  const n = { in: 0, out: 0 };
  const total = { in: 0, out: 0 };
  /** The same, of strata with users on both sides. */
  const compared = { n: { in: 0, out: 0 }, total: { in: 0, out: 0 } };
  let [weight, weightedIn, weightedOut] = [0, 0, 0];
  return {
    add(values: Float64Array, sides: Uint8Array): void {
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
      for (let user = 0; user < count; user++) {
        const side = sides[user]!;
        if (side === ABSENT) continue;
        const scale = side === IN ? own / nIn : -own / nOut;
        around.own[user]! += scale * (values[user]! - (side === IN ? meanIn : meanOut));
        around.common[user]! += scale * (values[user]! - mean);
      }
      weight += own;
      weightedIn += own * meanIn;
      weightedOut += own * meanOut;
    },
    estimate(isRate: boolean): RolloutEstimate {
      const mean = { in: n.in > 0 ? total.in / n.in : null, out: n.out > 0 ? total.out / n.out : null };
      if (weight === 0) {
        const value = { in: null, out: null };
        return { n, mean, value, difference: null, standardError: null, effectiveUsers: 0 };
      }
      const squares = (column: Float64Array) => column.reduce((all, one) => all + one * one, 0) / weight ** 2;
      const least = isRate
        ? leastVariance(compared.total.in, compared.n.in) + leastVariance(compared.total.out, compared.n.out)
        : 0;
      const value = { in: weightedIn / weight, out: weightedOut / weight };
      return {
        n,
        mean,
        value,
        difference: value.in - value.out,
        standardError: Math.sqrt(Math.max(squares(around.own), squares(around.common), least)),
        effectiveUsers: 4 * weight,
      };
    },
  };
}

function addTo(sides: { in: number; out: number }, inside: number, outside: number): void {
  sides.in += inside;
  sides.out += outside;
}

/** The variance of a rate with one more success and one more failure. */
function leastVariance(successes: number, n: number): number {
  const rate = (successes + 1) / (n + 2);
  return (rate * (1 - rate)) / (n + 2);
}
