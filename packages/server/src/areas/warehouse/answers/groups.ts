import type { GroupStatistics, MetricStatistics } from "@assay/analysis";
import type { Metric } from "@assay/contract";
import type { Row } from "../engines/engine.ts";
import { type MetricColumns, outcomeColumns } from "../sql/columns.ts";
import type { Grouping } from "../sql/subject.ts";
import { toJointMoments, toMoments } from "./moments.ts";
import { readQuantile } from "./quantiles.ts";
import { byGroup, numberOf, type Reading } from "./reading.ts";

/** Groups of participants: their numbers in ascending order, and the statistics of each. */
export interface Groups {
  numbers: number[];
  of(grp: number): GroupStatistics;
}

/** Reads the users and metrics of groups of participants. @throws WarehouseFailure */
export async function readGroups(reading: Reading, metrics: readonly Metric[], grouping: Grouping): Promise<Groups> {
  const { session, queries, subject } = reading;
  const columns = outcomeColumns(metrics);
  const rows = await session.query(queries.moments(columns, grouping));
  const quantiles = new Map<Metric, Awaited<ReturnType<typeof readQuantile>>>();
  for (const metric of metrics) {
    if (metric.kind === "QUANTILE") quantiles.set(metric, await readQuantile(reading, metric, grouping));
  }
  const rowOf = byGroup(rows);
  const arms = [...subject.arms.keys()];
  return {
    numbers: [...new Set(rows.map((row) => numberOf(row, "grp")))].sort((a, b) => a - b),
    of(grp) {
      const own = arms.map((arm) => rowOf(grp, arm));
      return {
        users: own.map((row) => (row ? numberOf(row, "n") : 0)),
        metrics: columns.map((one): MetricStatistics => {
          const quantileOf = quantiles.get(one.metric);
          if (!quantileOf) return toStatistics(one, own);
          return { metric: one.metric, form: "QUANTILE", arms: arms.map((arm) => quantileOf(grp, arm)) };
        }),
      };
    },
  };
}

function toStatistics({ metric, columns }: MetricColumns, rows: readonly (Row | null)[]): MetricStatistics {
  const [first] = columns;
  if (metric.kind === "RATIO") return { metric, form: "RATIO", arms: rows.map((row) => toJointMoments(row, columns)) };
  const moments = rows.map((row) => toMoments(row, first!));
  if (metric.kind !== "CONVERSION") return { metric, form: "MEAN", arms: moments };
  // A mean of ones and zeros, so rounding only removes the numerical error.
  const arms = moments.map(({ n, mean }) => ({ n, successes: Math.round(mean * n) }));
  return { metric, form: "PROPORTION", arms };
}
