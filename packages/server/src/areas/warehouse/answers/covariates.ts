import type { CovariateStatistics } from "@assay/analysis";
import { type CovariateOptions, covariateColumns } from "../sql/columns.ts";
import { EVERYONE } from "../sql/subject.ts";
import { toJointMoments } from "./moments.ts";
import { byGroup, numberOf, type Reading } from "./reading.ts";
import { readMetrics } from "./statistics.ts";

/** Reads the outcomes with earlier behaviour as covariate. @throws WarehouseFailure */
export async function readCovariates(reading: Reading, options: CovariateOptions): Promise<CovariateStatistics> {
  const { session, queries, subject } = reading;
  const metrics = covariateColumns(await readMetrics(reading), options);
  const rowOf = byGroup(await session.query(queries.moments(metrics, EVERYONE)));
  const rows = subject.arms.map((_, arm) => rowOf(0, arm));
  return {
    users: rows.map((row) => (row ? numberOf(row, "n") : 0)),
    metrics: metrics.map(({ metric, columns, covered }) => ({
      metric,
      arms: columns.length > 0 ? rows.map((row) => toJointMoments(row, columns)) : null,
      isClustered: false,
      covered: rows.map((row) => (row && covered ? numberOf(row, covered.name) : 0)),
    })),
  };
}
