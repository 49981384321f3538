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
} from "@assay/core/stats";
import type { Baseline } from "./baseline.ts";
import { limited } from "./capping.ts";
import { sumByCluster } from "./clusters.ts";
import type { Participants } from "./exposure.ts";
import type { Metric } from "./metric-definition.ts";
import { quantilesOf } from "./quantiles.ts";
import type { TallyColumn, TallyOperation, TallyPlan } from "./tally-column.ts";

const HOUR = 3_600_000;
/** Number of participants whose moments are added one by one before they are merged, which limits rounding errors. */
const BLOCK = 4096;

/**
 * The data of a metric that a test needs, per arm in the order of the subject's variants, with the baseline if the
 * experiment adjusts metrics.
 */
export type MetricStatistics = {
  metric: Metric;
  baseline?: Baseline;
  /**
   * Number of clusters per arm, if users were assigned in clusters. `arms` then is over clusters: joint moments of [sum
   * of the users' values, users] (for a ratio, of its two sums) for all kinds but QUANTILE, whose `users` is an
   * effective number of clusters.
   */
  clusters?: number[];
} & (
  | { form: "PROPORTION"; arms: Proportion[] }
  | { form: "MEAN"; arms: Moments[] }
  | { form: "RATIO"; arms: JointMoments[] }
  | { form: "QUANTILE"; arms: QuantileEstimate[] }
);

/** Returns the default metrics of an experiment: whether an event occurred, and its value if it carries values. */
export function defaultMetrics(seen: readonly { type: string; hasValues: boolean }[]): Metric[] {
  return seen.flatMap(({ type, hasValues }): Metric[] => {
    const common = { event_type: type, direction: "INCREASE", role: "SECONDARY" } as const;
    const conversion: Metric = { ...common, id: type, name: type, kind: "CONVERSION" };
    const name = `${type}_value`;
    return hasValues ? [conversion, { ...common, id: name, name, kind: "MEAN", aggregation: "SUM" }] : [conversion];
  });
}

/** Returns the tallies of a metric; a ratio is the event's value (or 1) per denominator event. */
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
  if (participants.clusters) return toClusterStatistics(metric, tallies, participants, arms, range);
  switch (metric.kind) {
    case "CONVERSION":
      return { metric, form: "PROPORTION", arms: proportionsOf(cellsOf(metric, tallies, range)[0]!, own, arms) };
    case "QUANTILE":
      return { metric, form: "QUANTILE", arms: quantilesOf(metric, tallies[0]!, participants, arms, range).arms };
    case "RATIO":
      return { metric, form: "RATIO", arms: jointMomentsOf(winsorisedCells(metric, tallies, range), own, arms) };
    default:
      return { metric, form: "MEAN", arms: momentsOf(winsorisedCells(metric, tallies, range)[0]!, own, arms) };
  }
}

/** Sums a metric per arm over clusters of participants. */
function toClusterStatistics(
  metric: Metric,
  tallies: readonly TallyColumn[],
  participants: Participants,
  arms: number,
  range: SlotRange,
): MetricStatistics {
  if (metric.kind === "QUANTILE") {
    const quantiles = quantilesOf(metric, tallies[0]!, participants, arms, range);
    return { metric, form: "QUANTILE", ...quantiles };
  }
  const values = outcomeCells(metric, tallies, range);
  const columns = metric.kind === "RATIO" ? values : [...values, ones(range)];
  const moments = clusterMomentsOf(columns, participants, arms, range);
  return { metric, form: "RATIO", arms: moments, clusters: moments.map(({ n }) => n) };
}

/** Joint moments per arm of each cluster's sums of columns. */
export function clusterMomentsOf(
  columns: readonly Float64Array[],
  { arms: armOf, clusters }: Participants,
  arms: number,
  { from, to }: SlotRange,
): JointMoments[] {
  const { of, count } = clusters!;
  const sums = sumByCluster(columns, of.subarray(from, to), armOf.subarray(from, to), { count, arms });
  return jointMomentsOf(sums.columns, sums.arms, arms);
}

/** Creates the column that counts users. */
export function ones({ from, to }: SlotRange): Float64Array {
  return new Float64Array(to - from).fill(1);
}

/** Returns one number per participant, two for a ratio and none for a quantile; not yet winsorised. */
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

/** Returns one number per participant, two for a ratio and none for a quantile, as they count in results. */
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
