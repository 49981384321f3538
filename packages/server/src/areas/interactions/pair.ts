import { estimateOf, MAX_CELLS, type MetricStatistics, type OverlapStatistics } from "@assay/analysis";
import type { InteractionPair } from "@assay/contract";
import {
  assignmentDependenceTest,
  type InteractionOptions,
  type Interval,
  interactionTest,
  interactionWaldTest,
  type Moments,
} from "@assay/core/stats";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { armsOf } from "../../model/experiment-subject.ts";
import { weightOf } from "../../model/experiment-weights.ts";

/** The minimum number of users in every cell. */
const MIN_CELL_USERS = 100;
/**
 * The minimum number of effective clusters in every cell if users were assigned in clusters, in addition to
 * `MIN_CELL_USERS`.
 */
const MIN_CELL_CLUSTERS = 20;
/**
 * The level of the test of dependence, as for a sample ratio mismatch: a test that is read often must rarely raise a
 * false alarm.
 */
const DEPENDENCE_ALPHA = 0.001;

type Warning = NonNullable<InteractionPair["warning"]>;

/** The result of a test of interaction; undefined numbers are null. */
interface Tested {
  effect: number | null;
  standardError: number | null;
  interval: Interval | null;
  df: number | null;
  pValue: number | null;
  significant: boolean;
}

const UNTESTED: Tested = {
  effect: null,
  standardError: null,
  interval: null,
  df: null,
  pValue: null,
  significant: false,
};

/** Tests two experiments for an interaction, among the users they share. */
export function toPair(
  a: ExperimentRecord,
  b: ExperimentRecord,
  { users, metric }: Pick<OverlapStatistics, "users" | "metric">,
  alpha: number,
): InteractionPair {
  const [rows, columns] = [armsOf(a), armsOf(b)];
  const usedRows = usedArms(a, rows, users.map(sum));
  const usedColumns = usedArms(
    b,
    columns,
    columns.map((_, column) => sum(users.map((row) => row[column]!))),
  );
  const units = (row: number, column: number) => unitsOf(metric, row * columns.length + column) ?? users[row]![column]!;
  const table = usedRows.map((row) => usedColumns.map((column) => units(row, column)));
  const shared = sum(users.map(sum));
  const dependence =
    shared > 0 && table.length > 1 ? assignmentDependenceTest(table, { alpha: DEPENDENCE_ALPHA }) : null;
  const isTestable = usedRows.length > 1 && usedColumns.length > 1 && metric !== null;
  const cells = isTestable
    ? usedRows.map((row) => usedColumns.map((column) => momentsOf(metric, row * columns.length + column)))
    : null;
  const minimumUsers = metric?.clusters ? MIN_CELL_CLUSTERS : MIN_CELL_USERS;
  const tested = cells ? test(cells, { alpha, minimumUsers }) : UNTESTED;
  const warning =
    whyNone(a, b, { shared, metric, isTestable }) ??
    (table.flat().some((count) => count < MIN_CELL_USERS) ? "TOO_FEW_USERS" : null) ??
    (dependence?.significant ? "ASSIGNMENT_DEPENDENT" : null) ??
    (tested.pValue === null ? "ZERO_VARIANCE" : null);
  return {
    experiment_a_id: a.id,
    experiment_a_key: a.key,
    experiment_b_id: b.id,
    experiment_b_key: b.key,
    metric: metric?.metric.name ?? null,
    metric_id: metric?.metric.id ?? null,
    alpha,
    shared_users: shared,
    assignment_p_value: dependence?.pValue ?? null,
    cells: rows.map((row, i) =>
      columns.map((column, j) => ({
        variant_a: row.key,
        variant_b: column.key,
        users: users[i]![j]!,
        value: metric && users[i]![j]! > 0 ? finite(estimateOf(metric, i * columns.length + j).value) : null,
      })),
    ),
    interaction_effect: tested.effect,
    standard_error: tested.standardError,
    confidence_interval: tested.interval,
    df: tested.df,
    p_value: warning === null ? tested.pValue : null,
    significant: warning === null && tested.significant,
    warning,
  };
}

/** The arms that users can get or have got. */
function usedArms(record: ExperimentRecord, arms: ExperimentRecord["variants"], users: readonly number[]): number[] {
  return arms.flatMap((variant, arm) => (weightOf(record, variant) > 0 || users[arm]! > 0 ? [arm] : []));
}

function whyNone(
  a: ExperimentRecord,
  b: ExperimentRecord,
  { shared, metric, isTestable }: { shared: number; metric: MetricStatistics | null; isTestable: boolean },
): Warning | null {
  const group = a.mutual_exclusion_group_id;
  // Users who are in both arms of a switchback are in several cells.
  if (a.bucket_by !== b.bucket_by || a.switchback || b.switchback) return "DIFFERENT_UNITS";
  if (shared === 0)
    return group !== null && group === b.mutual_exclusion_group_id ? "MUTUALLY_EXCLUSIVE" : "NO_SHARED_USERS";
  if (a.variants.length * b.variants.length > MAX_CELLS) return "TOO_MANY_CELLS";
  if (metric === null) return "NO_METRIC";
  return isTestable ? null : "ONE_ARM";
}

function test(cells: readonly (readonly Moments[])[], options: InteractionOptions): Tested {
  if (cells.length === 2 && cells[0]!.length === 2) {
    const { difference, standardError, confidenceInterval, df, pValue, significant } = interactionTest(cells, options);
    return { effect: difference, standardError, interval: confidenceInterval, df, pValue, significant };
  }
  const { df, pValue, significant } = interactionWaldTest(cells, options);
  return { ...UNTESTED, df, pValue, significant };
}

/** Returns the number of clusters of a cell, if users were assigned in clusters. */
function unitsOf(metric: MetricStatistics | null, cell: number): number | null {
  return metric?.clusters?.[cell] ?? null;
}

/** Converts an estimate to moments with the same value and variance, so that one test serves all kinds of metrics. */
function momentsOf(statistics: MetricStatistics, cell: number): Moments {
  const { n, value, variance } = estimateOf(statistics, cell);
  return variance === null ? { n: 0, mean: 0, m2: 0 } : { n, mean: value, m2: variance * (n - 1) };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
