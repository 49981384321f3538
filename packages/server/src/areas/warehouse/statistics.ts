import { defaultMetrics, type MetricStatistics, type SufficientStatistics } from "@assay/analysis";
import type { Metric } from "@assay/contract";
import type { JointMoments, Moments } from "@assay/core/stats";
import { type CellColumn, columnsOf, namesOf, productOf } from "./columns.ts";
import { type Row, WarehouseFailure, type WarehouseSession } from "./engines/engine.ts";
import { MAX_TYPES, type Queries } from "./queries.ts";

/**
 * Queries a warehouse for all statistics of the results.
 * @param metrics null if the experiment names none
 * @param arms number of arms
 * @throws WarehouseFailure
 */
export async function readStatistics(
  session: WarehouseSession,
  queries: Queries,
  metrics: readonly Metric[] | null,
  arms: number,
): Promise<SufficientStatistics> {
  const [counts = {}] = await session.query(queries.counts());
  const own = metrics ?? (await readMetrics(session, queries));
  const rows = await session.query(queries.sums(own));
  const rowOf = Array.from({ length: arms }, (_, arm) => rows.find((row) => row.arm === arm) ?? null);
  const columns = columnsOf(own);
  return {
    users: rowOf.map((row) => (row ? numberOf(row, "n") : 0)),
    crossover: numberOf(counts, "crossover"),
    forced: numberOf(counts, "forced"),
    inferred: 0,
    clusters: null,
    metrics: own.map((metric) =>
      toMetricStatistics(
        metric,
        columns.filter((column) => column.metric === metric),
        rowOf,
      ),
    ),
  };
}

async function readMetrics(session: WarehouseSession, queries: Queries): Promise<Metric[]> {
  const rows = await session.query(queries.seen());
  if (rows.length > MAX_TYPES) {
    throw new WarehouseFailure(`The events have more than ${MAX_TYPES} types; give the experiment metrics`);
  }
  const types = rows.map((row) => ({ type: String(row.event_type), hasValues: numberOf(row, "amounts") > 0 }));
  return defaultMetrics(types.sort((a, b) => (a.type < b.type ? -1 : 1)));
}

function toMetricStatistics(
  metric: Metric,
  columns: readonly CellColumn[],
  rows: readonly (Row | null)[],
): MetricStatistics {
  const [first, second] = columns;
  if (!first) {
    const none = { n: 0, users: 0, value: null, standardError: null, confidenceInterval: null };
    return { metric, form: "QUANTILE", arms: rows.map(() => ({ ...none, status: "INSUFFICIENT_DATA" })) };
  }
  if (second) return { metric, form: "RATIO", arms: rows.map((row) => toJointMoments(row, first, second)) };
  const moments = rows.map((row) => toMoments(row, first));
  if (metric.kind !== "CONVERSION") return { metric, form: "MEAN", arms: moments };
  // A mean of ones and zeros, so rounding only removes the numerical error.
  const arms = moments.map(({ n, mean }) => ({ n, successes: Math.round(mean * n) }));
  return { metric, form: "PROPORTION", arms };
}

/** Corrects sums of deviations for the rounding of the mean. */
function toMoments(row: Row | null, column: CellColumn): Moments {
  if (!row) return { n: 0, mean: 0, m2: 0, m3: 0 };
  const { mean, least, greatest, sum, square, cube } = namesOf(column);
  const n = numberOf(row, "n");
  const lowest = numberOf(row, least);
  // Constant values have no variance, not even by rounding.
  if (lowest === numberOf(row, greatest)) return { n, mean: lowest, m2: 0, m3: 0 };
  const rest = numberOf(row, sum);
  const squares = numberOf(row, square);
  const error = rest / n;
  return {
    n,
    mean: numberOf(row, mean) + error,
    m2: Math.max(0, squares - error * rest),
    m3: numberOf(row, cube) - 3 * error * squares + 2 * error * error * rest,
  };
}

function toJointMoments(row: Row | null, first: CellColumn, second: CellColumn): JointMoments {
  const [a, b] = [toMoments(row, first), toMoments(row, second)];
  const product =
    row && a.m2 > 0 && b.m2 > 0
      ? numberOf(row, productOf(second)) -
        (numberOf(row, namesOf(first).sum) * numberOf(row, namesOf(second).sum)) / a.n
      : 0;
  return { n: a.n, means: [a.mean, b.mean], products: [[a.m2], [product, b.m2]] };
}

/** @throws WarehouseFailure if the sums exceed the range of a number */
function numberOf(row: Row, name: string): number {
  const value = row[name];
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new WarehouseFailure("The warehouse returned a value that is not a number; the values may be too large to sum");
}
