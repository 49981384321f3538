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
} from "@assay/core/stats";
import type { Baseline } from "./baseline.ts";
import { limited } from "./capping.ts";
import type { Participants } from "./exposure.ts";
import type { Metric } from "./metric-definition.ts";
import type { TallyColumn, TallyOperation, TallyPlan } from "./tally-column.ts";

const HOUR = 3_600_000;
/** Participants whose moments are added one by one before they are merged, which limits rounding errors. */
const BLOCK = 4096;

/**
 * The data that a test needs of a metric, per arm in the order of the subject's variants, and with what it is adjusted by
 * where the experiment adjusts.
 */
export type MetricStatistics = { metric: Metric; baseline?: Baseline } & (
  | { form: "PROPORTION"; arms: Proportion[] }
  | { form: "MEAN"; arms: Moments[] }
  | { form: "RATIO"; arms: JointMoments[] }
  | { form: "QUANTILE"; arms: QuantileEstimate[] }
);

/** The default metrics of an experiment: whether an event occurred, and its value if it carries values. */
export function defaultMetrics(seen: readonly { type: string; hasValues: boolean }[]): Metric[] {
  return seen.flatMap(({ type, hasValues }): Metric[] => {
    const common = { event_type: type, direction: "INCREASE", role: "SECONDARY" } as const;
    const conversion: Metric = { ...common, id: type, name: type, kind: "CONVERSION" };
    const name = `${type}_value`;
    return hasValues ? [conversion, { ...common, id: name, name, kind: "MEAN", aggregation: "SUM" }] : [conversion];
  });
}

/** The tallies of a metric; a ratio is the event's value (or 1) per denominator event. */
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

/** The participants of the slots from `from` to before `to`. */
export interface SlotRange {
  from: number;
  to: number;
}

/** Sums a metric per arm from its tallies. Participants without events count as 0. */
export function toStatistics(
  metric: Metric,
  tallies: readonly TallyColumn[],
  participants: Participants,
  arms: number,
  range: SlotRange = { from: 0, to: participants.length },
): MetricStatistics {
  const own = participants.arms.subarray(range.from, range.to);
  switch (metric.kind) {
    case "CONVERSION":
      return { metric, form: "PROPORTION", arms: proportionsOf(cellsOf(metric, tallies, range)[0]!, own, arms) };
    case "QUANTILE":
      return { metric, form: "QUANTILE", arms: quantilesOf(metric, tallies[0]!, participants, arms, range) };
    case "RATIO":
      return { metric, form: "RATIO", arms: jointMomentsOf(winsorisedCells(metric, tallies, range), own, arms) };
    default:
      return { metric, form: "MEAN", arms: momentsOf(winsorisedCells(metric, tallies, range)[0]!, own, arms) };
  }
}

/** A column of one number per participant, two for a ratio and none for a quantile; not yet winsorised. */
export function cellsOf(metric: Metric, tallies: readonly TallyColumn[], { from, to }: SlotRange): Float64Array[] {
  if (metric.kind === "QUANTILE") return [];
  const columns = tallies.map((tally) => tally.cells(from, to));
  const [cells, second] = columns;
  if (!cells) throw new Error(`Metric ${metric.id} has no tally`);
  if (metric.kind === "RATIO") return columns;
  if (metric.kind === "MEAN" && metric.aggregation === "MEAN" && second) divide(cells, second);
  // The minimum or maximum without values is NaN.
  for (let slot = 0; slot < cells.length; slot++) cells[slot] ||= 0;
  return [cells];
}

function divide(sums: Float64Array, counts: Float64Array): void {
  for (let slot = 0; slot < sums.length; slot++) sums[slot]! /= counts[slot]! || 1;
}

/** A column of one number per participant, two for a ratio and none for a quantile, as they count in results. */
export function outcomeCells(metric: Metric, tallies: readonly TallyColumn[], range: SlotRange): Float64Array[] {
  return metric.kind === "CONVERSION" ? cellsOf(metric, tallies, range) : winsorisedCells(metric, tallies, range);
}

function winsorisedCells(metric: Metric, tallies: readonly TallyColumn[], range: SlotRange): Float64Array[] {
  return cellsOf(metric, tallies, range).map((cells, part) => limited(metric, part, cells));
}

function proportionsOf(cells: Float64Array, armOf: Uint8Array, arms: number): Proportion[] {
  const answer = Array.from({ length: arms }, () => ({ successes: 0, n: 0 }));
  for (let slot = 0; slot < cells.length; slot++) {
    const arm = answer[armOf[slot]!]!;
    arm.n++;
    arm.successes += cells[slot]!;
  }
  return answer;
}

function momentsOf(cells: Float64Array, armOf: Uint8Array, arms: number): Moments[] {
  let total = Array.from({ length: arms }, emptyMoments);
  for (let from = 0; from < cells.length; from += BLOCK) {
    const block = Array.from({ length: arms }, emptyMoments);
    const to = Math.min(from + BLOCK, cells.length);
    for (let slot = from; slot < to; slot++) addToMoments(block[armOf[slot]!]!, cells[slot]!);
    total = total.map((moments, arm) => mergeMoments(moments, block[arm]!));
  }
  return total;
}

/** Joint moments of columns per arm. */
export function jointMomentsOf(columns: readonly ArrayLike<number>[], armOf: Uint8Array, arms: number): JointMoments[] {
  const values = columns.length;
  let total = Array.from({ length: arms }, () => emptyJointMoments(values));
  const user = new Array<number>(values).fill(0);
  for (let from = 0; from < armOf.length; from += BLOCK) {
    const block = Array.from({ length: arms }, () => emptyJointMoments(values));
    const to = Math.min(from + BLOCK, armOf.length);
    for (let slot = from; slot < to; slot++) {
      for (let index = 0; index < values; index++) user[index] = columns[index]![slot]!;
      addToJointMoments(block[armOf[slot]!]!, user);
    }
    total = total.map((moments, arm) => mergeJointMoments(moments, block[arm]!));
  }
  return total;
}

/** Users without a value are not part of a quantile; all others count with each of their values. */
function quantilesOf(
  { quantile = 0.5 }: Metric,
  tally: TallyColumn,
  participants: Participants,
  arms: number,
  { from, to }: SlotRange,
): QuantileEstimate[] {
  const list = tally.list();
  return Array.from({ length: arms }, (_, arm) => {
    const values: number[] = [];
    const users: number[] = [];
    const numbers = new Map<number, number>();
    for (let index = 0; index < list.values.length; index++) {
      const slot = list.slots[index]!;
      if (slot < from || slot >= to || participants.arms[slot] !== arm) continue;
      if (!numbers.has(slot)) numbers.set(slot, numbers.size);
      values.push(list.values[index]!);
      users.push(numbers.get(slot)!);
    }
    return quantileEstimate({ values, users }, { quantile });
  });
}
