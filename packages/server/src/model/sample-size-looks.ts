import type { GroupSequential, SampleSize } from "@assay/contract";
import { alwaysValidTest, normalQuantile } from "@assay/core/stats";
import { groupSequentialStops, type SpendingLook, spendingLooks } from "@assay/core/stats/planning";
import type { Steps } from "../ground/slices.ts";
import { SampleSizeError, type SampleSizeQuestion } from "./sample-size-question.ts";

/** How a test that may stop early compares with one look, for the same power. */
interface Sequence {
  /** Users at the last look, as a multiple of those of one look. */
  factor: number;
  /** Users until it stops on average, as a share of those at the last look. */
  mean: number;
}

const MAX_REMEMBERED = 100;
const remembered = new Map<string, Sequence>();
/** Of a drift. The users that follow from it are exact to one in a million. */
const PRECISE = 1e-7;

/** Returns the size of one look for the looks of the question: planned ones, any day, or one. @throws SampleSizeError */
export function* withLooks(size: SampleSize, question: SampleSizeQuestion): Steps<SampleSize> {
  const { looks, spending_function, any_time = false, hypothesis = "SUPERIORITY" } = question;
  if (spending_function !== undefined && looks === undefined) {
    throw new SampleSizeError("spending_function", "Only planned looks have a spending function");
  }
  if (looks === undefined && !any_time) return size;
  if (looks !== undefined && any_time) throw new SampleSizeError("any_time", "Give either looks or any_time");
  if (hypothesis !== "SUPERIORITY") {
    const field = any_time ? "any_time" : "looks";
    throw new SampleSizeError(field, "Only the hypothesis SUPERIORITY has a size for several looks");
  }
  if (looks === undefined) return enlarged(size, anytimeFactor(size));
  const sequence = yield* sequenceOf(spending_function ?? "obrien_fleming", looks, size);
  const larger = enlarged(size, sequence.factor);
  const { total, daily_users } = larger;
  const shares = Array.from({ length: looks }, (_, index) => (index + 1) / looks);
  return {
    ...larger,
    looks: shares.map((share) => {
      const users = Math.ceil(share * total);
      return { users, day: daily_users === null ? null : Math.ceil(users / daily_users) };
    }),
    mean_users: Math.ceil(sequence.mean * total),
  };
}

function enlarged(size: SampleSize, factor: number): SampleSize {
  const arms = size.arms.map((users) => Math.ceil(users * factor));
  const total = arms.reduce((sum, users) => sum + users, 0);
  if (!Number.isSafeInteger(total)) throw new SampleSizeError("mde", "The effect is too small to detect");
  const { daily_users, clusters } = size;
  return {
    ...size,
    arms,
    total,
    per_variant: Math.min(...arms),
    clusters: clusters === null ? null : Math.ceil(clusters * factor),
    days: daily_users === null ? null : Math.ceil(total / daily_users),
  };
}

/**
 * Computes the price of planned looks. The drift that gives the power is found on the scale of normal quantiles, on which the
 * power is nearly a line with slope 1.
 */
function* sequenceOf(
  spending: GroupSequential["spending_function"],
  count: number,
  { alpha_per_comparison: alpha, power }: SampleSize,
): Steps<Sequence> {
  const name = JSON.stringify([spending, count, alpha, power]);
  const known = remembered.get(name);
  if (known) return known;
  const looks: SpendingLook[] = [];
  const fractions = Array.from({ length: count }, (_, index) => (index + 1) / count);
  for (const look of spendingLooks(spending, fractions, { alpha })) {
    looks.push(look);
    yield;
  }
  const single = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  let drift = single;
  let stops: number[] = [];
  for (let gap = Number.POSITIVE_INFINITY; Math.abs(gap) > PRECISE; drift += gap) {
    stops = [];
    for (const stop of groupSequentialStops(looks, drift)) {
      stops.push(stop);
      yield;
    }
    const reached = stops.reduce((sum, stop) => sum + stop, 0);
    gap = normalQuantile(power) - normalQuantile(reached);
  }
  const mean = 1 - stops.reduce((sum, stop, index) => sum + stop * (1 - fractions[index]!), 0);
  const sequence = { factor: (drift / single) ** 2, mean };
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(name, sequence);
  return sequence;
}

/**
 * Returns how many times the users of one look the always-valid test needs at most: its power at the end alone, without that
 * of the days before.
 */
function anytimeFactor({ arms: [control = 0, ...treatments], alpha_per_comparison: alpha, power }: SampleSize): number {
  const pair = control + Math.min(...treatments);
  const single = normalQuantile(1 - alpha / 2) + normalQuantile(power);
  let factor = 1;
  for (let round = 0; round < 30; round++) {
    const critical = alwaysValidTest(0, 1, pair * factor, { alpha }).halfWidth ?? Number.NaN;
    factor = ((critical + normalQuantile(power)) / single) ** 2;
  }
  return factor;
}
