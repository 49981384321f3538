import type { Metric } from "@assay/contract";
import {
  addToJointMoments,
  addToMoments,
  emptyJointMoments,
  emptyMoments,
  type JointMoments,
  type Moments,
  mergeJointMoments,
  mergeMoments,
  type Proportion,
  type QuantileEstimate,
  quantileEstimate,
  winsorBounds,
} from "@assay/core/stats";
import type { Participants } from "./exposure.ts";
import type { TallyColumn, TallyOperation, TallyPlan } from "./tally-column.ts";

const HOUR = 3_600_000;
/** Participants whose moments are added one by one before they are merged, which keeps rounding errors apart. */
const BLOCK = 4096;

/** All a test needs to know of a metric, per arm in the order of the subject's variants. */
export type MetricStatistics = { metric: Metric } & (
  | { form: "PROPORTION"; arms: Proportion[] }
  | { form: "MEAN"; arms: Moments[] }
  | { form: "RATIO"; arms: JointMoments[] }
  | { form: "QUANTILE"; arms: QuantileEstimate[] }
);

/** The metrics of an experiment that names none: did it happen, and how much where it carries values. */
export function defaultMetrics(seen: readonly { type: string; hasValues: boolean }[]): Metric[] {
  return seen.flatMap(({ type, hasValues }): Metric[] => {
    const common = { event_type: type, direction: "INCREASE", role: "SECONDARY" } as const;
    const conversion: Metric = { ...common, id: type, name: type, kind: "CONVERSION" };
    const name = `${type}_value`;
    return hasValues ? [conversion, { ...common, id: name, name, kind: "MEAN", aggregation: "SUM" }] : [conversion];
  });
}

/** The tallies a metric is made of; a ratio is what the event carries (or 1) per denominator event. */
export function planTallies(metric: Metric): TallyPlan[] {
  const windowMs =
    metric.conversion_window_hours == null ? Number.POSITIVE_INFINITY : metric.conversion_window_hours * HOUR;
  const tally = (operation: TallyOperation, eventType = metric.event_type) => ({ operation, eventType, windowMs });
  switch (metric.kind) {
    case "CONVERSION":
      return [tally("ANY")];
    case "COUNT":
      return [tally("COUNT")];
    case "MEAN":
      if (metric.aggregation === "MEAN") return [tally("SUM"), tally("VALUES")];
      if (metric.aggregation === "MIN") return [tally("MINIMUM")];
      return [tally(metric.aggregation === "MAX" ? "MAXIMUM" : "SUM")];
    case "RATIO":
      return [tally("SUM_OR_COUNT"), tally("COUNT", metric.denominator_event_type)];
    case "QUANTILE":
      return [tally("LIST")];
  }
}

/** Sums a metric up per arm from its tallies. Participants without events count as 0. */
export function toStatistics(
  metric: Metric,
  tallies: readonly TallyColumn[],
  participants: Participants,
  arms: number,
): MetricStatistics {
  const { kind, aggregation } = metric;
  const [first, second] = tallies;
  if (!first) throw new Error(`Metric ${metric.id} has no tally`);
  switch (kind) {
    case "CONVERSION":
      return { metric, form: "PROPORTION", arms: proportionsOf(first.cells(), participants, arms) };
    case "QUANTILE":
      return { metric, form: "QUANTILE", arms: quantilesOf(first, metric.quantile ?? 0.5, participants, arms) };
    case "RATIO": {
      const columns = tallies.map((tally) => winsorised(tally.cells(), metric));
      return { metric, form: "RATIO", arms: jointMomentsOf(columns, participants, arms) };
    }
    default: {
      const cells = first.cells();
      if (kind === "MEAN" && aggregation === "MEAN" && second) divide(cells, second.cells());
      // The least or greatest of no value is NaN.
      for (let slot = 0; slot < cells.length; slot++) cells[slot] ||= 0;
      return { metric, form: "MEAN", arms: momentsOf(winsorised(cells, metric), participants, arms) };
    }
  }
}

function divide(sums: Float64Array, counts: Float64Array): void {
  for (let slot = 0; slot < sums.length; slot++) sums[slot]! /= counts[slot]! || 1;
}

/** Moves the outermost share of users, at either end of all arms together, to the quantile there. */
function winsorised(cells: Float64Array, { winsorize_pct: share }: Metric): Float64Array {
  const bounds = share == null ? null : winsorBounds([cells], share, 1 - share);
  if (!bounds) return cells;
  return cells.map((value) => Math.min(Math.max(value, bounds[0]), bounds[1]));
}

function proportionsOf(cells: Float64Array, participants: Participants, arms: number): Proportion[] {
  const answer = Array.from({ length: arms }, () => ({ successes: 0, n: 0 }));
  for (let slot = 0; slot < participants.length; slot++) {
    const arm = answer[participants.arms[slot]!]!;
    arm.n++;
    arm.successes += cells[slot]!;
  }
  return answer;
}

function momentsOf(cells: Float64Array, participants: Participants, arms: number): Moments[] {
  let total = Array.from({ length: arms }, emptyMoments);
  for (let from = 0; from < participants.length; from += BLOCK) {
    const block = Array.from({ length: arms }, emptyMoments);
    const to = Math.min(from + BLOCK, participants.length);
    for (let slot = from; slot < to; slot++) addToMoments(block[participants.arms[slot]!]!, cells[slot]!);
    total = total.map((moments, arm) => mergeMoments(moments, block[arm]!));
  }
  return total;
}

function jointMomentsOf(
  [numerators, denominators]: readonly Float64Array[],
  participants: Participants,
  arms: number,
): JointMoments[] {
  let total = Array.from({ length: arms }, () => emptyJointMoments(2));
  const pair = [0, 0];
  for (let from = 0; from < participants.length; from += BLOCK) {
    const block = Array.from({ length: arms }, () => emptyJointMoments(2));
    const to = Math.min(from + BLOCK, participants.length);
    for (let slot = from; slot < to; slot++) {
      pair[0] = numerators![slot]!;
      pair[1] = denominators![slot]!;
      addToJointMoments(block[participants.arms[slot]!]!, pair);
    }
    total = total.map((moments, arm) => mergeJointMoments(moments, block[arm]!));
  }
  return total;
}

/** Users without a value have no part in a quantile; everyone else counts with each of theirs. */
function quantilesOf(
  tally: TallyColumn,
  quantile: number,
  participants: Participants,
  arms: number,
): QuantileEstimate[] {
  const list = tally.list();
  return Array.from({ length: arms }, (_, arm) => {
    const values: number[] = [];
    const users: number[] = [];
    const numbers = new Map<number, number>();
    for (let index = 0; index < list.values.length; index++) {
      const slot = list.slots[index]!;
      if (participants.arms[slot] !== arm) continue;
      if (!numbers.has(slot)) numbers.set(slot, numbers.size);
      values.push(list.values[index]!);
      users.push(numbers.get(slot)!);
    }
    return quantileEstimate({ values, users }, { quantile });
  });
}
