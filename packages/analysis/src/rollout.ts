import { createBucketer, createPicker } from "@assay/core";
import { JOIN } from "./event-kind.ts";
import type { EventLog } from "./event-log.ts";
import { EXPOSURE, MAX_AHEAD_MS } from "./event-record.ts";
import { ABSENT, createRolloutSum, IN, OUT, type RolloutEstimate } from "./rollout-sum.ts";

/** Number of metrics per pass. It bounds the memory, 24 bytes per user and metric. */
const METRICS_A_PASS = 4;

/** A period with one rollout percentage, strictly between 0 and 100. */
export interface RolloutStratum {
  percentage: number;
  /** Start (inclusive) and end (exclusive) in milliseconds since 1970. */
  from: number;
  to: number;
}

/**
 * The value to compare, per user and stratum. RATE: whether the user sent the event. COUNT: how often. MEAN: the mean
 * of the values sent, among users who sent any.
 */
export interface RolloutMetric {
  eventType: string;
  aggregation: "RATE" | "COUNT" | "MEAN";
}

export interface RolloutOptions {
  flagKey: string;
  /** Weights of the flag's variants, fractions that sum to 1; `[1]` for a flag without variants. */
  weights: number[];
  strata: RolloutStratum[];
  /** Users who get the flag, or do not get it, regardless of their bucket. */
  named: string[];
  metrics: RolloutMetric[];
}

/** A rollout as a randomised experiment. */
export interface RolloutStatistics {
  /** Number of distinct users seen in the rollout, and outside of it. Raising the percentage moves some of them. */
  users: { in: number; out: number };
  /** Number of users of each stratum. */
  strata: { in: number; out: number }[];
  /** Estimates in the order of the requested metrics. */
  estimates: RolloutEstimate[];
}

/**
 * Compares the users in a rollout with the users outside of it. A partial rollout is a randomised experiment, because
 * the bucket alone decides. All users who sent an event of any type in a stratum count, on the side of their bucket at
 * the stratum's percentage, whether or not they evaluated the flag. Users who are named in the flag's targeting are
 * excluded, as are users with an exposure which reports that a rule gave them the flag.
 */
export function computeRollout(log: EventLog, options: RolloutOptions): RolloutStatistics {
  const { strata, metrics } = options;
  const count = log.users.length;
  const sides = sidesOf(log, options);
  const estimates: RolloutEstimate[] = [];
  for (let from = 0; from < metrics.length; from += METRICS_A_PASS) {
    const some = metrics.slice(from, from + METRICS_A_PASS);
    const sums = some.map(() => createRolloutSum(count));
    for (const [index, stratum] of strata.entries()) {
      const cells = some.map((metric) => createCells(log, metric, count));
      forRows(log, stratum, (row, user) => {
        if (sides[index]![user] !== ABSENT) for (const cell of cells) cell.add(row, user);
      });
      for (const [metric, cell] of cells.entries()) sums[metric]!.add(cell.values, cell.sidesOf(sides[index]!));
    }
    estimates.push(...sums.map((sum, index) => sum.estimate(some[index]!.aggregation === "RATE")));
  }
  return { users: countEver(sides, count), strata: sides.map(countSides), estimates };
}

/** Calls `visit` for the rows of a stratum. */
function forRows(log: EventLog, { from, to }: RolloutStratum, visit: (row: number, user: number) => void): void {
  const { times, users, kinds, length } = log.rows;
  const isJoin = log.kinds.map(({ type }) => type === JOIN);
  const { receipts } = log;
  // Events received long before the stratum cannot have happened in it.
  let first = 0;
  while (first < receipts.length && receipts.times[first]! < from - MAX_AHEAD_MS) first++;
  for (let row = first < receipts.length ? receipts.starts[first]! : length; row < length; row++) {
    if (times[row]! >= from && times[row]! < to && !isJoin[kinds[row]!]) visit(row, users[row]!);
  }
}

/** Returns absent, out or in, by stratum and user. */
function sidesOf(log: EventLog, options: RolloutOptions): Uint8Array[] {
  const hashOf = createHashes(log, options);
  return options.strata.map((stratum) => {
    const sides = new Uint8Array(log.users.length);
    const picker = createPicker(options.weights, stratum.percentage);
    forRows(log, stratum, (_, user) => {
      if (sides[user] !== ABSENT) return;
      const hash = hashOf(user);
      if (hash >= 0) sides[user] = picker.pick(hash) >= 0 ? IN : OUT;
    });
    return sides;
  });
}

function countSides(sides: Uint8Array): { in: number; out: number } {
  const sizes = [0, 0, 0];
  for (const side of sides) sizes[side]!++;
  return { in: sizes[IN]!, out: sizes[OUT]! };
}

/** Counts the users who were in the rollout, and outside of it, in any stratum. */
function countEver(strata: readonly Uint8Array[], count: number): { in: number; out: number } {
  const ever = { in: 0, out: 0 };
  for (let user = 0; user < count; user++) {
    if (strata.some((sides) => sides[user] === IN)) ever.in++;
    if (strata.some((sides) => sides[user] === OUT)) ever.out++;
  }
  return ever;
}

/** Returns the bucket of a user by index, computed once; negative for excluded users. */
function createHashes(log: EventLog, { flagKey, named }: RolloutOptions): (user: number) => number {
  const bucketOf = createBucketer(flagKey);
  const leftOut = new Set(named);
  const hashes = new Float64Array(log.users.length).fill(Number.NaN);
  const isForced = log.kinds.map((kind) => kind.type === EXPOSURE && kind.flagKey === flagKey && kind.forced);
  if (isForced.includes(true)) {
    for (let row = 0; row < log.rows.length; row++) {
      if (isForced[log.rows.kinds[row]!]) hashes[log.rows.users[row]!] = -1;
    }
  }
  return (user) => {
    if (Number.isNaN(hashes[user])) {
      const id = log.users[user]!;
      // An erased user keeps the index, not the name.
      hashes[user] = id === "" || leftOut.has(id) ? -1 : bucketOf(id);
    }
    return hashes[user]!;
  };
}

/** Creates one metric of all users in one stratum. */
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
    /** Users with a value, and their side. */
    sidesOf: (sides: Uint8Array): Uint8Array =>
      numbers === null ? sides : sides.map((side, user) => (numbers[user]! > 0 ? side : ABSENT)),
  };
}
